/** Every figure there is of one reader, counted from all their sessions each time (C15, READ-3). */
import type { FileFormat, ReadingCalendar } from '@carrel/api'
import type { StatsWithoutCovers } from '../naive-stats.ts'
import { bucketOf, dayIn, dayPlus, type Granularity, windowIn } from './calendar.ts'
import type { HouseSession } from './reading-sessions.ts'

export interface Question {
  readonly from: string
  readonly to: string
  readonly granularity: Granularity
  readonly sort: 'time' | 'pages' | 'completions'
  readonly timezone: string
  readonly seriesLimit: number
}

const figuresOf = (sessions: readonly HouseSession[]) => {
  const sum = (of: (each: HouseSession) => number) => sessions.reduce((total, each) => total + of(each), 0)
  const measuredMs = sum(({ measured }) => measured ?? 0)
  const inferredMs = sum(({ inferred }) => inferred)
  return {
    booksFinished: sum(({ completions }) => completions),
    duration: { measuredMs, inferredMs, totalMs: measuredMs + inferredMs },
    pagesRead: sum(({ pages }) => pages ?? 0),
    sessions: sessions.filter(({ isSession }) => isSession).length,
  }
}
type Figures = ReturnType<typeof figuresOf>

const booksIn = (sessions: readonly HouseSession[]) => new Set(sessions.map(({ book }) => book.id)).size

const grouped = (sessions: readonly HouseSession[], keyOf: (each: HouseSession) => string) => [
  ...Map.groupBy(sessions, keyOf),
]

/** "Ordering falls through other measures then title." */
const ranked = (sort: Question['sort']) => (one: Figures & { name: string }, other: Figures & { name: string }) => {
  const measures = {
    time: ({ duration }: Figures) => duration.totalMs,
    pages: ({ pagesRead }: Figures) => pagesRead,
    completions: ({ booksFinished }: Figures) => booksFinished,
  }
  const rest = (['time', 'pages', 'completions'] as const).filter((each) => each !== sort)
  const differences = [sort, ...rest].map((each) => measures[each](other) - measures[each](one))
  const difference = [...differences, other.sessions - one.sessions].find((each) => each !== 0)
  return difference ?? (one.name < other.name ? -1 : 1)
}

export const statsOf = (
  sessions: readonly HouseSession[],
  { from, to, granularity, sort, timezone, seriesLimit }: Question,
): StatsWithoutCovers => {
  const [first, last] = windowIn(timezone, from, to)
  const within = sessions.filter(({ start }) => start >= first && start < last)
  const counted = within.filter(({ isSession }) => isSession)
  return {
    from: new Date(first).toISOString(),
    to: new Date(last).toISOString(),
    granularity,
    summary: {
      books: booksIn(within),
      ...figuresOf(within),
      sessionsWithoutDuration: counted.filter(({ measured, inferred }) => measured === null && inferred === 0).length,
      sessionsWithoutPages: counted.filter(({ pages }) => pages === null).length,
    },
    periods: periodsOf(within, timezone, granularity),
    series: grouped(within, ({ book }) => book.seriesId)
      .map(([seriesId, own]) => ({
        seriesId,
        name: own[0]?.book.seriesName ?? '',
        books: booksIn(own),
        ...figuresOf(own),
      }))
      .sort(ranked(sort))
      .slice(0, seriesLimit)
      .map(({ name, ...rest }) => ({ ...rest, seriesName: name })),
    formats: grouped(within, ({ book }) => book.format)
      .map(([name, own]) => ({ name, ...figuresOf(own) }))
      .sort(ranked(sort))
      .map(({ name, ...rest }) => ({ format: name as FileFormat, ...rest })),
    devices: grouped(within, ({ device }) => device).map(([deviceId, own]) => ({
      deviceId,
      deviceName: null,
      lastReadAt: new Date(Math.max(...own.map(({ end }) => end))).toISOString(),
      ...figuresOf(own),
    })),
  }
}

const periodsOf = (sessions: readonly HouseSession[], zone: string, granularity: Granularity) =>
  grouped(sessions, ({ start }) => bucketOf(zone, start, granularity))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([bucket, own]) => ({ bucket, ...figuresOf(own) }))

export const calendarOf = (
  sessions: readonly HouseSession[],
  { year, zone, now }: { readonly year: number; readonly zone: string; readonly now: number },
): ReadingCalendar => {
  const active = new Set(sessions.filter(({ isSession }) => isSession).map(({ start }) => dayIn(zone, start)))
  const runs = [...active]
    .filter((day) => !active.has(dayPlus(day, -1)))
    .sort()
    .map((from) => {
      let to = from
      while (active.has(dayPlus(to, 1))) to = dayPlus(to, 1)
      return { days: Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1, from, to }
    })
  const none = { days: 0, from: null, to: null }
  const today = dayIn(zone, now)
  const longest = Math.max(0, ...runs.map(({ days }) => days))
  return {
    year,
    days: periodsOf(sessions, zone, 'day').filter(({ bucket }) => bucket.startsWith(`${year}-`)),
    currentStreak: runs.find(({ to }) => to === today || to === dayPlus(today, -1)) ?? none,
    longestStreak: runs.findLast(({ days }) => days === longest) ?? none,
  }
}

export const coverageOf = (sessions: readonly HouseSession[]) =>
  sessions.length === 0
    ? { firstReadAt: null, lastReadAt: null }
    : {
        firstReadAt: new Date(Math.min(...sessions.map(({ start }) => start))).toISOString(),
        lastReadAt: new Date(Math.max(...sessions.map(({ end }) => end))).toISOString(),
      }

const hour = 3_600_000

/** Only sessions with both a duration and pages count, in which nothing is an estimate. */
const pacedBy = (sessions: readonly HouseSession[]) => {
  const paced = sessions.filter(
    ({ measured, inferred, pages }) => inferred === 0 && (measured ?? 0) > 0 && (pages ?? 0) > 0,
  )
  return {
    pages: paced.reduce((sum, { pages }) => sum + (pages ?? 0), 0),
    ms: paced.reduce((sum, { measured }) => sum + (measured ?? 0), 0),
  }
}

/** "Of the last year"; formats of which too little is known are left out. */
export const pacesOf = (sessions: readonly HouseSession[], now: number) =>
  grouped(
    sessions.filter(({ start }) => start >= now - 366 * 24 * hour && start < now),
    ({ book }) => book.format,
  )
    .map(([format, own]) => ({ format: format as FileFormat, ...pacedBy(own) }))
    .filter(({ pages, ms }) => pages >= 50 && ms >= hour / 4)
    .map(({ format, pages, ms }) => ({
      format,
      pagesPerHour: Math.round((pages / ms) * hour * 10) / 10,
      pages,
      measuredMs: ms,
    }))
    .sort((one, other) => other.measuredMs - one.measuredMs)

export interface InHand {
  readonly page: number | null
  readonly percentage: number | null
  readonly isRead: boolean
  /** When the book was begun; undefined: it was not. */
  readonly since: number | undefined
  /** When the reading they are in now began. */
  readonly readingSince: number | undefined
}

export const timeLeftOf = (
  { id, format, pageCount }: { readonly id: string; readonly format: FileFormat; readonly pageCount: number },
  { page, percentage, isRead, since = Infinity, readingSince = Infinity }: InHand,
  sessions: readonly HouseSession[],
  now: number,
) => {
  if (isRead) return { pagesLeft: pageCount > 0 ? 0 : null, timeLeftMs: 0, basis: null }
  const own = sessions.filter(({ book }) => book.id === id)
  if (pageCount === 0) {
    const now = own.filter(({ start }) => start >= readingSince)
    const measured = now.reduce((sum, each) => sum + (each.measured ?? 0), 0)
    const isMeasured = now.every((each) => !each.isSession || each.measured !== null)
    if (percentage === null || percentage < 0.05 || measured < hour / 12 || !isMeasured)
      return { pagesLeft: null, timeLeftMs: null, basis: null }
    return { pagesLeft: null, timeLeftMs: Math.round((measured / percentage) * (1 - percentage)), basis: 'book' }
  }
  const pagesLeft = pageCount - (page ?? 0)
  const pace = pacedBy(own.filter(({ start }) => start >= since))
  if (pace.pages >= 20 && pace.ms >= hour / 12)
    return { pagesLeft, timeLeftMs: Math.round((pace.ms / pace.pages) * pagesLeft), basis: 'book' }
  const ofFormat = pacesOf(sessions, now).find((each) => each.format === format)
  if (!ofFormat) return { pagesLeft, timeLeftMs: null, basis: null }
  const timeLeftMs = Math.round((ofFormat.measuredMs / ofFormat.pages) * pagesLeft)
  return { pagesLeft, timeLeftMs, basis: 'format' }
}
