import { createRoute } from '@tanstack/react-router'
import { framed, page } from '../../frame/layouts.tsx'
import type { MySeriesKind } from '../../navigation/paths.ts'
import { wordOf } from '../../navigation/search-params.ts'
import { mySeriesKinds } from './kinds.ts'

interface MySeriesSearch {
  /** Absent: what is being read. */
  readonly of?: Exclude<MySeriesKind, 'reading'> | undefined
}

export const mySeries = createRoute({
  getParentRoute: () => framed,
  path: '/my-series',
  validateSearch: ({ of }: Record<string, unknown>): MySeriesSearch => {
    const kind = wordOf(mySeriesKinds, of)
    return { of: kind === 'reading' ? undefined : kind }
  },
  component: page(() => import('./my-series-page.tsx'), 'MySeriesPage', ['my-series', 'lists']),
})
