import { listGroupingOverrides, readLibrary } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure } from '../../api/queries.ts'
import { framed, page } from '../../frame/layouts.tsx'
import { wholeNumber } from '../../navigation/search-params.ts'
import { overridesInput } from './inputs.ts'

interface ByHandSearch {
  readonly page?: number | undefined
}

export const byHand = createRoute({
  getParentRoute: () => framed,
  path: '/libraries/$libraryId/by-hand',
  validateSearch: (words: Record<string, unknown>): ByHandSearch => ({ page: wholeNumber(words.page, 2, 100_000) }),
  loaderDeps: ({ search }) => search,
  loader: ({ params: { libraryId }, deps }) =>
    Promise.all([
      ensure(readLibrary, { params: { id: libraryId } }),
      ensure(listGroupingOverrides, overridesInput(libraryId, deps.page)),
    ]),
  component: page(() => import('./by-hand-page.tsx'), 'ByHandPage', ['moves']),
})
