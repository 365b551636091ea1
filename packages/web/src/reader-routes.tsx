import { createRouter } from '@tanstack/react-router'
import { basePath } from './api/base.ts'
import { reader } from './features/reader/routes.ts'
import { readerRoot } from './frame/reader-root.tsx'
import { NoPage, PageFailed } from './frame/page-states.tsx'
import { parseSearch, stringifySearch } from './navigation/search-params.ts'
import { PageSkeleton } from './ui/state/skeleton.tsx'

/** The addresses of the other document: books, to be read. */
export const readerTree = readerRoot.addChildren([reader])

export const createReaderRouter = () =>
  createRouter({
    routeTree: readerTree,
    basepath: basePath === '' ? '/' : basePath,
    parseSearch,
    stringifySearch,
    defaultPreload: false,
    defaultPendingMs: 150,
    defaultPendingMinMs: 0,
    defaultPendingComponent: PageSkeleton,
    defaultErrorComponent: PageFailed,
    defaultNotFoundComponent: NoPage,
  })
