import { listLibraries, readMe } from '@carrel/api'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { basePath } from './api/base.ts'
import { ApiProblem } from './api/call.ts'
import { followEvents } from './api/event-stream.ts'
import { ensure } from './api/queries.ts'
import { AppFrame } from './app-frame.tsx'
import { loadStrings, speak } from './language.ts'
import { PageFailed, PageMissing } from './page-states.tsx'
import { parseSearch, stringifySearch, word } from './search-params.ts'
import { PageSkeleton } from './ui/skeleton.tsx'

/** A page whose code and strings are fetched when somebody goes there. */
const page = <Module extends Record<string, unknown>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
  strings: readonly string[],
) => lazyRouteComponent(async () => (await Promise.all([load(), loadStrings(strings)]))[0], name)

const root = createRootRoute({ component: Outlet })

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ from, error }: Record<string, unknown>) => ({ from: word(from), error: word(error) }),
  component: page(() => import('./features/sign-in/sign-in-page.tsx'), 'SignInPage', ['sign-in']),
})

/** Everything behind the sign-in. Whoever has to sign in first comes back to where they wanted to go. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ location }) => {
    const me = await ensure(readMe, {}).catch((error: unknown) => {
      if (!(error instanceof ApiProblem) || error.code !== 'not_authenticated') throw error
      throw redirect({ to: '/sign-in', search: { from: location.href, error: undefined } })
    })
    followEvents()
    await speak(me.language)
  },
})

/** Pages with the places of the app around them. A reader has the whole screen, and `signedIn` for its parent. */
const framed = createRoute({ getParentRoute: () => signedIn, id: 'framed', component: AppFrame })

const home = createRoute({
  getParentRoute: () => framed,
  path: '/',
  loader: () => ensure(listLibraries, {}),
  component: page(() => import('./features/home/home-page.tsx'), 'HomePage', ['home']),
})

export const routeTree = root.addChildren([signIn, signedIn.addChildren([framed.addChildren([home])])])

export const createAppRouter = () =>
  createRouter({
    routeTree,
    basepath: basePath === '' ? '/' : basePath,
    parseSearch,
    stringifySearch,
    scrollRestoration: true,
    defaultPreload: false,
    defaultPendingMs: 150,
    defaultPendingMinMs: 0,
    defaultPendingComponent: PageSkeleton,
    defaultErrorComponent: PageFailed,
    defaultNotFoundComponent: PageMissing,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
