import { readSeries } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure, queryClient } from '../../api/queries.ts'
import { framed, page } from '../../layouts.tsx'
import { parseListSearch, wordsOfSearch } from '../../lists/list-search.ts'
import { sourceOf } from '../../lists/sources.ts'

const listSearch = (words: Record<string, unknown>) => wordsOfSearch('series', parseListSearch('series', words))

export const seriesList = createRoute({
  getParentRoute: () => framed,
  path: '/series',
  validateSearch: listSearch,
  loaderDeps: ({ search }) => search,
  // Begun together with the code of the page, and waited for in the list itself.
  loader: ({ deps }) => void queryClient.prefetchQuery(sourceOf('series', parseListSearch('series', deps)).page(1)),
  component: page(() => import('./series-list-page.tsx'), 'SeriesListPage', ['series', 'lists']),
})

export const series = createRoute({
  getParentRoute: () => framed,
  path: '/series/$seriesId',
  validateSearch: (words: Record<string, unknown>) => wordsOfSearch('books', parseListSearch('books', words)),
  loader: ({ params }) => ensure(readSeries, { params: { id: params.seriesId } }),
  component: page(() => import('./series-page.tsx'), 'SeriesPage', ['series', 'lists']),
})
