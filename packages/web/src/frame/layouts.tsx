import { glanceAtLibraries, listFilterPresets, listUserPlugins, readMe, readSession, type User } from '@carrel/api'
import { createRootRoute, createRoute, lazyRouteComponent, notFound, Outlet, redirect } from '@tanstack/react-router'
import { basePath } from '../api/base.ts'
import { type Answer, ApiProblem, call } from '../api/call.ts'
import { connectionBack, connectionLost, reachesServer } from '../api/connection.ts'
import { followEvents } from '../api/event-stream.ts'
import { ensure, query, queryClient } from '../api/queries.ts'
import { AppFrame } from './app-frame.tsx'
import { mayOpen } from '../features/admin/admin-menu.ts'
import { loadStrings, speak } from '../text/language.ts'
import { PageRefused } from './page-states.tsx'
import { paths } from '../navigation/paths.ts'
import { applyOwnColourScheme } from '../session/preferences.ts'

/** A page whose code and strings are fetched, at the same time, when somebody goes there. */
export const page = <Module extends Record<string, unknown>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
  strings: readonly string[],
) =>
  lazyRouteComponent(async () => (await Promise.all([patiently(load), patiently(() => loadStrings(strings))]))[0], name)

/**
 * Code that cannot be fetched because the server is away is fetched when it is back. When the server is back and has
 * this code no longer, it is a newer version: then the router reloads the page.
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

/** The request does not fail when nobody is signed in: browsers write every failed request to their console. */
const whoAmI = async (): Promise<User> => {
  const queryFn = async (): Promise<Answer<User>> => {
    const { body, etag } = await call(readSession, {})
    if (!body.user) throw new ApiProblem('not_authenticated', '')
    return { body: body.user, etag }
  }
  return (await queryClient.ensureQueryData({ ...query(readMe, {}), queryFn })).body
}

/** It makes the signed-in user known to everything behind the sign-in, and opens the stream of events. */
const enter = async (): Promise<void> => {
  const me = await whoAmI()
  followEvents()
  await speak(me.language)
  // The browser wears what it wore last; from another device it comes a moment later.
  void applyOwnColourScheme().catch(() => undefined)
}

const isSignedOut = (error: unknown): boolean => error instanceof ApiProblem && error.code === 'not_authenticated'

/** Pages that come before the app stand directly below it: sign-in, setup. */
export const root = createRootRoute({ component: Outlet })

/** These pages need a signed-in user. Whoever signs in first is then led to where they wanted to go. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: ({ location }) =>
    enter().catch((error: unknown) => {
      throw isSignedOut(error) ? redirect({ to: '/sign-in', search: { from: location.href } }) : error
    }),
})

/** These pages need a signed-in user and show the app's navigation around them: nearly every page does. */
export const framed = createRoute({
  getParentRoute: () => signedIn,
  id: 'framed',
  // The loader runs beside the page's own: the navigation is complete when it is shown, so that nothing in it moves.
  loader: async () => {
    const { permissions } = await ensure(readMe, {})
    await Promise.allSettled([
      ensure(listUserPlugins, {}),
      ensure(listFilterPresets, { query: {} }),
      ...(permissions.includes('libraries:read') ? [ensure(glanceAtLibraries, {})] : []),
    ])
  },
  component: AppFrame,
})

/**
 * The reader has a document of its own: it needs a signed-in user, the sign-in is a page of the app, and the reader
 * uses the whole screen.
 */
export const readerRoot = createRootRoute({
  component: Outlet,
  beforeLoad: ({ location }) =>
    enter().catch((error: unknown) => {
      const href = basePath + paths.signIn({ from: location.href })
      throw isSignedOut(error) ? redirect({ href, reloadDocument: true }) : error
    }),
})

/**
 * The pages of the administration, with their menu beside them. Who may not open one reads so, and nothing is requested from the
 * server that it would refuse.
 */
export const administered = createRoute({
  getParentRoute: () => framed,
  id: 'administered',
  beforeLoad: async ({ location }) => {
    const { permissions } = await ensure(readMe, {})
    // The router knows this kind of exception: any other would be written to the console as one of ours.
    if (!mayOpen(location.pathname, permissions)) throw notFound({ routeId: '/signed-in/framed/administered' })
  },
  notFoundComponent: PageRefused,
  component: page(() => import('../features/admin/admin-frame.tsx'), 'AdminFrame', ['admin']),
})
