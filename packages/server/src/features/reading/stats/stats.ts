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
  readingStatsSorts,
} from '@carrel/api'
import type { ReadDb } from '../../../database/database.ts'
import { invalid } from '../../../platform/errors.ts'
import type { Viewer } from '../../visibility/visibility.ts'
import { requireZone } from '../sittings/apply.ts'
import { addTo, countsOf, nothingCounted, sumOf } from '../sittings/figures.ts'
import { selectFigureZone } from '../sittings/queries.ts'
import type { Figures } from '../table.ts'
import {
  countBooksReadAgain,
  countBooksOfSeries,
  type EdgeSitting,
  measured,
  selectActiveDays,
  selectCoverage,
  selectEdgeSittings,
  selectLastRead,
  selectPeriodSums,
  selectSeriesSums,
  selectSeriesSumsAmongFirst,
  selectSeriesTitles,
  selectSliverSums,
  selectSums,
  type SeriesWanted,
  type Sum,
} from './queries.ts'
import { type Plan, planOf, requireFewPeriods, type Stretch, type Window, windowFrom, type Zones } from './window.ts'
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
  const zones = await zonesFor(db, userId, wanted.timezone)
  const window = windowFrom(wanted, zones.zone, now)
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

const zonesFor = async (db: ReadDb, userId: string, name: string | undefined): Promise<Zones> => {
  const { kept, builtTo, own } = await selectFigureZone(db, userId)
  const zone = name === undefined ? requireZone(own) : zoneNamed(name)
  if (!zone) throw invalid('/timezone', `"${name}" is not a time zone such as Europe/Berlin.`)
  return { zone, kept: kept !== null && builtTo === null ? requireZone(kept) : undefined }
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
  await eachEdgeSitting(db, plan.userId, edges, (row) => {
    if (row.started_at >= ends) {
      bucket = beginningOf(granularity, zone.dayOf(Date.parse(row.started_at)))
      ends = new Date(zone.startOf(nextBeginning(granularity, bucket))).toISOString()
    }
    addTo(periodAt(bucket), countsOf(row))
  })
  return new Map([...periods].filter(([, { sittings, completions }]) => sittings > 0 || completions > 0))
}

const sliversAtOnce = 100
const sittingsAtOnce = 2000

const eachEdgeSitting = async (
  db: ReadDb,
  userId: string,
  edges: readonly Stretch[],
  use: (row: EdgeSitting) => void,
): Promise<void> => {
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

/** By one measure, then by the others, then by name. */
const inOrderOf =
  (sort: ReadingStatsSort) =>
  (one: Sum, other: Sum): number => {
    for (const measure of [sort, ...readingStatsSorts.filter((each) => each !== sort)]) {
      const difference = measured(measure, other) - measured(measure, one)
      if (difference !== 0) return difference
    }
    if (one.sittings !== other.sittings) return other.sittings - one.sittings
    const [name, otherName] = [one.name ?? one.id, other.name ?? other.id]
    return name < otherName ? -1 : name > otherName ? 1 : one.id < other.id ? -1 : 1
  }

/** What is gone, or no longer to be seen, is called as it was when it was read. */
const seriesOf = async (
  db: ReadDb,
  viewer: Viewer,
  plan: Plan,
  wanted: SeriesWanted,
): Promise<ReadingStatsResponse['series']> => {
  const isLong = plan.pieces.some(({ scale }) => scale === 'year')
  const found = isLong ? await selectSeriesSumsAmongFirst(db, plan, wanted) : undefined
  const sums = found ?? (await selectSeriesSums(db, plan, wanted))
  const ids = sums.map(({ id }) => id)
  const [titles, books] = await Promise.all([selectSeriesTitles(db, viewer, ids), countBooksOfSeries(db, plan, ids)])
  return sums
    .map((sum) => ({ ...sum, name: titles.get(sum.id) ?? sum.name }))
    .sort(inOrderOf(wanted.sort))
    .map((sum) => ({ seriesId: sum.id, seriesName: sum.name ?? '', books: books.get(sum.id) ?? 0, ...shown(sum) }))
}

const devicesOf = async (
  db: ReadDb,
  userId: string,
  sums: readonly Sum[],
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
  wanted: { readonly year?: number | undefined; readonly timezone?: string | undefined },
  now: Date,
): Promise<ReadingCalendar> => {
  const zones = await zonesFor(db, userId, wanted.timezone)
  const { zone, kept } = zones
  const today = zone.dayOf(now.getTime())
  const year = wanted.year ?? Number(today.slice(0, 4))
  const window = { from: zone.startOf(`${year}-01-01`), to: zone.startOf(`${year + 1}-01-01`) }
  const periods = await periodsOf(db, planOf(userId, window, zones, 'day'), zone, 'day')
  const days = shownByDay(periods)
  const active = kept?.name === zone.name ? await selectActiveDays(db, userId) : await activeDaysFrom(db, userId, zone)
  return { year, days, ...streaksOf(active, today) }
}

const activeDaysFrom = async (db: ReadDb, userId: string, zone: Zone): Promise<Day[]> => {
  const days = new Set<Day>()
  let ends = ''
  await eachEdgeSitting(db, userId, [{ from: '', to: '~' }], (row) => {
    if (row.is_sitting === 0 || row.started_at < ends) return
    const day = zone.dayOf(Date.parse(row.started_at))
    days.add(day)
    ends = new Date(zone.startOf(dayAfter(day))).toISOString()
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
