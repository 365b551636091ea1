import { createRoute } from '@tanstack/react-router'
import { administered, framed, page } from '../../frame/layouts.tsx'
import { wholeNumber, word } from '../../navigation/search-params.ts'
import type { MatchSearch, QueueSearch } from './match-search.ts'

const strings = ['matching', 'metadata']
const loading = () => import('./loading.ts')
const findPage = () => import('./find-page.tsx')

const matchSearch = ({ plugin, q, candidate, match }: Record<string, unknown>): MatchSearch => ({
  plugin: word(plugin),
  q: word(q)?.slice(0, 500),
  candidate: word(candidate),
  match: word(match),
})

export const matchSeries = createRoute({
  getParentRoute: () => framed,
  path: '/series/$seriesId/match',
  validateSearch: matchSearch,
  loader: async ({ params }) => (await loading()).loadSubject('series', params.seriesId),
  component: page(findPage, 'FindSeriesPage', strings),
})

export const matchBook = createRoute({
  getParentRoute: () => framed,
  path: '/books/$bookId/match',
  validateSearch: matchSearch,
  loader: async ({ params }) => (await loading()).loadSubject('book', params.bookId),
  component: page(findPage, 'FindBookPage', strings),
})

export const matches = createRoute({
  getParentRoute: () => administered,
  path: '/admin/matches',
  validateSearch: ({ page: number, library, of }: Record<string, unknown>): QueueSearch => ({
    page: wholeNumber(number, 1, 100_000),
    library: word(library),
    of: of === 'book' ? of : undefined,
  }),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => (await loading()).loadQueue(deps),
  component: page(() => import('./queue-page.tsx'), 'QueuePage', strings),
})

export const adminLibraryMatching = createRoute({
  getParentRoute: () => administered,
  path: '/admin/libraries/$libraryId/matching',
  /** The job that is being changed, or `new`. */
  validateSearch: ({ job }: Record<string, unknown>) => ({ job: word(job) }),
  loader: async ({ params }) => (await loading()).loadLibrary(params.libraryId),
  component: page(() => import('./library-page.tsx'), 'LibraryMatchingPage', strings),
})
