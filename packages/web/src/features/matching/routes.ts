import {
  listLibraries,
  listLibraryJobs,
  listMetadataMatches,
  listPluginActions,
  readLibrary,
  readMe,
} from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure, query, queryClient } from '../../api/queries.ts'
import { administered, framed, page } from '../../layouts.tsx'
import { wholeNumber, word } from '../../search-params.ts'
import { everyLibrary, waitingInput } from './inputs.ts'
import { parseMatchSearch } from './match-search.ts'

const ensureSubject = async (kind: 'series' | 'book', id: string): Promise<void> => {
  const [{ matchables }, { permissions }] = await Promise.all([import('./matchable.ts'), ensure(readMe, {})])
  const { read, permission } = matchables[kind]
  const { libraryId } = await ensure(read, { params: { id } })
  // For whoever may not match it, the page says so.
  if (!permissions.includes(permission) || !permissions.includes('libraries:read')) return
  await ensure(listPluginActions, { query: { scope: `${kind}:detail`, libraryId } })
}

export const matchSeries = createRoute({
  getParentRoute: () => framed,
  path: '/series/$seriesId/match',
  validateSearch: parseMatchSearch,
  loader: ({ params }) => ensureSubject('series', params.seriesId),
  component: page(() => import('./find-page.tsx'), 'FindSeriesPage', ['matching', 'metadata']),
})

export const matchBook = createRoute({
  getParentRoute: () => framed,
  path: '/books/$bookId/match',
  validateSearch: parseMatchSearch,
  loader: ({ params }) => ensureSubject('book', params.bookId),
  component: page(() => import('./find-page.tsx'), 'FindBookPage', ['matching', 'metadata']),
})

interface QueueSearch {
  readonly page?: number | undefined
  readonly library?: string | undefined
}

export const matches = createRoute({
  getParentRoute: () => administered,
  path: '/admin/matches',
  validateSearch: ({ page: number, library }: Record<string, unknown>): QueueSearch => ({
    page: wholeNumber(number, 1, 100_000),
    library: word(library),
  }),
  loaderDeps: ({ search: { page: number, library } }) => ({ number, library }),
  loader: async ({ deps: { number, library } }) => {
    const { permissions } = await ensure(readMe, {})
    await Promise.all([
      // What waits is told by no event: it is asked anew whenever somebody comes.
      queryClient.fetchQuery({ ...query(listMetadataMatches, waitingInput(number, library)), staleTime: 0 }),
      ...(permissions.includes('libraries:read') ? [ensure(listLibraries, everyLibrary)] : []),
    ])
  },
  component: page(() => import('./queue-page.tsx'), 'QueuePage', ['matching', 'metadata']),
})

interface LibrarySearch {
  /** The job that is being changed, or `new`. */
  readonly job?: string | undefined
}

export const adminLibraryMatching = createRoute({
  getParentRoute: () => administered,
  path: '/admin/libraries/$libraryId/matching',
  validateSearch: ({ job }: Record<string, unknown>): LibrarySearch => ({ job: word(job) }),
  loader: async ({ params: { libraryId: id } }) => {
    await Promise.all([
      ensure(readLibrary, { params: { id } }),
      ensure(listLibraryJobs, { params: { id } }),
      queryClient.prefetchQuery(query(listPluginActions, { query: { scope: 'series:detail', libraryId: id } })),
      queryClient.prefetchQuery(query(listPluginActions, { query: { scope: 'book:detail', libraryId: id } })),
    ])
  },
  component: page(() => import('./library-page.tsx'), 'LibraryMatchingPage', ['matching', 'metadata']),
})
