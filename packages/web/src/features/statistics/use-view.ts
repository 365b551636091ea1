import { type ReadingStatsGranularity, readReadingCoverage } from '@carrel/api'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead } from '../../api/queries.ts'
import { useMe } from '../../session/me.ts'
import { stringifySearch } from '../../navigation/search-params.ts'
import { paths } from '../../navigation/paths.ts'
import { type Day, dayIn, yearOf } from './days.ts'
import { type Measure, type StatisticsSearch, windowOf } from './search.ts'
import { type DayWindow, daysOfWindow, granularityOf } from './windows.ts'

const route = getRouteApi('/signed-in/framed/statistics')

/** It is the view that the address asks for. */
export interface View {
  readonly word: string
  readonly days: DayWindow
  readonly granularity: ReadingStatsGranularity
  readonly measure: Measure
  readonly today: Day
  readonly first: Day
  readonly year: number
  readonly addressOf: (change: StatisticsSearch) => string
  readonly go: (change: StatisticsSearch) => void
}

/** `undefined`: nothing has been read yet. */
export const useView = (): View | undefined => {
  const search = route.useSearch()
  const router = useRouter()
  const { timeZone } = useMe()
  const { firstReadAt } = useRead(readReadingCoverage, {})
  const [now] = useState(() => new Date())
  if (firstReadAt === null) return undefined
  const today = dayIn(timeZone, now)
  const first = dayIn(timeZone, new Date(firstReadAt))
  const word = windowOf(search.window)
  const days = daysOfWindow(word, { today, first })
  const addressOf = (change: StatisticsSearch): string => paths.statistics() + stringifySearch({ ...search, ...change })
  return {
    word,
    days,
    granularity: granularityOf(days, search.by),
    measure: search.show ?? 'time',
    today,
    first,
    year: search.year ?? (word.length === 4 ? Number(word) : yearOf(today)),
    addressOf,
    go: (change) => void router.navigate({ href: addressOf(change), replace: true, resetScroll: false }),
  }
}
