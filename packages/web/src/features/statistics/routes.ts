import { type ReadingStatsGranularity, readingStatsGranularities, readReadingCoverage } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure } from '../../api/queries.ts'
import { framed, page } from '../../layouts.tsx'
import { wholeNumber, wordOf } from '../../search-params.ts'
import { type Measure, measures } from './figures.ts'
import { isUsual, type WindowWord, windowOf } from './windows.ts'

export interface StatisticsSearch {
  readonly window?: WindowWord | undefined
  readonly by?: ReadingStatsGranularity | undefined
  /** Absent: time. */
  readonly show?: Measure | undefined
  /** Of the calendar. Absent: the year of the window, else this one. */
  readonly year?: number | undefined
}

export const statistics = createRoute({
  getParentRoute: () => framed,
  path: '/statistics',
  validateSearch: ({ window, by, show, year }: Record<string, unknown>): StatisticsSearch => {
    const word = windowOf(window)
    const measure = wordOf(measures, show)
    return {
      window: isUsual(word) ? undefined : word,
      by: wordOf(readingStatsGranularities, by),
      show: measure === 'time' ? undefined : measure,
      year: wholeNumber(year, 1970, 9998),
    }
  },
  loader: () => ensure(readReadingCoverage, {}),
  component: page(() => import('./statistics-page.tsx'), 'StatisticsPage', ['statistics']),
})
