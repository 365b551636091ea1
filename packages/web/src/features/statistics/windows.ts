import { type ReadingStatsGranularity, readingStatsGranularities } from '@carrel/api'
import { type Day, daysAfter, mondayOf, numberOf, yearOf } from './days.ts'
import { isRolling, rolling, type WindowWord } from './search.ts'

/** The first and the last day both belong to the window. */
export interface DayWindow {
  readonly from: Day
  readonly to: Day
}

/** `first`: the first day of which there is anything to say. */
export const daysOfWindow = (
  word: WindowWord,
  { today, first }: { readonly today: Day; readonly first: Day },
): DayWindow => {
  if (isRolling(word)) return { from: daysAfter(today, 1 - rolling[word]), to: today }
  if (word === 'all') return { from: first < today ? first : today, to: today }
  const last = `${word}-12-31`
  return { from: `${word}-01-01`, to: yearOf(today) === Number(word) ? today : last }
}

/** This year first, back to the first in which something was read. */
export const yearsToChoose = (first: Day, today: Day): string[] =>
  Array.from({ length: Math.max(0, yearOf(today) - yearOf(first)) + 1 }, (_, back) => String(yearOf(today) - back))

/** The first day of the bucket that a day is in. */
const bucketOf = (day: Day, granularity: ReadingStatsGranularity): Day =>
  granularity === 'day' ? day : granularity === 'week' ? mondayOf(day) : `${day.slice(0, 7)}-01`

const bucketAfter = (bucket: Day, granularity: ReadingStatsGranularity): Day =>
  granularity === 'month' ? bucketOf(daysAfter(bucket, 31), 'month') : daysAfter(bucket, granularity === 'day' ? 1 : 7)

/** The list holds all periods, also those for which the server sends nothing because nothing is known. */
export const bucketsOf = ({ from, to }: DayWindow, granularity: ReadingStatsGranularity): Day[] => {
  const buckets: Day[] = []
  for (let each = bucketOf(from, granularity); each <= to; each = bucketAfter(each, granularity)) buckets.push(each)
  return buckets
}

/** A picture with more bars is unreadable. */
const barsMax = 400

const daysIn = { day: 1, week: 7, month: 28 } as const

/** Only granularities that give a readable number of bars are offered. */
export const granularitiesOf = ({ from, to }: DayWindow): ReadingStatsGranularity[] => {
  const days = numberOf(to) - numberOf(from) + 1
  return readingStatsGranularities.filter((each) => each === 'month' || days / daysIn[each] <= barsMax)
}

/** The requested granularity is used if it can be shown; otherwise the most readable one. */
export const granularityOf = (window: DayWindow, requested?: ReadingStatsGranularity): ReadingStatsGranularity => {
  const possible = granularitiesOf(window)
  if (requested !== undefined && possible.includes(requested)) return requested
  const days = numberOf(window.to) - numberOf(window.from) + 1
  return days <= 92 ? 'day' : days <= 740 ? 'week' : 'month'
}
