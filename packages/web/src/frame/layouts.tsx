import { glanceAtLibraries, listFilterPresets, listUserPlugins, readMe } from '@carrel/api'
import { createRootRoute, createRoute, notFound, Outlet, redirect } from '@tanstack/react-router'
import { ensure } from '../api/queries.ts'
import { AppFrame } from './app-frame.tsx'
import { enter, isSignedOut, page } from './enter.ts'
import { mayOpen } from '../features/admin/admin-menu.ts'
import { PageRefused } from './page-states.tsx'

export { page } from './enter.ts'

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
