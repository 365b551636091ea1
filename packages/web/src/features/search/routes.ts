import { search as searchAll } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure } from '../../api/queries.ts'
import { framed, page } from '../../frame/layouts.tsx'
import { word, wordOf } from '../../navigation/search-params.ts'
import { searchInput, type SearchOfPage } from './search-input.ts'

const kinds = ['series', 'books', 'people', 'collections', 'readlists'] as const

export const search = createRoute({
  getParentRoute: () => framed,
  path: '/search',
  validateSearch: ({ q, kind }: Record<string, unknown>): SearchOfPage => ({
    q: word(q)?.slice(0, 500),
    kind: wordOf(kinds, kind),
  }),
  loaderDeps: ({ search: { q, kind } }) => ({ q, kind }),
  loader: async ({ deps }) => {
    if (deps.q !== undefined) await ensure(searchAll, searchInput(deps))
  },
  component: page(() => import('./search-page.tsx'), 'SearchPage', ['search', 'lists']),
})
