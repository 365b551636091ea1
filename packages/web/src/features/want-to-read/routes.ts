import { createRoute } from '@tanstack/react-router'
import { framed, page } from '../../frame/layouts.tsx'
import { wordOf } from '../../navigation/search-params.ts'
import type { wantToReadOrders } from './orders.ts'

interface WantToReadSearch {
  readonly sort?: Exclude<(typeof wantToReadOrders)[number], 'custom'> | undefined
  /** Its rows are moved; covers are looked at. */
  readonly view?: 'rows' | undefined
}

export const wantToRead = createRoute({
  getParentRoute: () => framed,
  path: '/want-to-read',
  validateSearch: ({ sort, view }: Record<string, unknown>): WantToReadSearch => ({
    sort: wordOf(['newest', 'oldest'] as const, sort),
    view: wordOf(['rows'] as const, view),
  }),
  component: page(() => import('./want-to-read-page.tsx'), 'WantToReadPage', ['want-to-read', 'lists']),
})
