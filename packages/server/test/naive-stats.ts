import type { ReadingStatsResponse, SeriesStat } from '@carrel/api'
import type { Selectable } from 'kysely'
import type { ReadingTables } from '../src/features/reading/table.ts'

type Row = Selectable<ReadingTables['reading_log']>

interface Naive {
  id: string
  book: string
  device: string
  series: string
  name: string
  format: Row['format']
  start: number
  end: number
  isSession: boolean
  measured: number | null
  inferred: number
  pages: number | null
  finished: number
}

const close = 300_000

const formats = new Map<string, Intl.DateTimeFormat>()

const dayIn = (timeZone: string, at: number): string => {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone })
  formats.set(timeZone, format)
  return format.format(at)
}
const timeOf = (text: string) => Date.parse(text)
const byTime = (one: Row, other: Row) => (one.at + one.id < other.at + other.id ? -1 : 1)

/** What is counted says nothing of covers. */
export type StatsWithoutCovers = Omit<ReadingStatsResponse, 'series'> & {
  readonly series: readonly Omit<SeriesStat, 'cover'>[]
}

export const withoutCovers = (stats: ReadingStatsResponse): StatsWithoutCovers => ({
  ...stats,
  series: stats.series.map((each) => {
    const { cover: _, ...figures } = each
    return figures
  }),
})

/** It is for tests: it computes everything from the whole log at once, however long that takes. */
export const naiveStats = (
  { log, completions }: { log: readonly Row[]; completions: readonly { id: string; completed_at: string }[] },
  query: { from: string; to: string; granularity: 'day' | 'week' | 'month'; sort: string; timezone: string },
): StatsWithoutCovers => {
  const dayOf = (at: number) => dayIn(query.timezone, at)
  const from = momentOf(query.from, 0, query.timezone)
  const to = momentOf(query.to, 1, query.timezone)
  const counted = [...Map.groupBy(log, ({ book_id }) => book_id).values()].flatMap((rows) => ofBook(rows, completions))
  const within = counted.filter(({ start }) => start >= from && start < to)
  const groups = (keyOf: (each: Naive) => string) => [...Map.groupBy(within, keyOf)]
  const order = inOrder(query.sort)
  return {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    granularity: query.granularity,
    summary: {
      books: new Set(within.map(({ book }) => book)).size,
      ...figures(within),
      sessionsWithoutDuration: within.filter((each) => each.isSession && each.measured === null && each.inferred === 0)
        .length,
      sessionsWithoutPages: within.filter((each) => each.isSession && each.pages === null).length,
    },
    periods: groups(({ start }) => bucketOf(dayOf(start), query.granularity))
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([bucket, own]) => ({ bucket, ...figures(own) })),
    series: groups(({ series }) => series)
      .map(([seriesId, own]) => ({
        seriesId,
        seriesName: own[0]?.name ?? '',
        books: new Set(own.map(({ book }) => book)).size,
        ...figures(own),
      }))
      .sort((one, other) => order(one, other) || (one.seriesName < other.seriesName ? -1 : 1)),
    formats: groups(({ format }) => format)
      .map(([format, own]) => ({ format: format as Row['format'], ...figures(own) }))
      .sort((one, other) => order(one, other) || (one.format < other.format ? -1 : 1)),
    devices: groups(({ device }) => device)
      .map(([deviceId, own]) => ({
        deviceId,
        deviceName: null,
        lastReadAt: new Date(lastEnd(own)).toISOString(),
        ...figures(own),
      }))
      .sort((one, other) =>
        one.lastReadAt === other.lastReadAt
          ? one.deviceId < other.deviceId
            ? -1
            : 1
          : one.lastReadAt > other.lastReadAt
            ? -1
            : 1,
      ),
  }
}

const lastEnd = (own: readonly Naive[]) => Math.max(...own.map(({ end }) => end))

type Figures = ReturnType<typeof figures>

const figures = (own: readonly Naive[]) => {
  const sum = (of: (each: Naive) => number) => own.reduce((total, each) => total + of(each), 0)
  const measuredMs = sum(({ measured }) => measured ?? 0)
  const inferredMs = sum(({ inferred }) => inferred)
  return {
    booksFinished: sum(({ finished }) => finished),
    duration: { measuredMs, inferredMs, totalMs: measuredMs + inferredMs },
    pagesRead: sum(({ pages }) => pages ?? 0),
    sessions: own.filter(({ isSession }) => isSession).length,
  }
}

const inOrder = (sort: string) => (one: Figures, other: Figures) => {
  const keys = ['time', 'pages', 'completions'].sort((key) => (key === sort ? -1 : 1))
  const valueOf = (key: string, { duration, pagesRead, booksFinished, sessions }: Figures) =>
    ({ time: duration.totalMs, pages: pagesRead, completions: booksFinished })[key] ?? sessions
  for (const key of [...keys, 'sessions']) {
    const difference = valueOf(key, other) - valueOf(key, one)
    if (difference !== 0) return difference
  }
  return 0
}

const bucketOf = (day: string, granularity: string) => {
  if (granularity === 'month') return `${day.slice(0, 8)}01`
  if (granularity === 'day') return day
  let at = timeOf(day)
  while (new Date(at).getUTCDay() !== 1) at -= 86_400_000
  return new Date(at).toISOString().slice(0, 10)
}

/** The first moment of a day, found by looking at each quarter of an hour. */
const momentOf = (text: string, days: number, timeZone: string) => {
  if (text.length > 10) return timeOf(text)
  const day = new Date(timeOf(text) + days * 86_400_000).toISOString().slice(0, 10)
  let at = timeOf(day) - 16 * 3_600_000
  while (dayIn(timeZone, at) < day) at += 900_000
  return at
}

const ofBook = (rows: readonly Row[], completions: readonly { id: string; completed_at: string }[]): Naive[] => {
  const done = new Set(completions.map(({ id }) => id))
  const sorted = [...rows].sort(byTime)
  const readings: Row[][] = [[]]
  for (const row of sorted) {
    if (row.kind === 'reset') readings.push([])
    else readings.at(-1)?.push(row)
  }
  const resets = sorted.filter(({ kind }) => kind === 'reset').map(({ at }) => timeOf(at))
  const claims = new Map<Naive, Row[]>()
  const all = readings.flatMap((reading) =>
    [...Map.groupBy(reading, ({ device_id }) => device_id).values()].flatMap((own) => ofDevice(own, done, claims)),
  )
  countPages(all, claims, resets)
  return all
}

const ofDevice = (rows: readonly Row[], done: ReadonlySet<string>, claims: Map<Naive, Row[]>): Naive[] => {
  const marks = rows.filter(({ source }) => source === 'mark')
  const read = rows.filter(({ source }) => source !== 'mark')
  const measured = read.filter(({ active_ms }) => active_ms !== null)
  const hostOf = (row: Row) =>
    measured
      .filter((each) => each.started_at <= row.at && timeOf(row.at) <= timeOf(each.at) + close)
      .sort((one, other) => (one.started_at + one.id < other.started_at + other.id ? -1 : 1))
      .at(-1)
  const units = read
    .filter((row) => row.active_ms !== null || !hostOf(row))
    .map((row) => {
      const guests =
        row.active_ms === null ? [] : read.filter((each) => each.active_ms === null && hostOf(each) === row)
      const every = [row, ...guests]
      return {
        row,
        every,
        start: timeOf(row.started_at),
        end: Math.max(...every.map(({ at }) => timeOf(at))),
        closes: every.some(({ kind }) => kind === 'completed'),
      }
    })
    .sort((one, other) => one.start - other.start || byTime(one.row, other.row))
  const sessions: Naive[] = []
  let last: (typeof units)[number] | undefined
  for (const unit of units) {
    let session = sessions.at(-1)
    const joins = session !== undefined && last !== undefined && !last.closes && unit.start <= session.end + close
    if (!session || !joins) {
      session = { ...naiveOf(unit.row), start: unit.start, end: unit.end, isSession: true }
      claims.set(session, [])
      sessions.push(session)
    } else {
      const both = [last?.row, unit.row]
      const guessed = both.every(
        (row) => row?.active_ms === null && row.source === 'put' && row.device_id.includes(':'),
      )
      if (guessed) session.inferred += Math.max(0, unit.start - session.end)
      session.end = Math.max(session.end, unit.end)
    }
    for (const row of unit.every) {
      if (row.active_ms !== null) session.measured = (session.measured ?? 0) + row.active_ms
      if (done.has(row.id)) session.finished += 1
      claims.get(session)?.push(row)
    }
    last = unit
  }
  for (const row of marks) if (done.has(row.id)) sessions.push({ ...naiveOf(row), finished: 1 })
  return sessions
}

const naiveOf = (row: Row): Naive => ({
  id: row.id,
  book: row.book_id,
  device: row.device_id,
  series: row.series_id,
  name: row.series_name,
  format: row.format,
  start: timeOf(row.at),
  end: timeOf(row.at),
  isSession: false,
  measured: null,
  inferred: 0,
  pages: null,
  finished: 0,
})

/** One page at a time. */
const countPages = (all: readonly Naive[], claims: ReadonlyMap<Naive, Row[]>, resets: readonly number[]) => {
  let seen = new Set<number>()
  let since = 0
  let isFinished = false
  for (const each of [...all].sort((one, other) => one.start - other.start || (one.id < other.id ? -1 : 1))) {
    const rows = claims.get(each) ?? []
    const begun = resets.filter((at) => at <= each.end).length
    const pagesOf = (row: Row) => {
      const pages: number[] = []
      const count = Math.min(row.pages_read ?? 0, row.page_count ?? 0)
      const first = Math.max(1, (row.page ?? 0) - count + 1)
      for (let page = first; page < first + count; page += 1) pages.push(page)
      return pages
    }
    const isPaged = rows.every(({ page_count }) => page_count !== null)
    const goesBack = rows.some((row) =>
      isPaged ? pagesOf(row).some((page) => page <= (row.page_count ?? 0) / 2) : (row.pages_read ?? 0) > 0,
    )
    if (begun !== since || (isFinished && goesBack)) {
      seen = new Set()
      isFinished = false
    }
    since = begun
    for (const row of rows) {
      if (row.pages_read === null) continue
      const before = seen.size
      for (const page of pagesOf(row)) seen.add(page)
      each.pages = (each.pages ?? 0) + (isPaged ? seen.size - before : row.pages_read)
    }
    isFinished ||= !each.isSession || rows.some(({ finishes }) => finishes === 1)
  }
}
