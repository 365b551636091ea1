import { bookErrorCodes, countBookErrors, listBookErrors } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure } from '../../api/queries.ts'
import { administered, page } from '../../frame/layouts.tsx'
import { wholeNumber, wordOf } from '../../navigation/search-params.ts'
import { errorQuery } from './error-query.ts'

interface ErrorsSearch {
  /** Absent: all kinds, each with its count. */
  readonly code?: (typeof bookErrorCodes)[number] | undefined
  readonly page?: number | undefined
}

export const adminBookErrors = createRoute({
  getParentRoute: () => administered,
  path: '/admin/book-errors',
  validateSearch: ({ code, page: number }: Record<string, unknown>): ErrorsSearch => ({
    code: wordOf(bookErrorCodes, code),
    page: wholeNumber(number, 1, 1_000_000),
  }),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => {
    await Promise.all([
      ensure(countBookErrors, {}),
      deps.code === undefined ? undefined : ensure(listBookErrors, { query: errorQuery(deps.code, deps.page) }),
    ])
  },
  component: page(() => import('./book-errors-page.tsx'), 'BookErrorsPage', ['book-errors']),
})
