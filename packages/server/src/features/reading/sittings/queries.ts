import { type Selectable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { insertMany } from '../../../database/many.ts'
import { dialectOf } from '../../../database/transaction.ts'
import type { Pair } from '../log/queries.ts'
import type { Figures, ReadingTables } from '../table.ts'
import type { CountedFact, StatedCompletion } from './sittings.ts'

export type SittingRow = Selectable<ReadingTables['reading_sitting']>
export type FigureRow = Selectable<ReadingTables['reading_figure']>

/** A stretch of time in a book, both ends in it. */
export interface Stretch {
  readonly bookId: string
  readonly from: string
  readonly to: string
}

/** Stretches as a table `near`, one for each book. */
const near = (stretches: readonly Stretch[]) => sql`(
  ${sql.join(
    stretches.map(
      ({ bookId, from, to }) =>
        sql`select cast(${bookId} as text) as book_id, cast(${from} as text) as lower, cast(${to} as text) as upper`,
    ),
    sql` union all `,
  )}) as near`

/** Sittings that touch stretches of their books, in order. */
export const selectTouching = async (
  db: ReadDb,
  userId: string,
  stretches: readonly Stretch[],
): Promise<SittingRow[]> => {
  if (stretches.length === 0) return []
  const { rows } = await sql<SittingRow>`
    select sitting.* from ${near(stretches)}
    join reading_sitting as sitting on sitting.user_id = ${userId} and sitting.book_id = near.book_id
      and sitting.ended_at >= near.lower and sitting.started_at <= near.upper
    order by sitting.started_at, sitting.id`.execute(db)
  return rows
}

/** Which pages were read by the beginning of each stretch, and whether anything comes after its end. */
export const selectAround = async (
  db: ReadDb,
  userId: string,
  stretches: readonly Stretch[],
): Promise<Map<string, { readonly before: string | null; readonly isLast: boolean }>> => {
  if (stretches.length === 0) return new Map()
  const { rows } = await sql<{ book_id: string; before: string | null; later: string | null }>`
    select near.book_id,
      (select coverage from reading_sitting as sitting
        where sitting.user_id = ${userId} and sitting.book_id = near.book_id and sitting.started_at < near.lower
        order by started_at desc, id desc limit 1) as before,
      (select id from reading_sitting as sitting
        where sitting.user_id = ${userId} and sitting.book_id = near.book_id and sitting.started_at > near.upper
        limit 1) as later
    from ${near(stretches)}`.execute(db)
  return new Map(rows.map(({ book_id, before, later }) => [book_id, { before, isLast: later === null }]))
}

export const selectSittingsAfter = (
  db: ReadDb,
  { userId, bookId }: Pair,
  after: SittingPlace,
  limit: number,
): Promise<SittingRow[]> =>
  db
    .selectFrom('reading_sitting')
    .selectAll()
    .where('user_id', '=', userId)
    .where('book_id', '=', bookId)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('started_at', 'id'), '>', tuple(after.startedAt, after.id)))
    .orderBy('started_at')
    .orderBy('id')
    .limit(limit)
    .execute()

/** When these books were begun again, in order. */
export const selectResets = async (
  db: ReadDb,
  userId: string,
  bookIds: readonly string[],
): Promise<Map<string, string[]>> => {
  if (bookIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('reading_session')
    .select(['book_id', 'at'])
    .where('user_id', '=', userId)
    .where('book_id', 'in', bookIds)
    .where('kind', '=', sql.lit('reset' as const))
    .orderBy('at')
    .execute()
  const resets = new Map<string, string[]>()
  for (const { book_id, at } of rows) resets.set(book_id, [...(resets.get(book_id) ?? []), at])
  return resets
}

type FactColumns = Pick<
  Selectable<ReadingTables['reading_session']>,
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

/** By book. */
export const selectCountedFacts = async (
  db: ReadDb,
  userId: string,
  stretches: readonly Stretch[],
): Promise<Map<string, CountedFact[]>> => {
  if (stretches.length === 0) return new Map()
  const { rows } = await sql<FactColumns>`
    select fact.id, fact.book_id, fact.kind, fact.source, fact.device_id, fact.started_at, fact.at, fact.active_ms,
      fact.pages_read, fact.page, fact.page_count, fact.finishes, fact.series_id, fact.series_name, fact.format
    from ${near(stretches)}
    join reading_session as fact on fact.user_id = ${userId} and fact.book_id = near.book_id
      and fact.at >= near.lower and fact.at <= near.upper`.execute(db)
  return new Map(
    [...Map.groupBy(rows, ({ book_id }) => book_id)].map(([bookId, own]) => [bookId, own.map(toCountedFact)]),
  )
}

const toCountedFact = (row: FactColumns): CountedFact => ({
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
  about: { seriesId: row.series_id, seriesName: row.series_name, format: row.format },
})

export interface Completions {
  /** Those the fold has found, by their facts. */
  readonly found: ReadonlySet<string>
  /** Those the user has said. */
  readonly stated: readonly StatedCompletion[]
}

/** By book. */
export const selectCompletionsWithin = async (
  db: ReadDb,
  userId: string,
  stretches: readonly Stretch[],
): Promise<Map<string, Completions>> => {
  if (stretches.length === 0) return new Map()
  const { rows } = await sql<{
    id: string
    book_id: string
    completed_at: string
    series_id: string | null
    series_name: string | null
    format: CountedFact['about']['format'] | null
  }>`
    select done.id, done.book_id, done.completed_at, stated.series_id, stated.series_name, stated.format
    from ${near(stretches)}
    join read_completion as done on done.user_id = ${userId} and done.book_id = near.book_id
      and done.completed_at >= near.lower and done.completed_at <= near.upper
    left join stated_completion as stated on stated.user_id = done.user_id and stated.id = done.id`.execute(db)
  const completions = new Map<string, { found: Set<string>; stated: StatedCompletion[] }>()
  for (const { id, book_id, completed_at, series_id, series_name, format } of rows) {
    const known = completions.get(book_id) ?? { found: new Set(), stated: [] }
    completions.set(book_id, known)
    if (series_id === null || series_name === null || format === null) known.found.add(id)
    else
      known.stated.push({
        id,
        completedAt: completed_at,
        about: { seriesId: series_id, seriesName: series_name, format },
      })
  }
  return completions
}

export const deleteSittings = async (db: WriteDb, userId: string, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  await db.deleteFrom('reading_sitting').where('user_id', '=', userId).where('id', 'in', ids).execute()
}

export const saveSittings = (db: WriteDb, rows: readonly SittingRow[]): Promise<void> =>
  insertMany(db, 'reading_sitting', rows, {
    keys: ['user_id', 'id'],
    sets: Object.keys(rows[0] ?? {}).filter((column) => column !== 'user_id' && column !== 'id'),
  })

/** A place in the order of a user's sittings. */
export interface SittingPlace {
  readonly startedAt: string
  readonly id: string
}

export interface FigureZone {
  /** In whose days the sums are kept; null: nothing was ever counted. */
  readonly kept: string | null
  /** Not null: only up to here, so far. */
  readonly builtTo: SittingPlace | null
  /** Where the user lives by now. */
  readonly own: string
}

export const selectFigureZone = async (db: ReadDb, userId: string): Promise<FigureZone> => {
  const row = await db
    .selectFrom('user')
    .leftJoin('figure_zone', 'figure_zone.user_id', 'user.id')
    .select(['figure_zone.zone', 'figure_zone.built_start', 'figure_zone.built_id', 'user.time_zone'])
    .where('user.id', '=', userId)
    .executeTakeFirstOrThrow()
  const { zone, built_start, built_id, time_zone } = row
  return {
    kept: zone,
    builtTo: built_start === null || built_id === null ? null : { startedAt: built_start, id: built_id },
    own: time_zone,
  }
}

export const saveFigureZone = (
  db: WriteDb,
  userId: string,
  zone: string,
  builtTo: SittingPlace | null,
): Promise<void> =>
  insertMany(
    db,
    'figure_zone',
    [{ user_id: userId, zone, built_start: builtTo?.startedAt ?? null, built_id: builtTo?.id ?? null }],
    { keys: ['user_id'], sets: ['zone', 'built_start', 'built_id'] },
  )

const figureKeys = ['user_id', 'subject', 'scale', 'start', 'subject_id', 'series_id'] as const

export const figureColumns = [
  'sittings',
  'measured_ms',
  'inferred_ms',
  'pages',
  'without_duration',
  'without_pages',
  'completions',
  'paced_ms',
  'paced_pages',
] as const satisfies readonly (keyof Figures)[]

/** To what stands there. */
export const addFigures = async (db: WriteDb, rows: readonly FigureRow[]): Promise<void> => {
  if (rows.length === 0) return
  await dialectOf(db).many.insert(db, rows, (part) =>
    db
      .insertInto('reading_figure')
      .values(part as never)
      .onConflict((conflict) =>
        conflict.columns(figureKeys).doUpdateSet({
          name: sql`coalesce(excluded.name, reading_figure.name)`,
          ...Object.fromEntries(
            figureColumns.map((column) => [
              column,
              sql`${sql.ref(`reading_figure.${column}`)} + ${sql.ref(`excluded.${column}`)}`,
            ]),
          ),
        }),
      ),
  )
}

/** Of these days, weeks, months and years, where nothing is left to count. */
export const deleteEmptyFigures = async (db: WriteDb, userId: string, starts: readonly string[]): Promise<void> => {
  await db
    .deleteFrom('reading_figure')
    .where('user_id', '=', userId)
    .where('subject', 'in', ['all', 'format', 'device', 'series', 'book'])
    .where('scale', 'in', ['day', 'week', 'month', 'year'])
    .where('start', 'in', starts)
    .where('sittings', '=', 0)
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

export const selectSittingsOfBooks = (db: ReadDb, userId: string, bookIds: readonly string[]): Promise<SittingRow[]> =>
  bookIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('reading_sitting')
        .selectAll()
        .where('user_id', '=', userId)
        .where('book_id', 'in', bookIds)
        .execute()

/** All of a user's, a part at a time. */
export const selectSittingsInOrder = (
  db: ReadDb,
  userId: string,
  after: SittingPlace,
  limit: number,
): Promise<SittingRow[]> =>
  db
    .selectFrom('reading_sitting')
    .selectAll()
    .where('user_id', '=', userId)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('started_at', 'id'), '>', tuple(after.startedAt, after.id)))
    .orderBy('started_at')
    .orderBy('id')
    .limit(limit)
    .execute()

export const selectFigures = (db: ReadDb, userId: string): Promise<FigureRow[]> =>
  db.selectFrom('reading_figure').selectAll().where('user_id', '=', userId).execute()
