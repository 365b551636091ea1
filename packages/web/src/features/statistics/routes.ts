import { readingStatsGranularities, readReadingCoverage, readReadingYear } from '@carrel/api'
import { createRoute, notFound } from '@tanstack/react-router'
import { ensure } from '../../api/queries.ts'
import { framed, page } from '../../frame/layouts.tsx'
import { PageMissing } from '../../frame/page-states.tsx'
import { wholeNumber, wordOf } from '../../navigation/search-params.ts'
import { isUsual, measures, type StatisticsSearch, windowOf } from './search.ts'

const firstYear = 1970
const lastYear = 9998

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
      year: wholeNumber(year, firstYear, lastYear),
    }
  },
  loader: () => ensure(readReadingCoverage, {}),
  component: page(() => import('./statistics-page.tsx'), 'StatisticsPage', ['statistics']),
})

export const yearInReview = createRoute({
  getParentRoute: () => framed,
  path: '/statistics/$year',
  loader: async ({ params }) => {
    const year = wholeNumber(params.year, firstYear, lastYear)
    if (year === undefined) throw notFound({ routeId: '/signed-in/framed/statistics/$year' })
    await Promise.all([ensure(readReadingYear, { query: { year } }), ensure(readReadingCoverage, {})])
  },
  notFoundComponent: PageMissing,
  component: page(() => import('./year/year-page.tsx'), 'YearPage', ['statistics', 'lists']),
})
