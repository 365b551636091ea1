import { listUserPlugins, readMe } from '@carrel/api'
import { createRootRoute, createRoute, lazyRouteComponent, notFound, Outlet, redirect } from '@tanstack/react-router'
import { basePath } from './api/base.ts'
import { ApiProblem } from './api/call.ts'
import { connectionBack, connectionLost, reachesServer } from './api/connection.ts'
import { followEvents } from './api/event-stream.ts'
import { ensure } from './api/queries.ts'
import { AppFrame } from './app-frame.tsx'
import { mayOpen } from './features/admin/admin-menu.ts'
import { loadStrings, speak } from './language.ts'
import { PageRefused } from './page-states.tsx'
import { paths } from './paths.ts'
import { wearOwnLook } from './preferences.ts'

/** A page whose code and strings are fetched, at the same time, when somebody goes there. */
export const page = <Module extends Record<string, unknown>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
  strings: readonly string[],
) =>
  lazyRouteComponent(async () => (await Promise.all([patiently(load), patiently(() => loadStrings(strings))]))[0], name)

/**
 * Code that cannot be fetched because the server is away is fetched when it is back. When it is there, and has this code
 * no longer, it is a newer one: then the router loads the page anew.
 */
const patiently = async <Loaded,>(load: () => Promise<Loaded>): Promise<Loaded> => {
  try {
    return await load()
  } catch (error) {
    if (await reachesServer()) throw error
    connectionLost()
    await connectionBack()
    return load()
  }
}

/** Who is signed in; everything behind the sign-in has it, and hears what happens on the server. */
const enter = async (): Promise<void> => {
  const me = await ensure(readMe, {})
  followEvents()
  await speak(me.language)
  // The browser wears what it wore last; from another device it comes a moment later.
  void wearOwnLook().catch(() => undefined)
}

const isSignedOut = (error: unknown): boolean => error instanceof ApiProblem && error.code === 'not_authenticated'

/** What stands before the app is directly below it: sign-in, setup. */
export const root = createRootRoute({ component: Outlet })

/** Behind the sign-in. Whoever signs in first comes back to where they wanted to go. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: ({ location }) =>
    enter().catch((error: unknown) => {
      throw isSignedOut(error) ? redirect({ to: '/sign-in', search: { from: location.href } }) : error
    }),
})

/** Behind the sign-in, with the places of the app around it: nearly every page. */
export const framed = createRoute({
  getParentRoute: () => signedIn,
  id: 'framed',
  // Beside what the page reads: which places there are is known when they are shown, so that none moves.
  loader: () => ensure(listUserPlugins, {}).catch(() => undefined),
  component: AppFrame,
})

/** Of the reader's own document: behind the sign-in, which is a page of the app, and with the whole screen for itself. */
export const readerRoot = createRootRoute({
  component: Outlet,
  beforeLoad: ({ location }) =>
    enter().catch((error: unknown) => {
      const href = basePath + paths.signIn({ from: location.href })
      throw isSignedOut(error) ? redirect({ href, reloadDocument: true }) : error
    }),
})

/**
 * The pages of the administration, with their menu beside them. Who may not open one reads so, and nothing is asked of the
 * server that it would refuse.
 */
export const administered = createRoute({
  getParentRoute: () => framed,
  id: 'administered',
  beforeLoad: async ({ location }) => {
    const { permissions } = await ensure(readMe, {})
    // Thrown as what the router knows: an error would be told to the console as one of ours.
    if (!mayOpen(location.pathname, permissions)) throw notFound({ routeId: '/signed-in/framed/administered' })
  },
  notFoundComponent: PageRefused,
  component: page(() => import('./features/admin/admin-frame.tsx'), 'AdminFrame', ['admin']),
})
