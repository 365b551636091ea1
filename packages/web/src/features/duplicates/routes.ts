import { listBookDuplicates, listSeriesDuplicates } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure } from '../../api/queries.ts'
import { groupsOnPage } from './groups-on-page.ts'
import { framed, page } from '../../frame/layouts.tsx'
import { wholeNumber, wordOf } from '../../navigation/search-params.ts'

interface DuplicatesSearch {
  readonly of: 'series' | 'books'
  readonly page?: number | undefined
}

export const duplicates = createRoute({
  getParentRoute: () => framed,
  path: '/duplicates',
  validateSearch: ({ of, page: number }: Record<string, unknown>): DuplicatesSearch => ({
    of: wordOf(['series', 'books'] as const, of) ?? 'series',
    page: wholeNumber(number, 1, 1_000_000),
  }),
  loaderDeps: ({ search: { of, page: number = 1 } }) => ({ of, number }),
  loader: async ({ deps: { of, number } }) => {
    const query = { page: number, pageSize: groupsOnPage }
    if (of === 'series') await ensure(listSeriesDuplicates, { query })
    else await ensure(listBookDuplicates, { query })
  },
  component: page(() => import('./duplicates-page.tsx'), 'DuplicatesPage', ['duplicates']),
})
