import { BoundedMap } from '../../../platform/memory/bounded-map.ts'

/** A day as people name it: `2026-11-21`. Such names sort as the days do. */
export type Day = string

/**
 * Days as they are lived in one place. A day lasts from the first moment that bears its date to the first of the next:
 * where clocks go back over midnight, the hour that comes again belongs to the day that had begun.
 */
export interface Zone {
  readonly name: string
  dayOf(at: number): Day
  /** The first moment of a day, in milliseconds; of one that was left out, that of the next. */
  startOf(day: Day): number
}

const dayMs = 24 * 60 * 60 * 1000
/** No place is further from Greenwich than this. */
const awayMs = 15 * 60 * 60 * 1000
const zonesMax = 64

const zones = new BoundedMap<Zone>(zonesMax)

/** Undefined: there is no such zone. Offsets such as +01:00 pass for the formatter, but know no summer time. */
export const zoneNamed = (name: string): Zone | undefined => {
  const cached = zones.get(name)
  if (cached || !/^[A-Za-z]/.test(name)) return cached
  try {
    const zone = zoneFrom(name)
    zones.set(name, zone)
    return zone
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const zoneFrom = (name: string): Zone => {
  const offsetAt = offsets(name)
  const dateAt = (at: number): Day => dayNamed(at + offsetAt(at))
  const startOf = (day: Day): number => {
    const midnight = Date.parse(day)
    if (offsetAt(midnight - awayMs) === offsetAt(midnight + awayMs)) return midnight - offsetAt(midnight)
    // The clocks change once between these two moments: the date is not yet that day before the moment sought.
    const change = changeBetween(offsetAt, midnight - awayMs, midnight + awayMs)
    const before = midnight - offsetAt(change - 1)
    if (before < change) return before
    return Math.max(change, midnight - offsetAt(change))
  }
  return {
    name,
    startOf,
    dayOf: (at) => {
      const day = dateAt(at)
      if (offsetAt(at - dayMs) <= offsetAt(at)) return day
      const next = dayAfter(day)
      return startOf(next) <= at ? next : day
    },
  }
}

const changeBetween = (offsetAt: (at: number) => number, from: number, to: number): number => {
  let low = from
  let high = to
  const before = offsetAt(from)
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle) === before) low = middle
    else high = middle
  }
  return high
}

/**
 * It returns how far the clocks there are ahead, in milliseconds. Asking the formatter costs microseconds: once for
 * each day will do.
 */
const offsets = (timeZone: string): ((at: number) => number) => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const ask = (at: number): number => {
    const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000
  }
  const cache = new Map<number, number>()
  const atMidnight = (day: number): number => {
    const offset = cache.get(day) ?? ask(day * dayMs)
    if (cache.size > knownMax) cache.clear()
    cache.set(day, offset)
    return offset
  }
  return (at) => {
    const day = Math.floor(at / dayMs)
    const offset = atMidnight(day)
    return offset === atMidnight(day + 1) ? offset : ask(at)
  }
}

const knownMax = 50_000

const dayNamed = (at: number): Day => new Date(at).toISOString().slice(0, 10)

export const dayAfter = (day: Day, days = 1): Day => dayNamed(Date.parse(day) + days * dayMs)

export const daysBetween = (from: Day, to: Day): number => Math.round((Date.parse(to) - Date.parse(from)) / dayMs)

export const scales = ['day', 'week', 'month', 'year'] as const
export type Scale = (typeof scales)[number]

/** The first day of the week, month or year that a day is in. Weeks begin on Monday. */
export const beginningOf = (scale: Scale, day: Day): Day => {
  if (scale === 'day') return day
  if (scale === 'month') return `${day.slice(0, 7)}-01`
  if (scale === 'year') return `${day.slice(0, 4)}-01-01`
  const weekday = new Date(Date.parse(day)).getUTCDay()
  return dayAfter(day, -((weekday + 6) % 7))
}

/** The first day of the next one. */
export const nextBeginning = (scale: Scale, start: Day): Day => {
  const at = new Date(Date.parse(start))
  if (scale === 'day') return dayAfter(start)
  if (scale === 'week') return dayAfter(start, 7)
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()]
  return dayNamed(scale === 'month' ? Date.UTC(year, month + 1, 1) : Date.UTC(year + 1, 0, 1))
}

export interface DayRange {
  readonly scale: Scale
  /** Half-open. */
  readonly from: Day
  readonly to: Day
}

/** The same days in as few pieces as there can be: as many of the coarsest scale as fit, then what is left on both sides. */
export const inPieces = (from: Day, to: Day, coarsest: readonly Scale[]): DayRange[] => {
  const [scale, ...finer] = coarsest
  if (from >= to || scale === undefined) return []
  const start = beginningOf(scale, from)
  const first = start === from ? from : nextBeginning(scale, start)
  const last = beginningOf(scale, to)
  if (first >= last) return inPieces(from, to, finer)
  return [...inPieces(from, first, finer), { scale, from: first, to: last }, ...inPieces(last, to, finer)]
}
