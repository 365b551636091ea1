import { RouterProvider } from '@tanstack/react-router'
import { onSessionEnd } from './api/queries.ts'
// Its one page is loaded with it, rather than after it.
import './features/reader/reader-page.tsx'
import { goTo } from './go-to.ts'
import { paths } from './paths.ts'
import { createReaderRouter } from './reader-routes.tsx'
import { start } from './start.tsx'

const router = createReaderRouter()

onSessionEnd(() => goTo(router, paths.signIn({ from: router.state.location.href })))

await start(<RouterProvider router={router} />)
