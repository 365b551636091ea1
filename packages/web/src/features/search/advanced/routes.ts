import { bookOrders, type ConditionTarget, listLibraries, readFilterPreset, seriesOrders } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure } from '../../../api/queries.ts'
import { framed, page } from '../../../frame/layouts.tsx'
import type { AdvancedSearch } from './search-of-page.ts'
import { wholeNumber, word, wordOf } from '../../../navigation/search-params.ts'

const pagesMax = 1_000_000

const sortOf = (target: ConditionTarget, value: unknown): string | undefined => {
  const [order = '', direction] = typeof value === 'string' ? value.split(',') : []
  const isKnown = Object.hasOwn(target === 'series' ? seriesOrders : bookOrders, order)
  return isKnown && (direction === 'asc' || direction === 'desc') ? `${order},${direction}` : undefined
}

export const advancedSearch = createRoute({
  getParentRoute: () => framed,
  path: '/search/advanced',
  validateSearch: (search: Record<string, unknown>): AdvancedSearch => {
    const of = wordOf(['series', 'books'] as const, search.of) ?? 'series'
    return {
      of,
      where: word(search.where),
      q: word(search.q)?.slice(0, 500),
      sort: sortOf(of, search.sort),
      preset: word(search.preset),
      page: wholeNumber(search.page, 1, pagesMax),
    }
  },
  loaderDeps: ({ search: { preset } }) => ({ preset }),
  loader: async ({ deps: { preset } }) => {
    await Promise.all([
      ensure(listLibraries, {}),
      preset === undefined ? undefined : ensure(readFilterPreset, { params: { id: preset } }),
    ])
  },
  component: page(() => import('./advanced-page.tsx'), 'AdvancedPage', ['search', 'lists']),
})
