import {
  listCollectionsOfSeries,
  readAverageRating,
  readMe,
  readRelatedSeries,
  readSeries,
  readSeriesAhead,
  readSeriesGaps,
  readSeriesRating,
} from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure, query, queryClient } from '../../api/queries.ts'
import { framed, page } from '../../frame/layouts.tsx'
import { parseListSearch, wordsOfSearch } from '../../lists/search/list-search.ts'
import { sourceOf } from '../../lists/search/sources.ts'
import { filesPageIn, tabIn } from './tabs.ts'

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
  validateSearch: (words: Record<string, unknown>) => {
    const tab = tabIn(words)
    const search: Record<string, string | readonly string[] | undefined> = {
      ...wordsOfSearch('books', parseListSearch('books', words)),
      tab: tab === 'volumes' ? undefined : tab,
      files: tab === 'details' && filesPageIn(words) > 1 ? String(filesPageIn(words)) : undefined,
    }
    return search
  },
  loader: async ({ params }) => {
    const of = { params: { id: params.seriesId } }
    const { permissions } = await ensure(readMe, {})
    const series = ensure(readSeries, of)
    // Data that stands between other details is loaded with them, so that nothing moves.
    const details = [
      queryClient.prefetchQuery(query(readAverageRating, of)),
      queryClient.prefetchQuery(query(readSeriesRating, of)),
      queryClient.prefetchQuery(query(readSeriesGaps, of)),
      queryClient.prefetchQuery(query(readRelatedSeries, of)),
      ...(permissions.includes('books:read') ? [queryClient.prefetchQuery(query(readSeriesAhead, of))] : []),
      ...(permissions.includes('collections:read')
        ? [queryClient.prefetchQuery(query(listCollectionsOfSeries, { ...of, query: { pageSize: 20 } }))]
        : []),
    ]
    await Promise.all([series, ...details])
  },
  component: page(() => import('./series-page.tsx'), 'SeriesPage', ['series', 'lists', 'metadata']),
})
