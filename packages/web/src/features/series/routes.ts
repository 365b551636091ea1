import { listCollectionsOfSeries, readAverageRating, readMe, readSeries, readSeriesGaps } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure, query, queryClient } from '../../api/queries.ts'
import { framed, page } from '../../frame/layouts.tsx'
import { parseListSearch, wordsOfSearch } from '../../lists/search/list-search.ts'
import { sourceOf } from '../../lists/search/sources.ts'

const listSearch = (words: Record<string, unknown>) => wordsOfSearch('series', parseListSearch('series', words))

export const seriesList = createRoute({
  getParentRoute: () => framed,
  path: '/series',
  validateSearch: listSearch,
  loaderDeps: ({ search }) => search,
  // The request starts together with loading the code of the page; the list itself waits for it.
  loader: ({ deps }) => void queryClient.prefetchQuery(sourceOf('series', parseListSearch('series', deps)).page(1)),
  component: page(() => import('./series-list-page.tsx'), 'SeriesListPage', ['series', 'lists']),
})

export const series = createRoute({
  getParentRoute: () => framed,
  path: '/series/$seriesId',
  validateSearch: (words: Record<string, unknown>) => wordsOfSearch('books', parseListSearch('books', words)),
  loader: async ({ params }) => {
    const of = { params: { id: params.seriesId } }
    const { permissions } = await ensure(readMe, {})
    // Data that stands between other details is loaded with them, so that nothing moves.
    const details = [
      queryClient.prefetchQuery(query(readAverageRating, of)),
      queryClient.prefetchQuery(query(readSeriesGaps, of)),
      ...(permissions.includes('collections:read')
        ? [queryClient.prefetchQuery(query(listCollectionsOfSeries, { ...of, query: { pageSize: 20 } }))]
        : []),
    ]
    await Promise.all([ensure(readSeries, of), ...details])
  },
  component: page(() => import('./series-page.tsx'), 'SeriesPage', ['series', 'lists']),
})
