import { RouterProvider } from '@tanstack/react-router'
import { onSessionEnd } from './api/queries.ts'
import { goTo } from './go-to.ts'
import { paths } from './paths.ts'
import { createReaderRouter } from './reader-routes.tsx'
import { start } from './start.tsx'

// Its one page is on its way while everything else begins.
import('./features/reader/reader-page.tsx').catch(() => undefined)

const router = createReaderRouter()

onSessionEnd(() => goTo(router, paths.signIn({ from: router.state.location.href })))

await start(<RouterProvider router={router} />)
