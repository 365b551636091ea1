import { listProgressHistory, readBook, readReadHistory } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure } from '../../api/queries.ts'
import { framed, page } from '../../frame/layouts.tsx'
import { pointsOnPage } from '../../lists/pages/rows-on-page.ts'
import { wholeNumber } from '../../navigation/search-params.ts'

export const bookHistory = createRoute({
  getParentRoute: () => framed,
  path: '/books/$bookId/history',
  validateSearch: ({ page: number }: Record<string, unknown>): { readonly page?: number | undefined } => ({
    page: wholeNumber(number, 1, 1_000_000),
  }),
  loaderDeps: ({ search: { page: number = 1 } }) => ({ number }),
  loader: async ({ params: { bookId: id }, deps: { number } }) => {
    const params = { id }
    await Promise.all([
      ensure(readBook, { params }),
      ensure(readReadHistory, { params }),
      ensure(listProgressHistory, { params, query: { page: number, pageSize: pointsOnPage } }),
    ])
  },
  component: page(() => import('./book-history-page.tsx'), 'BookHistoryPage', ['history']),
})
