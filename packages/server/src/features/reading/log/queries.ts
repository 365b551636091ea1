import { type Selectable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { flag } from '../../../database/flag.ts'
import { cachedStatement } from '../../../database/cached-statement.ts'
import { insertMany } from '../../../database/many.ts'
import type { ReadingTables } from '../table.ts'
import type { Completion, LogEntry, ReadingState } from './fold.ts'

export type LogEntryRow = Selectable<ReadingTables['reading_log']>

/** It names the user and the book whose log is meant. */
export interface Pair {
  readonly userId: string
  readonly bookId: string
}

/** A position in a log. */
export interface LogPosition {
  readonly at: string
  readonly id: string
}

export interface Snapshot {
  readonly position: LogPosition
  /** It is the JSON of a `ReadingState`. */
  readonly state: string
}

export const insertEntries = (db: WriteDb, rows: readonly LogEntryRow[]): Promise<void> =>
  insertMany(db, 'reading_log', rows)

export const selectExistingIds = async (db: ReadDb, userId: string, ids: readonly string[]): Promise<Set<string>> => {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('reading_log')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', 'in', ids)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** It reads when a device has last said where in a book its reader is, by its own clock and by ours. */
export const selectLastSaid = (db: ReadDb, { userId, bookId }: Pair, deviceId: string) =>
  db
    .selectFrom('reading_log')
    .select(({ fn }) => [fn.coalesce('said_at', 'at').as('said'), 'recorded_at as recorded'])
    .where('user_id', '=', userId)
    .where('book_id', '=', bookId)
    .where('device_id', '=', deviceId)
    .where('locator', 'is not', null)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** It reads the latest snapshot before a position. */
export const selectSnapshotBefore = async (
  db: ReadDb,
  { userId, bookId }: Pair,
  position: LogPosition,
): Promise<Snapshot | undefined> => {
  const row = await db
    .selectFrom('reading_snapshot')
    .select(['at', 'entry_id', 'state'])
    .where('user_id', '=', userId)
    .where('book_id', '=', bookId)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('at', 'entry_id'), '<', tuple(position.at, position.id)))
    .orderBy('at', 'desc')
    .orderBy('entry_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { position: { at: row.at, id: row.entry_id }, state: row.state }
}

export const selectSnapshotsAfter = async (
  db: ReadDb,
  { userId, bookId }: Pair,
  position: LogPosition,
): Promise<Snapshot[]> => {
  const rows = await db
    .selectFrom('reading_snapshot')
    .select(['at', 'entry_id', 'state'])
    .where('user_id', '=', userId)
    .where('book_id', '=', bookId)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('at', 'entry_id'), '>', tuple(position.at, position.id)))
    .execute()
  return rows.map(({ at, entry_id, state }) => ({ position: { at, id: entry_id }, state }))
}

/** The rows come in the order of the fold. Without a position they start at the beginning. */
export const selectEntriesAfter = async (
  db: ReadDb,
  { userId, bookId }: Pair,
  position: LogPosition | undefined,
  limit: number,
): Promise<LogEntry[]> => {
  const rows = await db
    .selectFrom('reading_log')
    .select(['id', 'kind', 'started_at', 'at', 'device_id', 'page', 'percentage', 'page_count', 'finishes', 'outright'])
    .where('user_id', '=', userId)
    .where('book_id', '=', bookId)
    .$if(position !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('at', 'id'), '>', tuple(position?.at ?? '', position?.id ?? '')),
      ),
    )
    .orderBy('at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toEntry)
}

export const saveSnapshots = (
  db: WriteDb,
  userId: string,
  snapshots: readonly { readonly bookId: string; readonly snapshot: Snapshot }[],
): Promise<void> =>
  insertMany(
    db,
    'reading_snapshot',
    snapshots.map(({ bookId, snapshot: { position, state } }) => ({
      user_id: userId,
      book_id: bookId,
      at: position.at,
      entry_id: position.id,
      state,
    })),
    { keys: ['user_id', 'book_id', 'at', 'entry_id'], sets: ['state'] },
  )

/**
 * It saves the positions of users as far as they follow from states: one statement for those that have one, one for
 * those that do not.
 */
export const saveStandings = async (
  db: WriteDb,
  userId: string,
  states: readonly { readonly bookId: string; readonly state: ReadingState }[],
): Promise<void> => {
  const gone = states.filter(({ state }) => state.standing === null).map(({ bookId }) => bookId)
  if (gone.length > 0) {
    await db.deleteFrom('read_progress').where('user_id', '=', userId).where('book_id', 'in', gone).execute()
  }
  const rows = states.flatMap(({ bookId, state }) => progressRow(userId, bookId, state) ?? [])
  await insertMany(db, 'read_progress', rows, {
    keys: ['user_id', 'book_id'],
    sets: Object.keys(rows[0] ?? {}).filter((column) => column !== 'user_id' && column !== 'book_id'),
  })
}

/** Undefined means that nothing is begun. */
export const progressRow = (
  userId: string,
  bookId: string,
  { standing, startedAt, completedAt, isRereading }: ReadingState,
): Selectable<ReadingTables['read_progress']> | undefined =>
  standing === null
    ? undefined
    : {
        user_id: userId,
        book_id: bookId,
        entry_id: standing.entryId,
        device_id: standing.deviceId,
        page: standing.page,
        percentage: standing.percentage,
        page_count: standing.pageCount,
        completed: flag(completedAt !== null),
        rereading: flag(isRereading),
        started_at: startedAt ?? standing.at,
        updated_at: standing.at,
        completed_at: completedAt,
      }

/**
 * It deletes the completions of one book that the fold found after one position and not after another, and returns them.
 */
export const deleteCompletions = async (
  db: WriteDb,
  { userId, bookId }: Pair,
  { after, upTo }: { after: LogPosition | undefined; upTo: LogPosition | undefined },
): Promise<{ readonly id: string; readonly at: string }[]> =>
  db
    .deleteFrom('read_completion')
    .where('user_id', '=', userId)
    .where('book_id', '=', bookId)
    .where('id', 'not in', ({ selectFrom }) =>
      selectFrom('stated_completion')
        .select('stated_completion.id')
        .where('stated_completion.user_id', '=', userId)
        .where('stated_completion.book_id', '=', bookId),
    )
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('completed_at', 'id'), '>', tuple(after?.at ?? '', after?.id ?? '')),
      ),
    )
    .$if(upTo !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('completed_at', 'id'), '<=', tuple(upTo?.at ?? '', upTo?.id ?? '')),
      ),
    )
    .returning(['id', 'completed_at as at'])
    .execute()

/** Completions that the user has removed are left out. */
export const insertCompletions = async (
  db: WriteDb,
  userId: string,
  completions: readonly { readonly bookId: string; readonly completion: Completion }[],
): Promise<void> => {
  if (completions.length === 0) return
  const removed = await selectRemoved(
    db,
    userId,
    completions.map(({ completion }) => completion.entryId),
  )
  await insertMany(
    db,
    'read_completion',
    completions
      .filter(({ completion }) => !removed.has(completion.entryId))
      .map(({ bookId, completion: { entryId, startedAt, completedAt } }) => ({
        user_id: userId,
        id: entryId,
        book_id: bookId,
        started_at: startedAt,
        completed_at: completedAt,
      })),
    // A client has chosen the id of a completion that its user has entered: that one stays.
    'is left as it is',
  )
}

/** It returns those of these entries that the user does not want to count as a completion. */
export const selectRemoved = async (db: ReadDb, userId: string, ids: readonly string[]): Promise<Set<string>> => {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('removed_completion')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', 'in', ids)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Completions entered by the user stand beside those the fold has found. */
export const insertStated = async (db: WriteDb, userId: string, bookIds: readonly string[]): Promise<void> => {
  if (bookIds.length === 0) return
  await db
    .insertInto('read_completion')
    .columns(['user_id', 'id', 'book_id', 'started_at', 'completed_at'])
    .expression((from) =>
      from
        .selectFrom('stated_completion')
        .select(['user_id', 'id', 'book_id', 'started_at', 'completed_at'])
        .where('user_id', '=', userId)
        .where('book_id', 'in', bookIds),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const selectStated = async (db: ReadDb, userId: string, bookIds: readonly string[]) => {
  if (bookIds.length === 0) return []
  return db
    .selectFrom('stated_completion')
    .select(['id', 'book_id', 'started_at', 'completed_at', 'series_id', 'series_name', 'format'])
    .where('user_id', '=', userId)
    .where('book_id', 'in', bookIds)
    .execute()
}

/** When a book was read on in, and nothing else about the series has changed. */
export const raiseLastRead = async (db: WriteDb, userId: string, seriesId: string, at: string): Promise<void> => {
  await lastReadRaised(db, { userId, seriesId, at }, undefined)
}

const lastReadRaised = cachedStatement(
  (db: WriteDb, { userId, seriesId, at }) =>
    db
      .updateTable('series_progress')
      .set({ last_read_at: at })
      .where('user_id', '=', userId)
      .where('series_id', '=', seriesId)
      .where('last_read_at', '<', at),
  ['userId', 'seriesId', 'at'],
)

/** It reads the next books for which a user has any entry, in order, with the number of entries of each. */
export const selectPairsAfter = async (
  db: ReadDb,
  scope: { readonly userId: string; readonly afterBookId: string },
  limit: number,
): Promise<{ bookId: string; entries: number }[]> => {
  const entriesIn = (table: 'reading_log' | 'stated_completion') =>
    db
      .selectFrom(table)
      .select(({ fn }) => ['book_id', fn.countAll<number>().as('entries')])
      .where('user_id', '=', scope.userId)
      .where('book_id', '>', scope.afterBookId)
      .groupBy('book_id')
      .orderBy('book_id')
      .limit(limit)
  const rows = await db
    .selectFrom(
      db
        .selectFrom(entriesIn('reading_log').as('told'))
        .selectAll('told')
        .unionAll(db.selectFrom(entriesIn('stated_completion').as('stated')).selectAll('stated'))
        .as('said'),
    )
    .select(({ fn }) => ['book_id', fn.sum<number>('entries').as('entries')])
    .groupBy('book_id')
    .orderBy('book_id')
    .limit(limit)
    .execute()
  return rows.map(({ book_id, entries }) => ({ bookId: book_id, entries }))
}

export const selectReadersAfter = async (db: ReadDb, afterUserId: string, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('user')
    .select('id')
    .where('id', '>', afterUserId)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Books that still exist. */
export const selectExisting = async (db: ReadDb, bookIds: readonly string[]): Promise<Set<string>> => {
  const rows = await db.selectFrom('book').select('id').where('id', 'in', bookIds).execute()
  return new Set(rows.map(({ id }) => id))
}

/** It deletes everything that was made from the logs of these books: it is about to be made again. */
export const deleteProjections = async (db: WriteDb, userId: string, bookIds: readonly string[]): Promise<void> => {
  for (const table of projections) {
    await db.deleteFrom(table).where('user_id', '=', userId).where('book_id', 'in', bookIds).execute()
  }
}

const projections = ['reading_head', 'reading_snapshot', 'read_completion', 'read_progress'] as const

/** It deletes rows that have no entries behind them, and returns how many there were. */
export const deleteUnfounded = async (db: WriteDb, userId: string): Promise<number> => {
  let count = 0
  for (const table of [...projections, 'reading_session'] as const) {
    const { numDeletedRows } = await db
      .deleteFrom(table)
      .where('user_id', '=', userId)
      .where(({ not, exists, selectFrom, and }) =>
        and(
          (['reading_log', 'stated_completion'] as const).map((source) =>
            not(
              exists(
                selectFrom(source)
                  .select(`${source}.id`)
                  .whereRef(`${source}.user_id`, '=', `${table}.user_id`)
                  .whereRef(`${source}.book_id`, '=', `${table}.book_id`),
              ),
            ),
          ),
        ),
      )
      .executeTakeFirstOrThrow()
    count += Number(numDeletedRows)
  }
  return count
}

/** It reads all that is stored of these books beside the log, except the sessions. */
export const selectProjections = async (db: ReadDb, userId: string, bookIds: readonly string[]) => {
  const of = (table: 'reading_head' | 'reading_snapshot' | 'read_progress' | 'read_completion') =>
    db.selectFrom(table).selectAll().where('user_id', '=', userId).where('book_id', 'in', bookIds)
  return {
    heads: (await of('reading_head').execute()) as Selectable<ReadingTables['reading_head']>[],
    snapshots: (await of('reading_snapshot').execute()) as Selectable<ReadingTables['reading_snapshot']>[],
    standings: (await of('read_progress').execute()) as Selectable<ReadingTables['read_progress']>[],
    completions: (await of('read_completion').execute()) as Selectable<ReadingTables['read_completion']>[],
  }
}

export const selectReadersOf = async (db: ReadDb, bookId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('reading_head')
    .select('user_id')
    .where('book_id', '=', bookId)
    .union(db.selectFrom('read_completion').select('user_id').where('book_id', '=', bookId))
    .orderBy('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** It notes which entries a merge is about to move to another book. */
export const noteRefiled = async (
  db: WriteDb,
  { mergeId, userId, bookId }: { readonly mergeId: string; readonly userId: string; readonly bookId: string },
): Promise<void> => {
  for (const table of ['reading_log', 'stated_completion'] as const) {
    await db
      .insertInto('refiled_entry')
      .columns(['merge_id', 'user_id', 'id', 'book_id'])
      .expression((from) =>
        from
          .selectFrom(table)
          .select([sql.lit(mergeId).as('merge_id'), 'user_id', 'id', 'book_id'])
          .where('user_id', '=', userId)
          .where('book_id', '=', bookId),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

export const selectRefiledReaders = async (db: ReadDb, mergeId: string, bookId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('refiled_entry')
    .select('user_id')
    .distinct()
    .where('merge_id', '=', mergeId)
    .where('book_id', '=', bookId)
    .orderBy('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

interface Returning {
  readonly mergeId: string
  readonly userId: string
  readonly fromBookId: string
  readonly intoBookId: string
}

/**
 * It returns the entries that a merge has moved to another book, and no others; with the completions that have been
 * removed since.
 */
export const returnEntries = async (
  db: WriteDb,
  { mergeId, userId, fromBookId, intoBookId }: Returning,
): Promise<void> => {
  for (const table of ['reading_log', 'removed_completion', 'stated_completion'] as const) {
    await db
      .updateTable(table)
      .set({ book_id: fromBookId })
      .where('user_id', '=', userId)
      .where('book_id', '=', intoBookId)
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('refiled_entry')
          .select('refiled_entry.id')
          .where('merge_id', '=', mergeId)
          .where('user_id', '=', userId)
          .where('book_id', '=', fromBookId),
      )
      .execute()
  }
}

/** It returns those of these books for which this user has any entry. */
export const selectBooksWithEntries = async (
  db: ReadDb,
  userId: string,
  bookIds: readonly string[],
): Promise<string[]> => {
  if (bookIds.length === 0) return []
  const rows = await db
    .selectFrom('reading_log')
    .select('book_id')
    .distinct()
    .where('user_id', '=', userId)
    .where('book_id', 'in', bookIds)
    .execute()
  return rows.map(({ book_id }) => book_id)
}

/** The entries stay what they are: they are filed under the book's other id. */
export const refileEntries = async (
  db: WriteDb,
  userId: string,
  fromBookId: string,
  toBookId: string,
): Promise<void> => {
  for (const table of ['reading_log', 'removed_completion', 'stated_completion'] as const) {
    await db
      .updateTable(table)
      .set({ book_id: toBookId })
      .where('user_id', '=', userId)
      .where('book_id', '=', fromBookId)
      .execute()
  }
}

export const selectSeriesOf = async (db: ReadDb, bookIds: readonly string[]): Promise<string[]> => {
  const rows = await db.selectFrom('book').select('series_id').distinct().where('id', 'in', bookIds).execute()
  return rows.map(({ series_id }) => series_id)
}

type StoredEntry = Pick<
  Selectable<ReadingTables['reading_log']>,
  'id' | 'kind' | 'started_at' | 'at' | 'device_id' | 'page' | 'percentage' | 'page_count' | 'finishes' | 'outright'
>

export const toEntry = (row: StoredEntry): LogEntry => ({
  id: row.id,
  kind: row.kind,
  startedAt: row.started_at,
  at: row.at,
  deviceId: row.device_id,
  page: row.page,
  percentage: row.percentage,
  pageCount: row.page_count,
  finishes: row.finishes === 1,
  outright: row.outright === 1,
})
