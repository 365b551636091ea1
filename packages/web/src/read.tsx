import { RouterProvider } from '@tanstack/react-router'
import { createReaderRouter } from './reader-routes.tsx'
import { start } from './start.tsx'

// Its one page is on its way while everything else begins.
import('./features/reader/reader-page.tsx').catch(() => undefined)

// A user whose session ends can read on, and is told so where it matters: nobody is taken out of a book.
const router = createReaderRouter()
await start(<RouterProvider router={router} />, () => router.load())
