import { readingPeriodsMax, type ReadingStatsGranularity } from '@carrel/api'
import { invalid } from '../../../platform/errors.ts'
import { isDay, momentIn } from '../../../platform/text/spelled-values.ts'
import {
  beginningOf,
  type Day,
  dayAfter,
  type DayRange,
  daysBetween,
  inPieces,
  nextBeginning,
  type Scale,
  type Zone,
} from './zone.ts'

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
  query: { readonly from?: string | undefined; readonly to?: string | undefined },
  zone: Zone,
  now: Date,
): Window => {
  const to = query.to === undefined ? now.getTime() : momentFrom(query.to, '/to', (day) => zone.startOf(dayAfter(day)))
  const from = query.from === undefined ? Math.max(0, to - usualMs) : momentFrom(query.from, '/from', zone.startOf)
  // A day that is the end goes on until the next one begins: the day before `from` ends as that begins.
  const isEmptyDay = query.to !== undefined && isDay(query.to) && to === from
  if (to < from || isEmptyDay) throw invalid('/to', 'The window ends before it begins.', { reason: 'begun_after_end' })
  return { from, to }
}

const momentFrom = (text: string, path: string, startOf: (day: Day) => number): number => {
  const at = isDay(text) ? startOf(text) : isTime.test(text) ? momentIn(text) : Number.NaN
  if (at <= latest && at >= earliest) return at
  throw invalid(path, `"${text}" is neither a day such as 2026-11-21 nor a time such as 2026-11-21T10:00:00.000Z.`)
}

const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/i

export const requireFewPeriods = ({ from, to }: Window, zone: Zone, granularity: ReadingStatsGranularity): void => {
  if (from === to) return
  const days = daysBetween(beginningOf(granularity, zone.dayOf(from)), zone.dayOf(to - 1)) + 1
  const least = { day: 1, week: 7, month: 28 }[granularity]
  if (Math.ceil(days / least) <= readingPeriodsMax) return
  throw invalid('/granularity', `There are more than ${readingPeriodsMax} of them in this window. Take a coarser one.`)
}

/** Half-open, ISO. */
export interface Stretch {
  readonly from: string
  readonly to: string
}

/** A sliver lies between the beginning of a period in one zone and its beginning in another. */
interface Sliver extends Stretch {
  /** It is counted with this period there, */
  readonly counted: Day
  /** and belongs to this one here. */
  readonly belongs: Day
}

/** Whole days from the sums that are kept, and what is left on both sides from the sessions. */
interface Parts {
  readonly edges: readonly Stretch[]
  readonly pieces: readonly DayRange[]
}

/** A window as it is added up. */
export interface Plan extends Parts {
  readonly userId: string
  readonly from: string
  /** It is for what is shown by period: no piece is coarser than a period. */
  readonly byPeriod: Parts & { readonly slivers: readonly Sliver[] }
}

export interface Zones {
  /** The one whose days are asked for. */
  readonly zone: Zone
  /** The sums are kept in the days of this zone; undefined when there are none that can be used. */
  readonly storedZone: Zone | undefined
}

export const planOf = (
  userId: string,
  window: Window,
  { zone, storedZone }: Zones,
  granularity: ReadingStatsGranularity,
): Plan => {
  const from = new Date(window.from).toISOString()
  const days = storedZone && daysWithin(window, storedZone)
  if (!storedZone || !days) {
    const parts = { edges: edge(window.from, window.to), pieces: [] }
    return { userId, from, ...parts, byPeriod: { ...parts, slivers: [] } }
  }
  const [start, end] = [storedZone.startOf(days.from), storedZone.startOf(days.to)]
  const edges = [...edge(window.from, start), ...edge(end, window.to)]
  const pieces = inPieces(days.from, days.to, ['year', 'month', 'day'])
  // A part of each day there lies in another day here: it is as cheap to read everything.
  if (granularity === 'day' && zone.name !== storedZone.name) {
    const all = { edges: edge(window.from, window.to), pieces: [], slivers: [] }
    return { userId, from, edges, pieces, byPeriod: all }
  }
  const scales: readonly Scale[] = granularity === 'day' ? ['day'] : [granularity, 'day']
  const slivers = zone.name === storedZone.name ? [] : sliversBetween({ zone, storedZone }, days, granularity)
  return { userId, from, edges, pieces, byPeriod: { edges, pieces: inPieces(days.from, days.to, scales), slivers } }
}

/** Undefined: no whole day is in it. */
const daysWithin = ({ from, to }: Window, zone: Zone): { readonly from: Day; readonly to: Day } | undefined => {
  const day = zone.dayOf(from)
  const first = zone.startOf(day) === from ? day : dayAfter(day)
  const last = zone.dayOf(to)
  return first < last ? { from: first, to: last } : undefined
}

/** It is for weeks and months, which are longer than two zones are apart. */
const sliversBetween = (
  { zone, storedZone }: { readonly zone: Zone; readonly storedZone: Zone },
  days: { readonly from: Day; readonly to: Day },
  granularity: ReadingStatsGranularity,
): Sliver[] => {
  const [first, end] = [storedZone.startOf(days.from), storedZone.startOf(days.to)]
  const slivers: Sliver[] = []
  let before = beginningOf(granularity, dayAfter(beginningOf(granularity, days.from), -1))
  for (;;) {
    const after = nextBeginning(granularity, before)
    const [here, there] = [zone.startOf(after), storedZone.startOf(after)]
    if (Math.min(here, there) >= end) return slivers
    const [counted, belongs] = here < there ? [before, after] : [after, before]
    const stretches = edge(Math.max(first, Math.min(here, there)), Math.min(end, Math.max(here, there)))
    slivers.push(...stretches.map((stretch) => ({ ...stretch, counted, belongs })))
    before = after
  }
}

const edge = (from: number, to: number): Stretch[] =>
  from < to ? [{ from: new Date(from).toISOString(), to: new Date(to).toISOString() }] : []
