import { listBookDuplicates, listSeriesDuplicates, readBook, readSeries } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure, query, queryClient } from '../../api/queries.ts'
import { groupsOnPage } from './groups-on-page.ts'
import { administered, page } from '../../frame/layouts.tsx'
import { wholeNumber, wordOf } from '../../navigation/search-params.ts'

interface DuplicatesSearch {
  /** Absent: series, if there are any. */
  readonly of?: 'series' | 'books' | undefined
  readonly page?: number | undefined
}

export const duplicates = createRoute({
  getParentRoute: () => administered,
  path: '/duplicates',
  validateSearch: ({ of, page: number }: Record<string, unknown>): DuplicatesSearch => ({
    of: wordOf(['series', 'books'] as const, of),
    page: wholeNumber(number, 1, 1_000_000),
  }),
  loaderDeps: ({ search: { of, page: number = 1 } }) => ({ of, number }),
  loader: async ({ deps: { of, number } }) => {
    const input = { query: { page: number, pageSize: groupsOnPage } }
    const idsOf = ({ members }: { readonly members: readonly { readonly id: string }[] }) => members.map(({ id }) => id)
    const { duplicates } = await (of !== 'books'
      ? ensure(listSeriesDuplicates, input)
      : ensure(listBookDuplicates, input))
    // The cards are compared line by line: lines that come later would push down what is below them.
    await Promise.all(
      duplicates.flatMap(idsOf).map((id) => {
        const params = { id }
        return of !== 'books'
          ? queryClient.prefetchQuery(query(readSeries, { params }))
          : queryClient.prefetchQuery(query(readBook, { params }))
      }),
    )
  },
  component: page(() => import('./duplicates-page.tsx'), 'DuplicatesPage', ['duplicates']),
})
