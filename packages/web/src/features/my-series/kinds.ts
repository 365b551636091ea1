import { listSeriesByReadingStatus, readingStatuses } from '@carrel/api'
import type { MySeriesKind } from '../../navigation/paths.ts'

export const mySeriesKinds = [...readingStatuses, 'followed'] as const satisfies readonly MySeriesKind[]

/** How many there are is all that is asked for. */
export const firstOf = (status: (typeof readingStatuses)[number]) =>
  [listSeriesByReadingStatus, { query: { page: 1, pageSize: 1, status } }] as const

export const firstFollowed = { query: { page: 1, pageSize: 1 } }
