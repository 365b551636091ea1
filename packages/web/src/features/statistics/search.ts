import type { ReadingStatsGranularity } from '@carrel/api'
import type { Measure } from './figures.ts'
import type { WindowWord } from './windows.ts'

export interface StatisticsSearch {
  readonly window?: WindowWord | undefined
  readonly by?: ReadingStatsGranularity | undefined
  /** Absent: time. */
  readonly show?: Measure | undefined
  /** Of the calendar. Absent: the year of the window, else this one. */
  readonly year?: number | undefined
}
