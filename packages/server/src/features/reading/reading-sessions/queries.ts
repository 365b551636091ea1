import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { cachedStatement } from '../../../database/cached-statement.ts'
import { insertMany } from '../../../database/many.ts'
import { dialectOf } from '../../../database/transaction.ts'
import type { Pair } from '../log/queries.ts'
import type { ProgressNews } from '../news.ts'
import type { Figures, ReadingTables } from '../table.ts'
import type { CountedEntry, StatedCompletion } from './reading-sessions.ts'

export type SessionRow = Selectable<ReadingTables['reading_session']>
export type FigureRow = Selectable<ReadingTables['reading_figure']>

/** A stretch of time in a book, both ends in it. */
export interface Stretch {
  readonly bookId: string
  readonly from: string
  readonly to: string
}

/** Stretches as a table `near`, one for each book. */
const near = (stretches: readonly Stretch[]) => sql`with near as (
  ${sql.join(
    stretches.map(
      ({ bookId, from, to }) =>
        sql`select cast(${bookId} as text) as book_id, cast(${from} as text) as lower, cast(${to} as text) as upper`,
    ),
    sql` union all `,
  )})`

/** Sessions around a stretch of a book. */
export interface Neighbours {
  /** These sessions touch the stretch. */
  readonly touching: readonly SessionRow[]
  /** The last that began before it. */
  readonly before: SessionRow | undefined
  /** It says whether any session begins after it. */
  readonly hasLater: boolean
}

type RowOfPart = SessionRow & { readonly part: 'touching' | 'before' | 'after' }

const withoutPart = (rowOfPart: RowOfPart): SessionRow => {
  const { part: _, ...row } = rowOfPart
  return row
}

// Crossed, so that SQLite begins with the few stretches.
const neighboursIn = (userId: string, stretches: readonly Stretch[]) => sql<RowOfPart>`
    ${near(stretches)}
    select 'touching' as part, session.* from near cross join reading_session as session
    where session.user_id = ${userId} and session.book_id = near.book_id
      and session.ended_at >= near.lower and session.started_at <= near.upper
    union all
    select 'before' as part, session.* from near cross join reading_session as session
    where session.user_id = ${userId} and session.id = (
      select id from reading_session as one
      where one.user_id = ${userId} and one.book_id = near.book_id and one.started_at < near.lower
      order by one.started_at desc, one.id desc limit 1)
    union all
    select 'after' as part, session.* from near cross join reading_session as session
    where session.user_id = ${userId} and session.id = (
      select id from reading_session as one
      where one.user_id = ${userId} and one.book_id = near.book_id and one.started_at > near.upper
      order by one.started_at, one.id limit 1)`

const ofOne = <Row>(rowsIn: (userId: string, stretches: readonly Stretch[]) => RawBuilder<Row>) =>
  cachedStatement(
    (db, { userId, bookId, from, to }) => ({ compile: () => rowsIn(userId, [{ bookId, from, to }]).compile(db) }),
    ['userId', 'bookId', 'from', 'to'],
  )
const neighboursOfOne = ofOne(neighboursIn)

/** A single stretch, as of a page turned, is asked for with a text that is made once. */
const alone = async <Row>(
  rowsIn: (userId: string, stretches: readonly Stretch[]) => RawBuilder<Row>,
  rowsOfOne: ReturnType<typeof ofOne<Row>>,
  { db, userId, stretches }: { readonly db: ReadDb; readonly userId: string; readonly stretches: readonly Stretch[] },
): Promise<readonly Row[]> => {
  const [only, ...others] = stretches
  if (only && others.length === 0) return rowsOfOne(db, { userId, ...only }, undefined)
  return (await rowsIn(userId, stretches).execute(db)).rows
}

/** One statement answers for all books; the key is the book. */
export const selectNeighbours = async (
  db: ReadDb,
  userId: string,
  stretches: readonly Stretch[],
): Promise<Map<string, Neighbours>> => {
  if (stretches.length === 0) return new Map()
  const rows = await alone(neighboursIn, neighboursOfOne, { db, userId, stretches })
  const byBook = Map.groupBy(rows, ({ book_id }) => book_id)
  return new Map(
    stretches.map(({ bookId }) => {
      const own = Map.groupBy(byBook.get(bookId) ?? [], ({ part }) => part)
      const rowsOf = (part: 'touching' | 'before') => (own.get(part) ?? []).map(withoutPart)
      return [
        bookId,
        { touching: rowsOf('touching'), before: rowsOf('before')[0], hasLater: own.get('after') !== undefined },
      ]
    }),
  )
}

/** It reads sessions of a user a part at a time: all, or those with one book. */
export const selectSessionsAfter = (
  db: ReadDb,
  { userId, bookId }: Pick<Pair, 'userId'> & Partial<Pair>,
  after: SessionCursor,
  limit: number,
): Promise<SessionRow[]> =>
  db
    .selectFrom('reading_session')
    .selectAll()
    .where('user_id', '=', userId)
    .$if(bookId !== undefined, (query) => query.where('book_id', '=', bookId ?? ''))
    .where(({ eb, refTuple, tuple }) => eb(refTuple('started_at', 'id'), '>', tuple(after.startedAt, after.id)))
    .orderBy('started_at')
    .orderBy('id')
    .limit(limit)
    .execute()

type EntryColumns = Pick<
  Selectable<ReadingTables['reading_log']>,
  | 'id'
  | 'book_id'
  | 'kind'
  | 'source'
  | 'device_id'
  | 'started_at'
  | 'at'
  | 'active_ms'
  | 'pages_read'
  | 'page'
  | 'page_count'
  | 'finishes'
  | 'series_id'
  | 'series_name'
  | 'format'
>

/** It holds the log of stretches of books. */
export interface LogPart {
  readonly entries: readonly CountedEntry[]
  readonly completions: Completions
  /** When the book was begun again, in order: ever, and not only there. */
  readonly resets: readonly string[]
}

export const emptyLogPart: LogPart = { entries: [], completions: { derived: new Set(), stated: [] }, resets: [] }

const entryColumns = sql`entry.id, entry.book_id, entry.kind, entry.source, entry.device_id, entry.started_at, entry.at,
  entry.active_ms, entry.pages_read, entry.page, entry.page_count, entry.finishes, entry.series_id, entry.series_name,
  entry.format`

type LogRow = EntryColumns & { readonly part: 'entry' | 'completion' | 'reset' | 'stated' }

const [text, integer] = [sql`cast(null as text)`, sql`cast(null as integer)`]
const logIn = (userId: string, stretches: readonly Stretch[]) => sql<LogRow>`
    ${near(stretches)}
    select case when done.id is null or said.id is not null then 'entry' else 'completion' end as part, ${entryColumns}
    from near cross join reading_log as entry
    left join read_completion as done on done.user_id = ${userId} and done.id = entry.id
    left join stated_completion as said on said.user_id = ${userId} and said.id = entry.id
    where entry.user_id = ${userId} and entry.book_id = near.book_id and entry.at >= near.lower and entry.at <= near.upper
    union all
    select 'reset' as part, ${entryColumns} from near cross join reading_log as entry
    where entry.user_id = ${userId} and entry.book_id = near.book_id and entry.kind = 'reset'
    union all
    select 'stated' as part, said.id, said.book_id, ${text}, ${text}, ${text}, said.started_at, said.completed_at,
      ${integer}, ${integer}, ${integer}, ${integer}, 1, said.series_id, said.series_name, said.format
    from near cross join stated_completion as said
    join read_completion as done on done.user_id = ${userId} and done.id = said.id
    where said.user_id = ${userId} and said.book_id = near.book_id
      and said.completed_at >= near.lower and said.completed_at <= near.upper`
const logOfOne = ofOne(logIn)

/** One statement answers for all books; the key is the book. */
export const selectLogWithin = async (
  db: ReadDb,
  userId: string,
  stretches: readonly Stretch[],
): Promise<Map<string, LogPart>> => {
  if (stretches.length === 0) return new Map()
  const rows = await alone(logIn, logOfOne, { db, userId, stretches })
  return new Map([...Map.groupBy(rows, ({ book_id }) => book_id)].map(([bookId, own]) => [bookId, toLogPart(own)]))
}

const toLogPart = (rows: readonly LogRow[]): LogPart => {
  const parts = Map.groupBy(rows, ({ part }) => part)
  const completing = parts.get('completion') ?? []
  return {
    entries: [...(parts.get('entry') ?? []), ...completing].map(toCountedEntry),
    completions: {
      derived: new Set(completing.map(({ id }) => id)),
      stated: (parts.get('stated') ?? []).map((row) => ({ id: row.id, completedAt: row.at, about: aboutIn(row) })),
    },
    resets: (parts.get('reset') ?? []).map(({ at }) => at).sort(),
  }
}

const toCountedEntry = (row: EntryColumns): CountedEntry => ({
  id: row.id,
  kind: row.kind,
  source: row.source,
  deviceId: row.device_id,
  startedAt: row.started_at,
  at: row.at,
  activeMs: row.active_ms,
  pagesRead: row.pages_read,
  page: row.page,
  pageCount: row.page_count,
  finishes: row.finishes === 1,
  about: aboutIn(row),
})

const aboutIn = ({ series_id, series_name, format }: EntryColumns): CountedEntry['about'] => ({
  seriesId: series_id,
  seriesName: series_name,
  format,
})

export interface Completions {
  /** These are the completions the fold has found, by their entries. */
  readonly derived: ReadonlySet<string>
  /** These are the completions the user has entered. */
  readonly stated: readonly StatedCompletion[]
}

export const deleteSessions = async (db: WriteDb, userId: string, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  await db.deleteFrom('reading_session').where('user_id', '=', userId).where('id', 'in', ids).execute()
}

/** `changed`: where all of them are there already, what of them is not what it was. Indexes of all else stay untouched. */
export const saveSessions = (
  db: WriteDb,
  rows: readonly SessionRow[],
  changed: readonly (keyof SessionRow)[] | undefined,
): Promise<void> =>
  insertMany(db, 'reading_session', rows, {
    keys: ['user_id', 'id'],
    sets: changed ?? Object.keys(rows[0] ?? {}).filter((column) => column !== 'user_id' && column !== 'id'),
  })

/** It returns whether anything of the user has still to be counted. */
export const isAnyUncounted = async (db: ReadDb, userId: string): Promise<boolean> =>
  (await oneUncounted(db, { userId }, undefined)).length > 0

const uncounted = (db: ReadDb, userId: string) =>
  db
    .selectFrom('reading_head')
    .where('reading_head.user_id', '=', userId)
    .where('reading_head.uncounted_from', 'is not', null)

const oneUncounted = cachedStatement(
  (db, { userId }) => uncounted(db, userId).select('reading_head.book_id').limit(1),
  ['userId'],
)

/** What is to be counted in a book, and whether those who listen are to be told of it. */
export interface UncountedBook {
  readonly stretch: Stretch
  readonly news: ProgressNews | undefined
}

/** The next books, in the order of their ids. */
export const selectUncounted = async (
  db: ReadDb,
  userId: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<UncountedBook[]> => {
  const rows = await booksUncounted(db, { userId, after }, limit)
  return rows.map(({ bookId, from, to, untold, seriesId, libraryId, isOpen }) => ({
    stretch: { bookId, from: from ?? '', to: to ?? '' },
    news:
      untold === 1 && seriesId !== null && libraryId !== null
        ? { bookId, seriesId, libraryId, isUnread: isOpen === null }
        : undefined,
  }))
}

const booksUncounted = cachedStatement(
  (db, { userId, after }, limit: number) =>
    uncounted(db, userId)
      .where('reading_head.book_id', '>', after)
      .leftJoin('book', 'book.id', 'reading_head.book_id')
      .leftJoin('read_progress', (join) =>
        join
          .onRef('read_progress.user_id', '=', 'reading_head.user_id')
          .onRef('read_progress.book_id', '=', 'reading_head.book_id'),
      )
      .select([
        'reading_head.book_id as bookId',
        'reading_head.uncounted_from as from',
        'reading_head.uncounted_to as to',
        'reading_head.untold',
        'book.series_id as seriesId',
        'book.library_id as libraryId',
        'read_progress.entry_id as isOpen',
      ])
      .orderBy('reading_head.book_id')
      .limit(limit),
  ['userId', 'after'],
)

/** All books after one, up to another, have been counted. */
export const updateCounted = async (
  db: WriteDb,
  userId: string,
  { after, upTo }: { readonly after: string; readonly upTo: string },
): Promise<void> => {
  await countedUpTo(db, { userId, after, upTo }, undefined)
}

const countedUpTo = cachedStatement(
  (db: WriteDb, { userId, after, upTo }) =>
    db
      .updateTable('reading_head')
      .set({ uncounted_from: null, uncounted_to: null, untold: null })
      .where('user_id', '=', userId)
      .where('book_id', '>', after)
      .where('book_id', '<=', upTo)
      .where('uncounted_from', 'is not', null),
  ['userId', 'after', 'upTo'],
)

/** The next users of whom something has still to be counted, in the order of their ids. */
export const selectUncountedReaders = async (db: ReadDb, after: string, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('reading_head')
    .select('user_id')
    .distinct()
    .where('uncounted_from', 'is not', null)
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(limit)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** A position in the order of a user's sessions: the next part begins behind it. */
export interface SessionCursor {
  readonly startedAt: string
  readonly id: string
}

export interface FigureZone {
  /** The sums are kept in the days of this time zone; null when nothing was ever counted. */
  readonly storedZone: string | null
  /** When not null, the sums reach only up to here so far. */
  readonly builtTo: SessionCursor | null
  /** It is the user's present time zone. */
  readonly own: string
}

export const selectFigureZone = async (db: ReadDb, userId: string): Promise<FigureZone> => {
  const row = await db
    .selectFrom('user')
    .leftJoin('figure_zone', 'figure_zone.user_id', 'user.id')
    .select(['figure_zone.zone', 'figure_zone.built_start', 'figure_zone.built_id', 'user.time_zone'])
    .where('user.id', '=', userId)
    .executeTakeFirstOrThrow()
  return toFigureZone(row)
}

interface ZoneRow {
  readonly time_zone: string
  readonly zone: string | null
  readonly built_start: string | null
  readonly built_id: string | null
}

export const toFigureZone = ({ zone, built_start, built_id, time_zone }: ZoneRow): FigureZone => ({
  storedZone: zone,
  builtTo: built_start === null || built_id === null ? null : { startedAt: built_start, id: built_id },
  own: time_zone,
})

export const saveFigureZone = (
  db: WriteDb,
  userId: string,
  zone: string,
  builtTo: SessionCursor | null,
): Promise<void> =>
  insertMany(
    db,
    'figure_zone',
    [{ user_id: userId, zone, built_start: builtTo?.startedAt ?? null, built_id: builtTo?.id ?? null }],
    { keys: ['user_id'], sets: ['zone', 'built_start', 'built_id'] },
  )

const figureKeys = ['user_id', 'subject', 'scale', 'start', 'subject_id', 'series_id'] as const

export const figureColumns = [
  'sessions',
  'measured_ms',
  'inferred_ms',
  'pages',
  'without_duration',
  'without_pages',
  'completions',
  'paced_ms',
  'paced_pages',
  'begun',
] as const satisfies readonly (keyof Figures)[]

/** The figures are added to the stored ones. */
export const addFigures = async (db: WriteDb, rows: readonly FigureRow[]): Promise<void> => {
  if (rows.length === 0) return
  // Indexes of what stays as it is are not written again.
  const changed = figureColumns.filter((column) => rows.some((row) => row[column] !== 0))
  const shape = `reading_figure ${Object.keys(rows[0] ?? {}).join()} added ${changed.join()}`
  await dialectOf(db).many.insert(db, { shape, rows }, (part) =>
    db
      .insertInto('reading_figure')
      .values(part as never)
      .onConflict((conflict) =>
        conflict.columns(figureKeys).doUpdateSet({
          name: sql`coalesce(excluded.name, reading_figure.name)`,
          ...Object.fromEntries(
            changed.map((column) => [
              column,
              sql`${sql.ref(`reading_figure.${column}`)} + ${sql.ref(`excluded.${column}`)}`,
            ]),
          ),
        }),
      ),
  )
}

/** It deletes the sums that begin then and in which nothing is left to count. */
export const deleteEmptyFigures = async (db: WriteDb, userId: string, starts: readonly string[]): Promise<void> => {
  await db
    .deleteFrom('reading_figure')
    .where('user_id', '=', userId)
    .where('subject', 'in', ['all', 'format', 'device', 'series', 'book'])
    .where('scale', 'in', ['day', 'week', 'month', 'year', 'ever'])
    .where('start', 'in', starts)
    .where('sessions', '=', 0)
    .where('completions', '=', 0)
    .execute()
}

/** Some of them; answers whether there were any. */
export const deleteSomeFigures = async (db: WriteDb, userId: string, limit: number): Promise<boolean> => {
  const [last] = await db
    .selectFrom('reading_figure')
    .select(['subject', 'scale', 'start'])
    .where('user_id', '=', userId)
    .orderBy('subject')
    .orderBy('scale')
    .orderBy('start')
    .limit(1)
    .offset(limit - 1)
    .execute()
  const { numDeletedRows } = await db
    .deleteFrom('reading_figure')
    .where('user_id', '=', userId)
    .$if(last !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('subject', 'scale', 'start'),
          '<=',
          tuple(last?.subject ?? 'all', last?.scale ?? 'day', last?.start ?? ''),
        ),
      ),
    )
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export const selectSessionsOfBooks = (db: ReadDb, userId: string, bookIds: readonly string[]): Promise<SessionRow[]> =>
  bookIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('reading_session')
        .selectAll()
        .where('user_id', '=', userId)
        .where('book_id', 'in', bookIds)
        .execute()

export const selectFigures = (db: ReadDb, userId: string): Promise<FigureRow[]> =>
  db.selectFrom('reading_figure').selectAll().where('user_id', '=', userId).execute()
