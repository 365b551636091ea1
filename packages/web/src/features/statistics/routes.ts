import { readingStatsGranularities, readReadingCoverage } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure } from '../../api/queries.ts'
import { framed, page } from '../../frame/layouts.tsx'
import { wholeNumber, wordOf } from '../../navigation/search-params.ts'
import { isUsual, measures, type StatisticsSearch, windowOf } from './search.ts'

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
