import type {
  FileFormat,
  ReadingCalendar,
  ReadingCoverage,
  ReadingDuration,
  ReadingPeriod,
  ReadingStatsGranularity,
  ReadingStatsResponse,
  ReadingStatsSort,
  ReadingStreak,
} from '@carrel/api'
import type { ReadDb } from '../../../database/database.ts'
import { invalid } from '../../../platform/errors.ts'
import type { Viewer } from '../../visibility/visibility.ts'
import { requireZone } from '../sittings/apply.ts'
import { addTo, countsOf, nothingCounted, sumOf } from '../sittings/figures.ts'
import { selectFigureZone } from '../sittings/queries.ts'
import type { Figures } from '../table.ts'
import {
  countBooks,
  countBooksOfSeries,
  type EdgeSitting,
  selectActiveDays,
  selectCoverage,
  selectEdgeSittings,
  selectLastRead,
  selectPeriodSums,
  selectSeriesSums,
  selectSeriesTitles,
  selectSums,
  type Sum,
} from './queries.ts'
import { type Plan, planOf, requireFewPeriods, type Window, windowFrom } from './window.ts'
import { beginningOf, type Day, dayAfter, nextBeginning, type Zone, zoneNamed } from './zone.ts'

interface Wanted {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly granularity?: ReadingStatsGranularity | undefined
  readonly seriesLimit?: number | undefined
  readonly sort?: ReadingStatsSort | undefined
  readonly timezone?: string | undefined
}

export const readStats = async (
  db: ReadDb,
  viewer: Viewer,
  wanted: Wanted,
  now: Date,
): Promise<ReadingStatsResponse> => {
  const { userId } = viewer
  const { granularity = 'day', seriesLimit = 10, sort = 'time' } = wanted
  const { zone, kept } = await zonesFor(db, userId, wanted.timezone)
  const window = windowFrom(wanted, zone, now)
  requireFewPeriods(window, zone, granularity)
  const plan = planOf(userId, window, kept, granularity)
  const [periods, books, series, formats, devices] = await Promise.all([
    periodsOf(db, plan, zone, granularity),
    countBooks(db, plan),
    seriesOf(db, viewer, plan, { sort, limit: seriesLimit }),
    selectSums(db, plan, 'format'),
    devicesOf(db, plan, window),
  ])
  const total = sumOf([...periods.values()])
  return {
    from: new Date(window.from).toISOString(),
    to: new Date(window.to).toISOString(),
    granularity,
    summary: {
      books,
      ...shown(total),
      sessionsWithoutDuration: total.without_duration,
      sessionsWithoutPages: total.without_pages,
    },
    periods: shownByDay(periods),
    series,
    formats: formats.sort(inOrderOf(sort)).map((sum) => ({ format: sum.id as FileFormat, ...shown(sum) })),
    devices,
  }
}

const shownByDay = (periods: ReadonlyMap<Day, Figures>): ReadingPeriod[] =>
  [...periods]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([bucket, figures]) => ({ bucket, ...shown(figures) }))

interface Zones {
  /** The one whose days are asked for. */
  readonly zone: Zone
  /** The same, if sums are kept in its days. */
  readonly kept: Zone | undefined
}

const zonesFor = async (db: ReadDb, userId: string, name: string | undefined): Promise<Zones> => {
  const { kept, builtTo, own } = await selectFigureZone(db, userId)
  const zone = name === undefined ? requireZone(own) : zoneNamed(name)
  if (!zone) throw invalid('/timezone', `"${name}" is not a time zone such as Europe/Berlin.`)
  return { zone, kept: kept === zone.name && builtTo === null ? zone : undefined }
}

type Counted = Pick<Figures, 'sittings' | 'measured_ms' | 'inferred_ms' | 'pages' | 'completions'>

const shown = ({ sittings, measured_ms, inferred_ms, pages, completions }: Counted) => ({
  booksFinished: completions,
  duration: durationOf(measured_ms, inferred_ms),
  pagesRead: pages,
  sessions: sittings,
})

const durationOf = (measuredMs: number, inferredMs: number): ReadingDuration => ({
  measuredMs,
  inferredMs,
  totalMs: measuredMs + inferredMs,
})

/** By the first day of each. */
const periodsOf = async (
  db: ReadDb,
  plan: Plan,
  zone: Zone,
  granularity: ReadingStatsGranularity,
): Promise<Map<Day, Figures>> => {
  const periods = new Map<Day, Figures>()
  const periodAt = (bucket: Day): Figures => {
    const known = periods.get(bucket) ?? { ...nothingCounted }
    periods.set(bucket, known)
    return known
  }
  for (const row of await selectPeriodSums(db, plan)) addTo(periodAt(beginningOf(granularity, row.start)), row)
  // They come in order: which period it is need not be worked out for each.
  let [bucket, ends] = ['', '']
  await eachEdgeSitting(db, plan, (row) => {
    if (row.started_at >= ends) {
      bucket = beginningOf(granularity, zone.dayOf(Date.parse(row.started_at)))
      ends = new Date(zone.startOf(nextBeginning(granularity, bucket))).toISOString()
    }
    addTo(periodAt(bucket), countsOf(row))
  })
  return periods
}

const sittingsAtOnce = 2000

const eachEdgeSitting = async (db: ReadDb, { userId, edges }: Plan, use: (row: EdgeSitting) => void): Promise<void> => {
  for (const edge of edges) {
    let place = { startedAt: '', id: '' }
    for (;;) {
      const rows = await selectEdgeSittings(db, userId, { edge, after: place, limit: sittingsAtOnce })
      rows.forEach(use)
      const last = rows.at(-1)
      if (!last || rows.length < sittingsAtOnce) break
      place = { startedAt: last.started_at, id: last.id }
    }
  }
}

const measures = {
  time: ({ measured_ms, inferred_ms }: Sum) => measured_ms + inferred_ms,
  pages: ({ pages }: Sum) => pages,
  completions: ({ completions }: Sum) => completions,
}

/** By one measure, then by the others, then by name. */
const inOrderOf =
  (sort: ReadingStatsSort) =>
  (one: Sum, other: Sum): number => {
    const first = measures[sort]
    const rest = [measures.time, measures.pages, measures.completions].filter((each) => each !== first)
    for (const measure of [first, ...rest, ({ sittings }: Sum) => sittings]) {
      const difference = measure(other) - measure(one)
      if (difference !== 0) return difference
    }
    const [name, otherName] = [one.name ?? one.id, other.name ?? other.id]
    return name < otherName ? -1 : name > otherName ? 1 : one.id < other.id ? -1 : 1
  }

/** What is gone, or no longer to be seen, is called as it was when it was read. */
const seriesOf = async (
  db: ReadDb,
  viewer: Viewer,
  plan: Plan,
  wanted: { readonly sort: ReadingStatsSort; readonly limit: number },
): Promise<ReadingStatsResponse['series']> => {
  const sums = await selectSeriesSums(db, plan, wanted)
  const ids = sums.map(({ id }) => id)
  const titles = await selectSeriesTitles(db, viewer, ids)
  const books = await countBooksOfSeries(db, plan, ids)
  return sums
    .map((sum) => ({ ...sum, name: titles.get(sum.id) ?? sum.name }))
    .sort(inOrderOf(wanted.sort))
    .map((sum) => ({ seriesId: sum.id, seriesName: sum.name ?? '', books: books.get(sum.id) ?? 0, ...shown(sum) }))
}

const devicesOf = async (db: ReadDb, plan: Plan, { from, to }: Window): Promise<ReadingStatsResponse['devices']> => {
  const sums = await selectSums(db, plan, 'device')
  const window = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
  const last = await selectLastRead(
    db,
    plan.userId,
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
  wanted: { readonly year?: number | undefined; readonly timezone?: string | undefined },
  now: Date,
): Promise<ReadingCalendar> => {
  const { zone, kept } = await zonesFor(db, userId, wanted.timezone)
  const today = zone.dayOf(now.getTime())
  const year = wanted.year ?? Number(today.slice(0, 4))
  const window = { from: zone.startOf(`${year}-01-01`), to: zone.startOf(`${year + 1}-01-01`) }
  const periods = await periodsOf(db, planOf(userId, window, kept, 'day'), zone, 'day')
  const days = shownByDay(periods)
  const active = kept ? await selectActiveDays(db, userId) : await activeDaysFrom(db, userId, zone)
  return { year, days, ...streaksOf(active, today) }
}

const activeDaysFrom = async (db: ReadDb, userId: string, zone: Zone): Promise<Day[]> => {
  const days = new Set<Day>()
  const plan = { userId, edges: [{ from: '', to: '~' }], pieces: [], periodPieces: [] }
  await eachEdgeSitting(db, plan, (row) => {
    if (row.is_sitting === 1) days.add(zone.dayOf(Date.parse(row.started_at)))
  })
  return [...days].sort()
}

const noStreak: ReadingStreak = { days: 0, from: null, to: null }

/** Of days in order. A streak goes on as long as today is not over. */
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
