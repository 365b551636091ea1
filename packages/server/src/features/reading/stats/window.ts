import { readingPeriodsMax, type ReadingStatsGranularity } from '@carrel/api'
import { invalid } from '../../../platform/errors.ts'
import { beginningOf, type Day, dayAfter, type DayRange, daysBetween, inPieces, type Scale, type Zone } from './zone.ts'

/** Half-open, in milliseconds. */
export interface Window {
  readonly from: number
  readonly to: number
}

const usualMs = 90 * 24 * 60 * 60 * 1000
/** Years that are written with four digits. */
const earliest = Date.parse('1000-01-02T00:00:00.000Z')
const latest = Date.parse('9999-12-01T00:00:00.000Z')

/** A day begins at its midnight there; as the end of a window it is in it (C15). */
export const windowFrom = (
  said: { readonly from?: string | undefined; readonly to?: string | undefined },
  zone: Zone,
  now: Date,
): Window => {
  const to = said.to === undefined ? now.getTime() : momentFrom(said.to, '/to', (day) => zone.startOf(dayAfter(day)))
  const from = said.from === undefined ? Math.max(0, to - usualMs) : momentFrom(said.from, '/from', zone.startOf)
  if (to < from) throw invalid('/to', 'The window ends before it begins.')
  return { from, to }
}

const momentFrom = (text: string, path: string, startOf: (day: Day) => number): number => {
  const at = isDay(text) ? startOf(text) : isTime.test(text) ? Date.parse(text) : Number.NaN
  if (at <= latest && at >= earliest) return at
  throw invalid(path, `"${text}" is neither a day such as 2026-11-21 nor a time such as 2026-11-21T10:00:00.000Z.`)
}

const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/i

const isDay = (text: string): boolean => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = Date.parse(text)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

export const requireFewPeriods = ({ from, to }: Window, zone: Zone, granularity: ReadingStatsGranularity): void => {
  if (from === to) return
  const days = daysBetween(beginningOf(granularity, zone.dayOf(from)), zone.dayOf(to - 1)) + 1
  const least = { day: 1, week: 7, month: 28 }[granularity]
  if (Math.ceil(days / least) <= readingPeriodsMax) return
  throw invalid('/granularity', `There are more than ${readingPeriodsMax} of them in this window. Take a coarser one.`)
}

/** A window as it is added up: whole days from the sums that are kept, and what is left on both sides from the sittings. */
export interface Plan {
  readonly userId: string
  /** Half-open, ISO. */
  readonly edges: readonly { readonly from: string; readonly to: string }[]
  /** For what is added up over the whole window. */
  readonly pieces: readonly DayRange[]
  /** For what is shown by period: none is coarser than they are. */
  readonly periodPieces: readonly DayRange[]
}

/** `zone`: in whose days sums are kept; undefined: there are none that would do. */
export const planOf = (
  userId: string,
  { from, to }: Window,
  zone: Zone | undefined,
  granularity: ReadingStatsGranularity,
): Plan => {
  if (!zone) return { userId, edges: edge(from, to), pieces: [], periodPieces: [] }
  const day = zone.dayOf(from)
  const first = zone.startOf(day) === from ? day : dayAfter(day)
  const last = zone.dayOf(to)
  if (first >= last) return { userId, edges: edge(from, to), pieces: [], periodPieces: [] }
  const scales: readonly Scale[] = granularity === 'day' ? ['day'] : [granularity, 'day']
  return {
    userId,
    edges: [...edge(from, zone.startOf(first)), ...edge(zone.startOf(last), to)],
    pieces: inPieces(first, last, ['year', 'month', 'day']),
    periodPieces: inPieces(first, last, scales),
  }
}

const edge = (from: number, to: number): Plan['edges'] =>
  from < to ? [{ from: new Date(from).toISOString(), to: new Date(to).toISOString() }] : []
