import { readReadingCalendar, readReadingStats, type ReadingStatsResponse } from '@carrel/api'
import { useLater } from '../../api/queries.ts'
import { type Day, daysAfter, mondayOf, yearOf } from './days.ts'

type WeekStats = Pick<ReadingStatsResponse, 'summary' | 'periods'>

/** This week beside the last one, each from Monday to Sunday. */
export interface Weeks {
  readonly monday: Day
  readonly present: WeekStats
  readonly last: WeekStats
  /** Days with reading in a row, up to now. */
  readonly streak: number
}

const weekFrom = (monday: Day) => ({
  query: { from: monday, to: daysAfter(monday, 6), granularity: 'day' as const, seriesLimit: 1 },
})

export const useWeeks = (today: Day): { readonly data: Weeks | undefined; readonly isPending: boolean } => {
  const monday = mondayOf(today)
  const present = useLater(readReadingStats, weekFrom(monday), { keepPrevious: true })
  const last = useLater(readReadingStats, weekFrom(daysAfter(monday, -7)), { keepPrevious: true })
  const calendar = useLater(readReadingCalendar, { query: { year: yearOf(today) } }, { keepPrevious: true })
  const isPending = present.isPending || last.isPending || calendar.isPending
  if (!present.data || !last.data) return { data: undefined, isPending }
  const streak = calendar.data?.currentStreak.days ?? 0
  return { data: { monday, present: present.data, last: last.data, streak }, isPending }
}
