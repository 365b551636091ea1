import { listFollowedSeries, readingStatuses } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure } from '../../api/queries.ts'
import { framed, page } from '../../frame/layouts.tsx'
import type { MySeriesKind } from '../../navigation/paths.ts'
import { wordOf } from '../../navigation/search-params.ts'
import { firstFollowed, firstOf, mySeriesKinds } from './kinds.ts'

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
  loader: () =>
    Promise.all([
      ensure(listFollowedSeries, firstFollowed),
      ...readingStatuses.map((status) => ensure(...firstOf(status))),
    ]),
  component: page(() => import('./my-series-page.tsx'), 'MySeriesPage', ['my-series', 'lists']),
})
