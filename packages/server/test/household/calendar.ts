/** Days as people count them, found by asking what a clock on the wall says. */

const formats = new Map<string, Intl.DateTimeFormat>()
const starts = new Map<string, number>()
const quarter = 15 * 60_000
const oneDay = 86_400_000

export const dayIn = (zone: string, at: number): string => {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone })
  formats.set(zone, format)
  return format.format(at)
}

export const dayPlus = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * oneDay).toISOString().slice(0, 10)

/** The first moment of a day: clocks are changed at quarters of an hour. */
export const startOf = (zone: string, day: string): number => {
  const key = `${zone} ${day}`
  const cached = starts.get(key)
  if (cached !== undefined) return cached
  let at = Date.parse(day) - 16 * 3_600_000
  while (dayIn(zone, at) < day) at += quarter
  starts.set(key, at)
  return at
}

export type Granularity = 'day' | 'week' | 'month'

export const bucketOf = (zone: string, at: number, granularity: Granularity): string => {
  const day = dayIn(zone, at)
  if (granularity === 'day') return day
  if (granularity === 'month') return `${day.slice(0, 8)}01`
  const sinceMonday = (new Date(day).getUTCDay() + 6) % 7
  return dayPlus(day, -sinceMonday)
}

/** C15: half-open, on moments; as an end a day is in it. */
export const windowIn = (zone: string, from: string, to: string): readonly [number, number] => [
  from.length === 10 ? startOf(zone, from) : Date.parse(from),
  to.length === 10 ? startOf(zone, dayPlus(to, 1)) : Date.parse(to),
]
