import type { FileFormat } from '@carrel/api'
import { type RawBuilder, sql } from 'kysely'
import type { ReadDb } from '../../../database/database.ts'
import { type Viewer, visibleTo } from '../../visibility/visibility.ts'
import { figureColumns, type FigureRow, type SittingPlace, type SittingRow } from '../sittings/queries.ts'
import type { ReadingState } from '../log/fold.ts'
import type { Figures } from '../table.ts'
import type { Plan } from './window.ts'
import type { Day, DayRange } from './zone.ts'

type Subject = FigureRow['subject']

const withinPieces = (pieces: readonly DayRange[]): RawBuilder<unknown> =>
  sql.join(
    pieces.map(({ scale, from, to }) => sql`(scale = ${scale} and start >= ${from} and start < ${to})`),
    sql` or `,
  )

/** Sums of the pieces of a window that the periods are made of. */
export const selectPeriodSums = async (
  db: ReadDb,
  { userId, periodPieces }: Plan,
): Promise<(Figures & { readonly start: Day })[]> => {
  if (periodPieces.length === 0) return []
  return db
    .selectFrom('reading_figure')
    .select(['start', ...figureColumns])
    .where('user_id', '=', userId)
    .where('subject', '=', 'all')
    .where(sql<boolean>`(${withinPieces(periodPieces)})`)
    .execute()
}

export type EdgeSitting = Pick<
  SittingRow,
  'id' | 'started_at' | 'is_sitting' | 'measured_ms' | 'inferred_ms' | 'pages' | 'completions'
>

/** What began within an edge, in order. */
export const selectEdgeSittings = (
  db: ReadDb,
  userId: string,
  {
    edge: { from, to },
    after,
    limit,
  }: { readonly edge: Plan['edges'][number]; readonly after: SittingPlace; readonly limit: number },
): Promise<EdgeSitting[]> =>
  db
    .selectFrom('reading_sitting')
    .select(['id', 'started_at', 'is_sitting', 'measured_ms', 'inferred_ms', 'pages', 'completions'])
    .where('user_id', '=', userId)
    .where('started_at', '>=', from)
    .where('started_at', '<', to)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('started_at', 'id'), '>', tuple(after.startedAt, after.id)))
    .orderBy('started_at')
    .orderBy('id')
    .limit(limit)
    .execute()

const columnOf = { format: 'format', device: 'device_id', series: 'series_id', book: 'book_id' } as const

/** Every row that has to do with a subject, of sums and of sittings, one by one. */
const rowsOf = ({ userId, edges, pieces }: Plan, subject: Exclude<Subject, 'all'>): RawBuilder<unknown> => {
  const column = sql.ref(columnOf[subject])
  const kept = pieces.map(
    ({ scale, from, to }) => sql`
      select subject_id, series_id, name, sittings, measured_ms, inferred_ms, pages, completions, paced_ms, paced_pages
      from reading_figure
      where user_id = ${userId} and subject = ${subject} and scale = ${scale} and start >= ${from} and start < ${to}`,
  )
  const single = edges.map(
    ({ from, to }) => sql`
      select ${column} as subject_id, series_id, series_name as name, is_sitting as sittings,
        coalesce(measured_ms, 0) as measured_ms, inferred_ms, coalesce(pages, 0) as pages, completions,
        case when inferred_ms = 0 and pages > 0 and measured_ms > 0 then measured_ms else 0 end as paced_ms,
        case when inferred_ms = 0 and pages > 0 and measured_ms > 0 then pages else 0 end as paced_pages
      from reading_sitting
      where user_id = ${userId} and started_at >= ${from} and started_at < ${to}`,
  )
  return sql.join([...kept, ...single], sql` union all `)
}

const isEmpty = ({ edges, pieces }: Plan): boolean => edges.length === 0 && pieces.length === 0

export interface Sum {
  readonly id: string
  readonly name: string | null
  readonly sittings: number
  readonly measured_ms: number
  readonly inferred_ms: number
  readonly pages: number
  readonly completions: number
  readonly paced_ms: number
  readonly paced_pages: number
}

const sums = sql`
  sum(sittings) as sittings, sum(measured_ms) as measured_ms, sum(inferred_ms) as inferred_ms, sum(pages) as pages,
  sum(completions) as completions, sum(paced_ms) as paced_ms, sum(paced_pages) as paced_pages`

export const selectSums = async (db: ReadDb, plan: Plan, subject: 'format' | 'device'): Promise<Sum[]> => {
  if (isEmpty(plan)) return []
  const { rows } = await sql<Sum>`
    select subject_id as id, max(name) as name, ${sums}
    from (${rowsOf(plan, subject)}) as part
    group by subject_id`.execute(db)
  return rows
}

const orders = {
  time: sql`sum(measured_ms + inferred_ms) desc, sum(pages) desc, sum(completions) desc`,
  pages: sql`sum(pages) desc, sum(measured_ms + inferred_ms) desc, sum(completions) desc`,
  completions: sql`sum(completions) desc, sum(measured_ms + inferred_ms) desc, sum(pages) desc`,
}

export const selectSeriesSums = async (
  db: ReadDb,
  plan: Plan,
  { sort, limit }: { readonly sort: keyof typeof orders; readonly limit: number },
): Promise<Sum[]> => {
  if (isEmpty(plan)) return []
  const { rows } = await sql<Sum>`
    select subject_id as id, max(name) as name, ${sums}
    from (${rowsOf(plan, 'series')}) as part
    group by subject_id
    order by ${orders[sort]}, sum(sittings) desc, max(name), subject_id
    limit ${limit}`.execute(db)
  return rows
}

export const countBooks = async (db: ReadDb, plan: Plan): Promise<number> => {
  if (isEmpty(plan)) return 0
  const { rows } = await sql<{ count: number }>`
    select count(distinct subject_id) as count from (${rowsOf(plan, 'book')}) as part`.execute(db)
  return rows[0]?.count ?? 0
}

export const countBooksOfSeries = async (
  db: ReadDb,
  plan: Plan,
  seriesIds: readonly string[],
): Promise<Map<string, number>> => {
  if (isEmpty(plan) || seriesIds.length === 0) return new Map()
  const { rows } = await sql<{ series_id: string; count: number }>`
    select series_id, count(distinct subject_id) as count
    from (${rowsOf(plan, 'book')}) as part
    where series_id in (${sql.join(seriesIds)})
    group by series_id`.execute(db)
  return new Map(rows.map(({ series_id, count }) => [series_id, count]))
}

/** As they are called by now, of those the viewer sees. */
export const selectSeriesTitles = async (
  db: ReadDb,
  viewer: Viewer,
  seriesIds: readonly string[],
): Promise<Map<string, string>> => {
  if (seriesIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('series')
    .select(['id', 'title'])
    .where('id', 'in', seriesIds)
    .where(visibleTo(viewer, 'series'))
    .execute()
  return new Map(rows.map(({ id, title }) => [id, title]))
}

/** Sittings in several books may overlap: the one that ends last is among the last so many that were begun. */
const overlappingMax = 50

/** When the last of the sittings ended that each of these devices began in the window, and what it is called. */
export const selectLastRead = async (
  db: ReadDb,
  userId: string,
  deviceIds: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<Map<string, { readonly name: string | null; readonly lastReadAt: string }>> => {
  if (deviceIds.length === 0) return new Map()
  const last = deviceIds.map(
    (id) => sql`
      select device_id, max(ended_at) as ended_at from (
        select device_id, ended_at from reading_sitting
        where user_id = ${userId} and device_id = ${id} and started_at >= ${from} and started_at < ${to}
        order by started_at desc limit ${overlappingMax}) as latest group by device_id`,
  )
  const { rows } = await sql<{ device_id: string; ended_at: string; name: string | null }>`
    select last.device_id, last.ended_at, coalesce(device.given_name, device.name) as name
    from (${sql.join(last, sql` union all `)}) as last
    left join device on device.user_id = ${userId} and device.id = last.device_id`.execute(db)
  return new Map(rows.map(({ device_id, ended_at, name }) => [device_id, { name, lastReadAt: ended_at }]))
}

export const selectCoverage = async (
  db: ReadDb,
  userId: string,
): Promise<{ readonly first: string | null; readonly last: string | null }> => {
  const first = await db
    .selectFrom('reading_sitting')
    .select('started_at')
    .where('user_id', '=', userId)
    .orderBy('started_at')
    .limit(1)
    .executeTakeFirst()
  const latest = db
    .selectFrom('reading_sitting')
    .select('ended_at')
    .where('user_id', '=', userId)
    .orderBy('started_at', 'desc')
    .limit(overlappingMax)
  const last = await db
    .selectFrom(latest.as('latest'))
    .select(({ fn }) => fn.max('ended_at').as('at'))
    .executeTakeFirst()
  return { first: first?.started_at ?? null, last: last?.at ?? null }
}

/** Days with a sitting, from the sums. */
export const selectActiveDays = async (db: ReadDb, userId: string): Promise<Day[]> => {
  const rows = await db
    .selectFrom('reading_figure')
    .select('start')
    .where('user_id', '=', userId)
    .where('subject', '=', 'all')
    .where('scale', '=', 'day')
    .where('sittings', '>', 0)
    .orderBy('start')
    .execute()
  return rows.map(({ start }) => start)
}

export interface BookInHand {
  readonly format: FileFormat
  readonly pageCount: number
  readonly page: number | null
  readonly percentage: number | null
  readonly saidOf: number | null
  readonly isRead: boolean
  readonly startedAt: string | null
  /** When they began to read it this time; null: they have not. */
  readonly readingSince: string | null
}

export const selectBookInHand = async (db: ReadDb, userId: string, bookId: string): Promise<BookInHand | undefined> => {
  const row = await db
    .selectFrom('book')
    .leftJoin('read_progress', (join) =>
      join.onRef('read_progress.book_id', '=', 'book.id').on('read_progress.user_id', '=', userId),
    )
    .leftJoin('reading_head', (join) =>
      join.onRef('reading_head.book_id', '=', 'book.id').on('reading_head.user_id', '=', userId),
    )
    .select([
      'reading_head.state',
      'book.format',
      'book.page_count as pageCount',
      'read_progress.page',
      'read_progress.percentage',
      'read_progress.page_count as saidOf',
      'read_progress.completed',
      'read_progress.rereading',
      'read_progress.started_at as startedAt',
    ])
    .where('book.id', '=', bookId)
    .executeTakeFirst()
  if (!row) return undefined
  const { completed, rereading, state, ...rest } = row
  const readingSince = state === null ? null : ((JSON.parse(state) as ReadingState).pass?.startedAt ?? null)
  return { ...rest, readingSince, isRead: completed === 1 && rereading !== 1 }
}

/** How much of this book was read in how much measured time, since it was begun. */
export const selectOwnPace = async (
  db: ReadDb,
  { userId, bookId, since }: { readonly userId: string; readonly bookId: string; readonly since: string },
): Promise<{
  readonly pages: number
  readonly pacedMs: number
  readonly measuredMs: number
  readonly unmeasured: number
}> => {
  const { rows } = await sql<{ pages: number; paced: number; measured: number; unmeasured: number }>`
    select
      coalesce(sum(case when inferred_ms = 0 and pages > 0 and measured_ms > 0 then pages else 0 end), 0) as pages,
      coalesce(sum(case when inferred_ms = 0 and pages > 0 and measured_ms > 0 then measured_ms else 0 end), 0) as paced,
      coalesce(sum(measured_ms), 0) as measured,
      coalesce(sum(case when is_sitting = 1 and measured_ms is null then 1 else 0 end), 0) as unmeasured
    from reading_sitting
    where user_id = ${userId} and book_id = ${bookId} and started_at >= ${since}`.execute(db)
  const [row] = rows
  return {
    pages: row?.pages ?? 0,
    pacedMs: row?.paced ?? 0,
    measuredMs: row?.measured ?? 0,
    unmeasured: row?.unmeasured ?? 0,
  }
}
