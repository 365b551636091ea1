import type { FileFormat } from '@carrel/api'
import { type RawBuilder, sql } from 'kysely'
import type { ReadDb } from '../../../database/database.ts'
import { seesEverything, type Viewer, visibleTo } from '../../../catalogue/visibility/visibility.ts'
import { figureColumns, type SessionCursor, type SessionRow } from '../reading-sessions/queries.ts'
import type { ReadingState } from '../log/fold.ts'
import type { Figures } from '../table.ts'
import type { Plan, Stretch } from './window.ts'
import type { Day, DayRange } from './zone.ts'

const withinPieces = (pieces: readonly DayRange[]): RawBuilder<unknown> =>
  sql.join(
    pieces.map(({ scale, from, to }) => sql`(scale = ${scale} and start >= ${from} and start < ${to})`),
    sql` or `,
  )

/** Sums of the pieces of a window that the periods are made of. */
export const selectPeriodSums = async (
  db: ReadDb,
  { userId, byPeriod: { pieces } }: Plan,
): Promise<(Figures & { readonly start: Day })[]> => {
  if (pieces.length === 0) return []
  return db
    .selectFrom('reading_figure')
    .select(['start', ...figureColumns])
    .where('user_id', '=', userId)
    .where('subject', '=', 'all')
    .where(sql<boolean>`(${withinPieces(pieces)})`)
    .execute()
}

export type EdgeSession = Pick<
  SessionRow,
  'id' | 'started_at' | 'is_session' | 'measured_ms' | 'inferred_ms' | 'pages' | 'completions' | 'begins'
>

/** It reads the sessions that began within an edge, in order. */
export const selectEdgeSessions = (
  db: ReadDb,
  userId: string,
  {
    edge: { from, to },
    after,
    limit,
  }: { readonly edge: Stretch; readonly after: SessionCursor; readonly limit: number },
): Promise<EdgeSession[]> =>
  db
    .selectFrom('reading_session')
    .select(['id', 'started_at', 'is_session', 'measured_ms', 'inferred_ms', 'pages', 'completions', 'begins'])
    .where('user_id', '=', userId)
    .where('started_at', '>=', from)
    .where('started_at', '<', to)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('started_at', 'id'), '>', tuple(after.startedAt, after.id)))
    .orderBy('started_at')
    .orderBy('id')
    .limit(limit)
    .execute()

/** It counts one session, as `countsOf` does. */
const counted: Readonly<Record<keyof Figures, RawBuilder<unknown>>> = {
  sessions: sql`is_session`,
  measured_ms: sql`coalesce(measured_ms, 0)`,
  inferred_ms: sql`inferred_ms`,
  pages: sql`coalesce(pages, 0)`,
  without_duration: sql`case when is_session = 1 and measured_ms is null and inferred_ms = 0 then 1 else 0 end`,
  without_pages: sql`case when is_session = 1 and pages is null then 1 else 0 end`,
  completions: sql`completions`,
  paced_ms: sql`case when inferred_ms = 0 and pages > 0 and measured_ms > 0 then measured_ms else 0 end`,
  paced_pages: sql`case when inferred_ms = 0 and pages > 0 and measured_ms > 0 then pages else 0 end`,
  begun: sql`begins`,
}

const stretchTable = (name: 'edge' | 'sliver', stretches: readonly Stretch[]): RawBuilder<unknown> =>
  sql`${sql.id(name)} (place, lower, upper) as (values ${sql.join(
    stretches.map(
      ({ from, to }, index) => sql`(cast(${index} as integer), cast(${from} as text), cast(${to} as text))`,
    ),
  )})`

const pieceTable = (pieces: readonly DayRange[]): RawBuilder<unknown> =>
  sql`piece (piece_scale, lower, upper) as (values ${sql.join(
    pieces.map(({ scale, from, to }) => sql`(cast(${scale} as text), cast(${from} as text), cast(${to} as text))`),
  )})`

/**
 * It selects what lies in a window from sums (`kept`) and from sessions (`single`), joined with the tables that name
 * it.
 */
const overWindow = (
  { edges, pieces }: Plan,
  { kept, single }: { readonly kept: RawBuilder<unknown>; readonly single: readonly RawBuilder<unknown>[] },
): { readonly tables: readonly RawBuilder<unknown>[]; readonly rows: RawBuilder<unknown> } => ({
  tables: [
    ...(pieces.length > 0 ? [pieceTable(pieces)] : []),
    ...(edges.length > 0 ? [stretchTable('edge', edges)] : []),
  ],
  rows: sql.join([...(pieces.length > 0 ? [kept] : []), ...(edges.length > 0 ? single : [])], sql` union all `),
})

// Crossed, so that SQLite begins with the few pieces.
const figuresWithin = sql`piece cross join reading_figure as figure`
const ofFiguresWithin = sql`figure.scale = piece.piece_scale and start >= piece.lower and start < piece.upper`
const sessionsWithin = sql`edge cross join reading_session as session`
const ofSessionsWithin = sql`started_at >= edge.lower and started_at < edge.upper`

/** It sums up slivers, by their position in the list. */
export const selectSliverSums = async (
  db: ReadDb,
  userId: string,
  slivers: readonly Stretch[],
): Promise<(Figures & { readonly place: number })[]> => {
  if (slivers.length === 0) return []
  const sums = figureColumns.map((column) => sql`sum(${counted[column]}) as ${sql.id(column)}`)
  const { rows } = await sql<Figures & { readonly place: number }>`
    with ${stretchTable('sliver', slivers)}
    select place, ${sql.join(sums)}
    from sliver cross join reading_session
    where user_id = ${userId} and started_at >= lower and started_at < upper
    group by place`.execute(db)
  return rows
}

const columnOf = { format: 'format', device: 'device_id', series: 'series_id', book: 'book_id' } as const
type Subject = keyof typeof columnOf

/** These columns of a subject are shown. */
export const shownColumns = ['sessions', 'measured_ms', 'inferred_ms', 'pages', 'completions'] as const
const paced = ['paced_ms', 'paced_pages'] as const

const columnsOf = (columns: readonly (keyof Figures)[]) => ({
  kept: sql.join(columns.map((column) => sql.id(column))),
  single: sql.join(columns.map((column) => sql`${counted[column]} as ${sql.id(column)}`)),
  summed: sql.join(columns.map((column) => sql`sum(${sql.id(column)}) as ${sql.id(column)}`)),
})
export const ofShown = columnsOf(shownColumns)
const ofPaced = columnsOf(paced)

/** Every row that has to do with these, of sums and of sessions, one by one. */
export const rowsOf = (plan: Plan, subjects: readonly Subject[], columns = ofShown) =>
  overWindow(plan, {
    kept: sql`
      select subject, subject_id, name, ${columns.kept} from ${figuresWithin}
      where user_id = ${plan.userId} and subject in (${sql.join(subjects)}) and ${ofFiguresWithin}`,
    single: subjects.map(
      (subject) => sql`
        select cast(${subject} as text) as subject, ${sql.ref(columnOf[subject])} as subject_id, series_name as name,
          ${columns.single}
        from ${sessionsWithin} where user_id = ${plan.userId} and ${ofSessionsWithin}`,
    ),
  })

export const isEmpty = ({ edges, pieces }: Plan): boolean => edges.length === 0 && pieces.length === 0

export interface Sum extends Pick<Figures, (typeof shownColumns)[number]> {
  /** Null: all that the viewer may no longer see, in one. */
  readonly id: string | null
  readonly name: string | null
}

export type NamedSum = Sum & { readonly id: string }

export const selectSums = async (
  db: ReadDb,
  plan: Plan,
): Promise<{ readonly formats: readonly NamedSum[]; readonly devices: readonly NamedSum[] }> => {
  if (isEmpty(plan)) return { formats: [], devices: [] }
  const { tables, rows: parts } = rowsOf(plan, ['format', 'device'])
  const { rows } = await sql<NamedSum & { readonly subject: Subject }>`
    with ${sql.join(tables)}
    select subject, subject_id as id, null as name, ${ofShown.summed} from (${parts}) as part
    group by subject, subject_id`.execute(db)
  return {
    formats: rows.filter(({ subject }) => subject === 'format'),
    devices: rows.filter(({ subject }) => subject === 'device'),
  }
}

export const selectPaces = async (
  db: ReadDb,
  plan: Plan,
): Promise<(Pick<Figures, (typeof paced)[number]> & { readonly format: FileFormat })[]> => {
  if (isEmpty(plan)) return []
  const { tables, rows: parts } = rowsOf(plan, ['format'], ofPaced)
  const { rows } = await sql<Pick<Figures, (typeof paced)[number]> & { readonly format: FileFormat }>`
    with ${sql.join(tables)}
    select subject_id as format, ${ofPaced.summed} from (${parts}) as part group by subject_id`.execute(db)
  return rows
}

const measureOf = {
  time: sql`measured_ms + inferred_ms`,
  pages: sql`pages`,
  completions: sql`completions`,
}
export type Measure = keyof typeof measureOf

export const inOrderOf = (first: Measure): RawBuilder<unknown> =>
  sql.join(
    [first, ...(['time', 'pages', 'completions'] as const).filter((each) => each !== first)].map(
      (measure) => sql`sum(${measureOf[measure]}) desc`,
    ),
  )

export interface TopSeriesQuery {
  readonly sort: Measure
  readonly limit: number
}

const firstSeries = (
  { sort, limit }: TopSeriesQuery,
  rows: RawBuilder<unknown>,
  more = sql``,
): RawBuilder<NamedSum> => sql`
  select subject_id as id, max(name) as name, ${ofShown.summed}${more}
  from (${rows}) as part
  group by subject_id
  order by ${inOrderOf(sort)}, sum(sessions) desc, max(name), subject_id
  limit ${limit}`

export const selectSeriesSums = async (db: ReadDb, plan: Plan, query: TopSeriesQuery): Promise<readonly NamedSum[]> => {
  if (isEmpty(plan)) return []
  const { tables, rows: parts } = rowsOf(plan, ['series'])
  const { rows } = await sql<NamedSum>`with ${sql.join(tables)} ${firstSeries(query, parts)}`.execute(db)
  return rows
}

/** A library that was deleted hides nothing from those who saw it: its series are gone. */
const inAllLibraries = (viewer: Viewer): Viewer => ({ ...viewer, deletedLibraries: [] })

export const hidesNothing = (viewer: Viewer): boolean => seesEverything(inAllLibraries(viewer))

/**
 * A series is told of where one of its books is seen: ages may hide every book of one that is not rated itself. One
 * without any book hides nothing: its books have been deleted.
 */
const namedTo = (viewer: Viewer): RawBuilder<boolean> => {
  const ofSeries = sql`select 1 from book where book.series_id = series.id and book.state <> 'hidden'`
  return sql<boolean>`(${visibleTo(viewer, 'series')}
    and (exists (${ofSeries} and ${visibleTo(viewer, 'book')}) or not exists (${ofSeries})))`
}

/**
 * It returns those of these series that exist and that the viewer does not see. Deleted series keep the name they had.
 */
export const selectHiddenSeries = async (
  db: ReadDb,
  viewer: Viewer,
  seriesIds: readonly string[],
): Promise<string[]> => {
  if (seriesIds.length === 0) return []
  const rows = await db
    .selectFrom('series')
    .select('id')
    .where('id', 'in', seriesIds)
    .where(sql<boolean>`case when ${namedTo(inAllLibraries(viewer))} then 0 else 1 end = 1`)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * This many series are read before all of them are: for somebody who reads evenly, the first of half of all their years
 * are among them.
 */
const candidatesFor = (limit: number): number => 5 + 2 * limit

/**
 * The same, found among the series that were read most at any time: no series has more in a window than it ever had.
 * Undefined: those are not enough to know.
 */
export const selectSeriesSumsAmongFirst = async (
  db: ReadDb,
  plan: Plan,
  query: TopSeriesQuery,
): Promise<readonly NamedSum[] | undefined> => {
  if (isEmpty(plan)) return []
  const measure = measureOf[query.sort]
  const candidatesMax = candidatesFor(query.limit)
  const { tables, rows: parts } = overWindow(plan, {
    kept: sql`
      select most.subject_id, name, ${ofShown.kept} from most cross join ${figuresWithin}
      where user_id = ${plan.userId} and series_id = most.subject_id and series_id <> '' and subject = 'series'
        and ${ofFiguresWithin}`,
    single: [
      sql`
        select most.subject_id, series_name as name, ${ofShown.single}
        from ${sessionsWithin} join most on most.subject_id = series_id
        where user_id = ${plan.userId} and ${ofSessionsWithin}`,
    ],
  })
  const most = sql`most as (
    select subject_id, ${measure} as ever from reading_figure
    where user_id = ${plan.userId} and scale = 'ever' order by ${measure} desc limit ${candidatesMax})`
  const candidates = sql`, (select min(ever) from most) as least, (select count(*) from most) as candidates`
  const { rows } = await sql<NamedSum & { readonly least: number; readonly candidates: number }>`
    with ${sql.join([most, ...tables])} ${firstSeries(query, parts, candidates)}`.execute(db)
  const [first] = rows
  if (!first) return undefined
  const isKnown = rows.length === query.limit && rows.every((row) => measured(query.sort, row) > first.least)
  return isKnown || first.candidates < candidatesMax ? rows : undefined
}

export const measured = (measure: Measure, sum: Sum): number =>
  measure === 'time' ? sum.measured_ms + sum.inferred_ms : sum[measure]

/** Books that were read in the window and before it, too. */
export const countBooksReadAgain = async (db: ReadDb, plan: Plan): Promise<number> => {
  if (isEmpty(plan)) return 0
  const { userId, from } = plan
  const { tables, rows: parts } = overWindow(plan, {
    kept: sql`
      select subject_id as book_id from ${figuresWithin}
      where user_id = ${userId} and subject = 'book' and begun = 0 and ${ofFiguresWithin}`,
    single: [
      sql`
        select book_id from ${sessionsWithin}
        where user_id = ${userId} and ${ofSessionsWithin} and begins = 0`,
    ],
  })
  const { rows } = await sql<{ count: number }>`
    with ${sql.join(tables)}
    select count(*) as count from (select distinct book_id from (${parts}) as part) as again
    where exists (
      select 1 from reading_session as earlier
      where earlier.user_id = ${userId} and earlier.book_id = again.book_id and earlier.started_at < ${from})`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

export const countBooksOfSeries = async (
  db: ReadDb,
  plan: Plan,
  seriesIds: readonly string[],
): Promise<Map<string, number>> => {
  if (isEmpty(plan) || seriesIds.length === 0) return new Map()
  const ids = sql.join(seriesIds)
  const { tables, rows: parts } = overWindow(plan, {
    kept: sql`
      select series_id, subject_id as book_id from ${figuresWithin}
      where user_id = ${plan.userId} and series_id in (${ids}) and series_id <> '' and subject = 'book'
        and ${ofFiguresWithin}`,
    single: [
      sql`
        select series_id, book_id from ${sessionsWithin}
        where user_id = ${plan.userId} and ${ofSessionsWithin} and series_id in (${ids})`,
    ],
  })
  const { rows } = await sql<{ series_id: string; count: number }>`
    with ${sql.join(tables)}
    select series_id, count(distinct book_id) as count from (${parts}) as part group by series_id`.execute(db)
  return new Map(rows.map(({ series_id, count }) => [series_id, count]))
}

/** The titles are the present ones, of the series the viewer sees. */
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

/** Sessions in several books may overlap: the one that ends last is among the last so many that were begun. */
const overlappingMax = 50
/** Each is a term of one statement, of which SQLite takes five hundred. */
const devicesAtOnce = 100

/** When the last of the sessions ended that each of these devices began in the window, and what it is called. */
export const selectLastRead = async (
  db: ReadDb,
  userId: string,
  deviceIds: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<Map<string, { readonly name: string | null; readonly lastReadAt: string }>> => {
  const last = new Map<string, { readonly name: string | null; readonly lastReadAt: string }>()
  for (let first = 0; first < deviceIds.length; first += devicesAtOnce) {
    const each = deviceIds.slice(first, first + devicesAtOnce).map(
      (id) => sql`
        select device_id, max(ended_at) as ended_at from (
          select device_id, ended_at from reading_session
          where user_id = ${userId} and device_id = ${id} and started_at >= ${from} and started_at < ${to}
          order by started_at desc limit ${overlappingMax}) as latest group by device_id`,
    )
    const { rows } = await sql<{ device_id: string; ended_at: string; name: string | null }>`
      select last.device_id, last.ended_at, coalesce(device.given_name, device.name) as name
      from (${sql.join(each, sql` union all `)}) as last
      left join device on device.user_id = ${userId} and device.id = last.device_id`.execute(db)
    for (const { device_id, ended_at, name } of rows) last.set(device_id, { name, lastReadAt: ended_at })
  }
  return last
}

export const selectCoverage = async (
  db: ReadDb,
  userId: string,
): Promise<{ readonly first: string | null; readonly last: string | null }> => {
  const first = await db
    .selectFrom('reading_session')
    .select('started_at')
    .where('user_id', '=', userId)
    .orderBy('started_at')
    .limit(1)
    .executeTakeFirst()
  const latest = db
    .selectFrom('reading_session')
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

/** Days with a session, from the sums. */
export const selectActiveDays = async (db: ReadDb, userId: string): Promise<Day[]> => {
  const rows = await db
    .selectFrom('reading_figure')
    .select('start')
    .where('user_id', '=', userId)
    .where('subject', '=', 'all')
    .where('scale', '=', 'day')
    .where('sessions', '>', 0)
    .orderBy('start')
    .execute()
  return rows.map(({ start }) => start)
}

export interface BookInHand {
  readonly format: FileFormat
  readonly pageCount: number
  readonly page: number | null
  readonly percentage: number | null
  readonly positionPageCount: number | null
  readonly isRead: boolean
  readonly startedAt: string | null
  /** When they began to read it this time; null: they have not. */
  readonly readingSince: string | null
}

export const selectBooksInHand = async (
  db: ReadDb,
  userId: string,
  bookIds: readonly string[],
): Promise<ReadonlyMap<string, BookInHand>> => {
  if (bookIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('book')
    .leftJoin('read_progress', (join) =>
      join.onRef('read_progress.book_id', '=', 'book.id').on('read_progress.user_id', '=', userId),
    )
    .leftJoin('reading_head', (join) =>
      join.onRef('reading_head.book_id', '=', 'book.id').on('reading_head.user_id', '=', userId),
    )
    .select([
      'book.id',
      'reading_head.state',
      'book.format',
      'book.page_count as pageCount',
      'read_progress.page',
      'read_progress.percentage',
      'read_progress.page_count as positionPageCount',
      'read_progress.completed',
      'read_progress.rereading',
      'read_progress.started_at as startedAt',
    ])
    .where('book.id', 'in', bookIds)
    .execute()
  return new Map(
    rows.map(({ id, completed, rereading, state, ...rest }) => {
      const readingSince = state === null ? null : ((JSON.parse(state) as ReadingState).pass?.startedAt ?? null)
      return [id, { ...rest, readingSince, isRead: completed === 1 && rereading !== 1 }]
    }),
  )
}

/** How much of a book was read in how much measured time. */
export interface OwnPace {
  readonly pages: number
  readonly pacedMs: number
  readonly measuredMs: number
  readonly unmeasured: number
}

/** Each book since the time beside it; one that was not read since is absent. */
export const selectOwnPaces = async (
  db: ReadDb,
  userId: string,
  books: readonly (readonly [bookId: string, since: string])[],
): Promise<ReadonlyMap<string, OwnPace>> => {
  if (books.length === 0) return new Map()
  const each = books.map(
    ([bookId, since]) => sql`
      select
        book_id as id,
        coalesce(sum(case when inferred_ms = 0 and pages > 0 and measured_ms > 0 then pages else 0 end), 0) as pages,
        coalesce(sum(case when inferred_ms = 0 and pages > 0 and measured_ms > 0 then measured_ms else 0 end), 0) as paced,
        coalesce(sum(measured_ms), 0) as measured,
        coalesce(sum(case when is_session = 1 and measured_ms is null then 1 else 0 end), 0) as unmeasured
      from reading_session
      where user_id = ${userId} and book_id = ${bookId} and started_at >= ${since}
      group by book_id`,
  )
  const { rows } = await sql<{ id: string; pages: number; paced: number; measured: number; unmeasured: number }>`
    ${sql.join(each, sql` union all `)}`.execute(db)
  return new Map(
    rows.map(({ id, pages, paced, measured, unmeasured }) => [
      id,
      { pages, pacedMs: paced, measuredMs: measured, unmeasured },
    ]),
  )
}
