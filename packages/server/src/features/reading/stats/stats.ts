import {
  type FileFormat,
  type ReadingCalendar,
  type ReadingCoverage,
  type ReadingDuration,
  type ReadingPeriod,
  type ReadingStatsGranularity,
  type ReadingStatsResponse,
  type ReadingStatsSort,
  type ReadingStreak,
  type SeriesStat,
  readingStatsSorts,
} from '@carrel/api'
import type { ReadDb } from '../../../database/database.ts'
import { invalid } from '../../../platform/errors.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { requireZone } from '../reading-sessions/apply.ts'
import { addTo, countsOf, nothingCounted, sumOf } from '../reading-sessions/figures.ts'
import { selectFigureZone } from '../reading-sessions/queries.ts'
import type { Figures } from '../table.ts'
import {
  countBooksReadAgain,
  countBooksOfSeries,
  type EdgeSession,
  hidesNothing,
  measured,
  type NamedSum,
  selectActiveDays,
  selectCoverage,
  selectEdgeSessions,
  selectHiddenSeries,
  selectLastRead,
  selectPeriodSums,
  selectSeriesSums,
  selectSeriesSumsAmongFirst,
  selectSeriesTitles,
  selectSliverSums,
  selectSums,
  type TopSeriesQuery,
  type Sum,
} from './queries.ts'
import { type Plan, planOf, requireFewPeriods, type Stretch, type Window, windowFrom, type Zones } from './window.ts'
import { beginningOf, type Day, dayAfter, nextBeginning, type Zone, zoneNamed } from './zone.ts'

export interface StatsQuery {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly granularity?: ReadingStatsGranularity | undefined
  readonly seriesLimit?: number | undefined
  readonly sort?: ReadingStatsSort | undefined
  readonly timezone?: string | undefined
}

/** Covers are of another feature, which adds them. */
export type SeriesFigures = Omit<SeriesStat, 'cover'>
export type Stats = Omit<ReadingStatsResponse, 'series'> & { readonly series: readonly SeriesFigures[] }

export const readStats = async (db: ReadDb, viewer: Viewer, query: StatsQuery, now: Date): Promise<Stats> => {
  const { userId } = viewer
  const { granularity = 'day', seriesLimit = 10, sort = 'time' } = query
  const zones = await zonesFor(db, userId, query.timezone)
  const window = windowFrom(query, zones.zone, now)
  requireFewPeriods(window, zones.zone, granularity)
  const plan = planOf(userId, window, zones, granularity)
  const [periods, again, series, { formats, devices }] = await Promise.all([
    periodsOf(db, plan, zones.zone, granularity),
    countBooksReadAgain(db, plan),
    seriesOf(db, viewer, plan, { sort, limit: seriesLimit }),
    selectSums(db, plan).then(async ({ formats, devices }) => ({
      formats: formats.toSorted(inOrderOf(sort)),
      devices: await devicesOf(db, userId, devices, window),
    })),
  ])
  const total = sumOf([...periods.values()])
  return {
    from: new Date(window.from).toISOString(),
    to: new Date(window.to).toISOString(),
    granularity,
    summary: {
      books: total.begun + again,
      ...shown(total),
      sessionsWithoutDuration: total.without_duration,
      sessionsWithoutPages: total.without_pages,
    },
    periods: shownByDay(periods),
    series,
    formats: formats.map((sum) => ({ format: sum.id as FileFormat, ...shown(sum) })),
    devices,
  }
}

const shownByDay = (periods: ReadonlyMap<Day, Figures>): ReadingPeriod[] =>
  [...periods]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([bucket, figures]) => ({ bucket, ...shown(figures) }))

export const zonesFor = async (db: ReadDb, userId: string, name: string | undefined): Promise<Zones> => {
  const { storedZone, builtTo, own } = await selectFigureZone(db, userId)
  const zone = name === undefined ? requireZone(own) : zoneNamed(name)
  if (!zone)
    throw invalid('/timezone', `"${name}" is not a time zone such as Europe/Berlin.`, { reason: 'time_zone_unknown' })
  return { zone, storedZone: storedZone !== null && builtTo === null ? requireZone(storedZone) : undefined }
}

export type Counted = Pick<Figures, 'sessions' | 'measured_ms' | 'inferred_ms' | 'pages' | 'completions'>

export const shown = ({ sessions, measured_ms, inferred_ms, pages, completions }: Counted) => ({
  booksFinished: completions,
  duration: durationOf(measured_ms, inferred_ms),
  pagesRead: pages,
  sessions: sessions,
})

const durationOf = (measuredMs: number, inferredMs: number): ReadingDuration => ({
  measuredMs,
  inferredMs,
  totalMs: measuredMs + inferredMs,
})

/** The key is the first day of each period. */
const periodsOf = async (
  db: ReadDb,
  plan: Plan,
  zone: Zone,
  granularity: ReadingStatsGranularity,
): Promise<Map<Day, Figures>> => {
  const periods = new Map<Day, Figures>()
  const periodAt = (bucket: Day): Figures => {
    const figures = periods.get(bucket) ?? { ...nothingCounted }
    periods.set(bucket, figures)
    return figures
  }
  for (const row of await selectPeriodSums(db, plan)) addTo(periodAt(beginningOf(granularity, row.start)), row)
  const { edges, slivers } = plan.byPeriod
  for (let from = 0; from < slivers.length; from += sliversAtOnce) {
    const some = slivers.slice(from, from + sliversAtOnce)
    for (const row of await selectSliverSums(db, plan.userId, some)) {
      const sliver = some[row.place]
      if (!sliver) continue
      addTo(periodAt(sliver.counted), row, -1)
      addTo(periodAt(sliver.belongs), row)
    }
  }
  // They come in order: which period it is need not be worked out for each.
  let [bucket, ends] = ['', '']
  await eachEdgeSession(db, plan.userId, edges, (row) => {
    if (row.started_at >= ends) {
      bucket = beginningOf(granularity, zone.dayOf(Date.parse(row.started_at)))
      ends = new Date(zone.startOf(nextBeginning(granularity, bucket))).toISOString()
    }
    addTo(periodAt(bucket), countsOf(row))
  })
  return new Map([...periods].filter(([, { sessions, completions }]) => sessions > 0 || completions > 0))
}

const sliversAtOnce = 100
const sessionsAtOnce = 2000

const eachEdgeSession = async (
  db: ReadDb,
  userId: string,
  edges: readonly Stretch[],
  use: (row: EdgeSession) => void,
): Promise<void> => {
  for (const edge of edges) {
    let cursor = { startedAt: '', id: '' }
    for (;;) {
      const rows = await selectEdgeSessions(db, userId, { edge, after: cursor, limit: sessionsAtOnce })
      rows.forEach(use)
      const last = rows.at(-1)
      if (!last || rows.length < sessionsAtOnce) break
      cursor = { startedAt: last.started_at, id: last.id }
    }
  }
}

/** It sorts after all names. */
const last = '\uFFFF'

/** It sorts by one measure, then by the others, then by name. */
const inOrderOf =
  (sort: ReadingStatsSort) =>
  (one: Sum, other: Sum): number => {
    for (const measure of [sort, ...readingStatsSorts.filter((each) => each !== sort)]) {
      const difference = measured(measure, other) - measured(measure, one)
      if (difference !== 0) return difference
    }
    if (one.sessions !== other.sessions) return other.sessions - one.sessions
    const [name, otherName] = [one.name ?? one.id ?? last, other.name ?? other.id ?? last]
    return name < otherName ? -1 : name > otherName ? 1 : (one.id ?? last) < (other.id ?? last) ? -1 : 1
  }

/**
 * A deleted series has the name it had when it was read; all that the viewer may no longer see forms one row without a
 * name.
 */
const seriesOf = async (db: ReadDb, viewer: Viewer, plan: Plan, query: TopSeriesQuery): Promise<SeriesFigures[]> => {
  if (!hidesNothing(viewer)) return topVisibleSeries(db, viewer, plan, query)
  const isLong = plan.pieces.some(({ scale }) => scale === 'year')
  const sums = isLong ? await selectSeriesSumsAmongFirst(db, plan, query) : undefined
  return named(db, viewer, plan, { sums: sums ?? (await selectSeriesSums(db, plan, query)), query })
}

/** Nobody reads more series than can be looked at. */
const seriesMax = 100_000
const seriesAtOnce = 1000

/** All of them are read: it is not known before where the hidden ones stand. */
const topVisibleSeries = async (
  db: ReadDb,
  viewer: Viewer,
  plan: Plan,
  query: TopSeriesQuery,
): Promise<SeriesFigures[]> => {
  const all = await selectSeriesSums(db, plan, { ...query, limit: seriesMax })
  const hiddenIds = new Set<string>()
  for (let from = 0; from < all.length; from += seriesAtOnce) {
    const ids = all.slice(from, from + seriesAtOnce).map(({ id }) => id)
    for (const id of await selectHiddenSeries(db, viewer, ids)) hiddenIds.add(id)
  }
  const hidden = all.filter(({ id }) => hiddenIds.has(id))
  const seen = all.filter(({ id }) => !hiddenIds.has(id))
  const sums = hidden.length === 0 ? seen : [...seen, sumOfHidden(hidden)]
  const first = sums.sort(inOrderOf(query.sort)).slice(0, query.limit)
  return named(db, viewer, plan, { sums: first, query, hiddenIds: [...hiddenIds] })
}

const sumOfHidden = (hidden: readonly Sum[]): Sum => {
  const total = (of: (sum: Sum) => number): number => hidden.reduce((sum, each) => sum + of(each), 0)
  return {
    id: null,
    name: null,
    sessions: total(({ sessions }) => sessions),
    measured_ms: total(({ measured_ms }) => measured_ms),
    inferred_ms: total(({ inferred_ms }) => inferred_ms),
    pages: total(({ pages }) => pages),
    completions: total(({ completions }) => completions),
  }
}

interface Ranked {
  readonly sums: readonly Sum[]
  readonly query: TopSeriesQuery
  readonly hiddenIds?: readonly string[]
}

const named = async (
  db: ReadDb,
  viewer: Viewer,
  plan: Plan,
  { sums, query, hiddenIds = [] }: Ranked,
): Promise<SeriesFigures[]> => {
  const ids = sums.flatMap(({ id }) => id ?? [])
  const [titles, books] = await Promise.all([selectSeriesTitles(db, viewer, ids), countBooksOfSeries(db, plan, ids)])
  const isAnyHidden = ids.length < sums.length
  const hiddenBooks = isAnyHidden ? await countBooksAmong(db, plan, hiddenIds) : 0
  return sums
    .map((sum) => ({ ...sum, name: titles.get(sum.id ?? '') ?? sum.name }))
    .sort(inOrderOf(query.sort))
    .map((sum) =>
      sum.id === null
        ? { seriesId: null, seriesName: null, books: hiddenBooks, ...shown(sum) }
        : { seriesId: sum.id, seriesName: sum.name ?? '', books: books.get(sum.id) ?? 0, ...shown(sum) },
    )
}

const countBooksAmong = async (db: ReadDb, plan: Plan, seriesIds: readonly string[]): Promise<number> => {
  let count = 0
  for (let from = 0; from < seriesIds.length; from += seriesAtOnce) {
    const books = await countBooksOfSeries(db, plan, seriesIds.slice(from, from + seriesAtOnce))
    for (const ofSeries of books.values()) count += ofSeries
  }
  return count
}

const devicesOf = async (
  db: ReadDb,
  userId: string,
  sums: readonly NamedSum[],
  { from, to }: Window,
): Promise<ReadingStatsResponse['devices']> => {
  const window = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
  const last = await selectLastRead(
    db,
    userId,
    sums.map(({ id }) => id),
    window,
  )
  return sums
    .map((sum) => ({
      deviceId: sum.id,
      deviceName: last.get(sum.id)?.name ?? null,
      lastReadAt: last.get(sum.id)?.lastReadAt ?? window.from,
      ...shown(sum),
    }))
    .sort((one, other) =>
      one.lastReadAt === other.lastReadAt
        ? one.deviceId < other.deviceId
          ? -1
          : 1
        : one.lastReadAt > other.lastReadAt
          ? -1
          : 1,
    )
}

export const readCoverage = async (db: ReadDb, userId: string): Promise<ReadingCoverage> => {
  const { first, last } = await selectCoverage(db, userId)
  return { firstReadAt: first, lastReadAt: last }
}

export const readCalendar = async (
  db: ReadDb,
  userId: string,
  query: { readonly year?: number | undefined; readonly timezone?: string | undefined },
  now: Date,
): Promise<ReadingCalendar> => {
  const zones = await zonesFor(db, userId, query.timezone)
  const { zone, storedZone } = zones
  const today = zone.dayOf(now.getTime())
  const year = query.year ?? Number(today.slice(0, 4))
  const window = { from: zone.startOf(`${year}-01-01`), to: zone.startOf(`${year + 1}-01-01`) }
  const periods = await periodsOf(db, planOf(userId, window, zones, 'day'), zone, 'day')
  const days = shownByDay(periods)
  const active =
    storedZone?.name === zone.name ? await selectActiveDays(db, userId) : await activeDaysFrom(db, userId, zone)
  return { year, days, ...streaksOf(active, today) }
}

const activeDaysFrom = async (db: ReadDb, userId: string, zone: Zone): Promise<Day[]> => {
  const days = new Set<Day>()
  let ends = ''
  await eachEdgeSession(db, userId, [{ from: '', to: '~' }], (row) => {
    if (row.is_session === 0 || row.started_at < ends) return
    const day = zone.dayOf(Date.parse(row.started_at))
    days.add(day)
    ends = new Date(zone.startOf(dayAfter(day))).toISOString()
  })
  return [...days].sort()
}

const noStreak: ReadingStreak = { days: 0, from: null, to: null }

/** The days are in order. A streak goes on as long as today is not over. */
export const streaksOf = (
  days: readonly Day[],
  today: Day,
): { readonly currentStreak: ReadingStreak; readonly longestStreak: ReadingStreak } => {
  let longest = noStreak
  let last = noStreak
  for (const day of days) {
    const goesOn = last.to !== null && dayAfter(last.to) === day
    last = goesOn ? { ...last, days: last.days + 1, to: day } : { days: 1, from: day, to: day }
    if (last.days >= longest.days) longest = last
  }
  const isCurrent = last.to !== null && last.to >= dayAfter(today, -1)
  return { currentStreak: isCurrent ? last : noStreak, longestStreak: longest }
}
