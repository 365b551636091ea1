import { RouterProvider } from '@tanstack/react-router'
import { forgetEarlyResponses } from './api/early-requests.ts'
import { leave } from './api/leave.ts'
import { onSessionEnd } from './api/queries.ts'
import { fetchAhead } from './frame/enter.ts'
import { signedIn } from './frame/layouts.tsx'
import { paths } from './navigation/paths.ts'
import { watchLoading } from './navigation/scroll-keys.ts'
import { createAppRouter } from './routes.tsx'
import { start } from './start.tsx'

const router = createAppRouter()
watchLoading(router)

onSessionEnd(() => {
  const { pathname, href } = router.state.location
  if (pathname === paths.signIn()) return
  void router.navigate({ href: paths.signIn({ from: href }) }).then(leave)
})

interface Begun {
  readonly id: string
  readonly options: { readonly component?: unknown }
}

const routes: Readonly<Record<string, Begun>> = router.routesById
const begun = router
  .matchRoutes(router.latestLocation)
  .flatMap(({ routeId }: { readonly routeId: string }) => routes[routeId] ?? [])
fetchAhead(begun.map(({ options }) => options.component))
if (!begun.some(({ id }) => id === signedIn.id)) forgetEarlyResponses()

await start(<RouterProvider router={router} />, () => router.load())
