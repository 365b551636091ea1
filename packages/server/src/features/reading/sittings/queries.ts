import { type Insertable, type Selectable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { insertMany } from '../../../database/many.ts'
import { dialectOf } from '../../../database/transaction.ts'
import type { Pair } from '../log/queries.ts'
import type { Figures, ReadingTables } from '../table.ts'
import type { CountedFact, StatedCompletion } from './sittings.ts'

export type SittingRow = Selectable<ReadingTables['reading_sitting']>
export type FigureRow = Selectable<ReadingTables['reading_figure']>

/** A stretch of time, both ends in it. */
export interface Stretch {
  readonly from: string
  readonly to: string
}

/** Sittings of a book that touch a stretch, which ends where they end. */
export const selectTouching = (db: ReadDb, { userId, bookId }: Pair, { from, to }: Stretch): Promise<SittingRow[]> =>
  db
    .selectFrom('reading_sitting')
    .selectAll()
    .where('user_id', '=', userId)
    .where('book_id', '=', bookId)
    .where('ended_at', '>=', from)
    .where('started_at', '<=', to)
    .orderBy('started_at')
    .orderBy('id')
    .execute()

/** The last one that begins before. */
export const selectSittingBefore = (db: ReadDb, { userId, bookId }: Pair, before: string) =>
  db
    .selectFrom('reading_sitting')
    .select(['coverage', 'ended_at'])
    .where('user_id', '=', userId)
    .where('book_id', '=', bookId)
    .where('started_at', '<', before)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

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

/** When this book was begun again. */
export const selectResets = async (db: ReadDb, { userId, bookId }: Pair): Promise<string[]> => {
  const rows = await db
    .selectFrom('reading_session')
    .select('at')
    .where('user_id', '=', userId)
    .where('book_id', '=', bookId)
    .where('kind', '=', sql.lit('reset' as const))
    .orderBy('at')
    .execute()
  return rows.map(({ at }) => at)
}

export const selectCountedFacts = async (
  db: ReadDb,
  { userId, bookId }: Pair,
  stretch?: Stretch,
): Promise<CountedFact[]> => {
  const rows = await db
    .selectFrom('reading_session')
    .select([
      'id',
      'kind',
      'source',
      'device_id as deviceId',
      'started_at as startedAt',
      'at',
      'active_ms as activeMs',
      'pages_read as pagesRead',
      'page',
      'page_count as pageCount',
      'finishes',
      'series_id as seriesId',
      'series_name as seriesName',
      'format',
    ])
    .where('user_id', '=', userId)
    .where('book_id', '=', bookId)
    .$if(stretch !== undefined, (query) =>
      query.where('at', '>=', stretch?.from ?? '').where('at', '<=', stretch?.to ?? ''),
    )
    .execute()
  return rows.map(({ finishes, seriesId, seriesName, format, ...fact }) => ({
    ...fact,
    finishes: finishes === 1,
    about: { seriesId, seriesName, format },
  }))
}

/** Those the fold has found, by their facts, and those the user has said. */
export const selectCompletionsWithin = async (
  db: ReadDb,
  { userId, bookId }: Pair,
  { from, to }: Stretch,
): Promise<{ readonly found: ReadonlySet<string>; readonly stated: readonly StatedCompletion[] }> => {
  const rows = await db
    .selectFrom('read_completion')
    .leftJoin('stated_completion', (join) =>
      join
        .onRef('stated_completion.user_id', '=', 'read_completion.user_id')
        .onRef('stated_completion.id', '=', 'read_completion.id'),
    )
    .select([
      'read_completion.id',
      'read_completion.completed_at',
      'stated_completion.series_id',
      'stated_completion.series_name',
      'stated_completion.format',
    ])
    .where('read_completion.user_id', '=', userId)
    .where('read_completion.book_id', '=', bookId)
    .where('read_completion.completed_at', '>=', from)
    .where('read_completion.completed_at', '<=', to)
    .execute()
  const found = new Set<string>()
  const stated: StatedCompletion[] = []
  for (const { id, completed_at, series_id, series_name, format } of rows) {
    if (series_id === null || series_name === null || format === null) found.add(id)
    else
      stated.push({
        id,
        completedAt: completed_at,
        about: { seriesId: series_id, seriesName: series_name, format },
      })
  }
  return { found, stated }
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
  await dialectOf(db).many.insert(db, rows as readonly Insertable<ReadingTables['reading_figure']>[], (part) =>
    db
      .insertInto('reading_figure')
      .values(part as unknown as readonly FigureRow[])
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

export const selectSittingsOfBooks = (
  db: ReadDb,
  userId: string,
  bookIds: readonly string[],
): Promise<SittingRow[]> =>
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

