import { RouterProvider } from '@tanstack/react-router'
import { leave } from './api/leave.ts'
import { onSessionEnd } from './api/queries.ts'
import { paths } from './navigation/paths.ts'
import { createAppRouter } from './routes.tsx'
import { start } from './start.tsx'

const router = createAppRouter()

onSessionEnd(() => {
  const { pathname, href } = router.state.location
  if (pathname === paths.signIn()) return
  void router.navigate({ href: paths.signIn({ from: href }) }).then(leave)
})

await start(<RouterProvider router={router} />)
