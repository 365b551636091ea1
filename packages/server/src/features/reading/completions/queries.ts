import type { ReadCompletion, ReadHistory, SeriesReadHistory } from '@carrel/api'
import { type RawBuilder, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { insertMany } from '../../../database/many.ts'
import { knownTo, readerOf, type Viewer, visibleTo } from '../../../catalogue/visibility/visibility.ts'
import type { ReadBook } from '../book.ts'

const completionsShown = 500

export const selectCompletions = async (db: ReadDb, userId: string, bookId: string): Promise<ReadHistory> => {
  const count = await countCompletions(db, userId, bookId)
  const rows = await db
    .selectFrom('read_completion')
    .select(['id', 'started_at as startedAt', 'completed_at as completedAt'])
    .where('user_id', '=', userId)
    .where('book_id', '=', bookId)
    .orderBy('completed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(completionsShown)
    .execute()
  return { entries: rows, lastCompletedAt: rows[0]?.completedAt ?? null, readCount: count }
}

export const selectReadThroughs = (db: ReadDb, userId: string, bookId: string) =>
  db
    .selectFrom('read_completion')
    .select(({ fn }) => [
      fn.countAll<number>().as('readCount'),
      fn.max<string | null>('completed_at').as('lastCompletedAt'),
    ])
    .where('user_id', '=', userId)
    .where('book_id', '=', bookId)
    .executeTakeFirstOrThrow()

export const countCompletions = async (db: ReadDb, userId: string, bookId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('read_completion')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('book_id', '=', bookId)
    .executeTakeFirstOrThrow()
  return count
}

export const selectCompletion = (db: ReadDb, userId: string, bookId: string, id: string) =>
  db
    .selectFrom('read_completion')
    .select(['id', 'started_at as startedAt', 'completed_at as completedAt'])
    .where('user_id', '=', userId)
    .where('book_id', '=', bookId)
    .where('id', '=', id)
    .executeTakeFirst()

/** It returns those of these completions that the user has entered before. */
export const selectExistingStated = async (db: ReadDb, userId: string, ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('stated_completion')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', 'in', ids)
    .execute()
  return rows.map(({ id }) => id)
}

/** One that the user says themselves. */
export const insertStatedCompletion = async (
  db: WriteDb,
  userId: string,
  book: ReadBook,
  { id, startedAt, completedAt }: ReadCompletion,
): Promise<void> => {
  const entry = { user_id: userId, id, book_id: book.id, started_at: startedAt, completed_at: completedAt }
  const about = { series_id: book.seriesId, series_name: book.seriesName, library_id: book.libraryId }
  await insertMany(db, 'stated_completion', [{ ...entry, ...about, format: book.format }])
  await insertMany(db, 'read_completion', [entry])
}

/** It returns whether the series exists for this viewer. */
export const isSeriesSeen = async (db: ReadDb, viewer: Viewer, seriesId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('series')
    .select('series.id')
    .where('series.id', '=', seriesId)
    .where(knownTo(viewer, 'series'))
    .executeTakeFirst()
  return row !== undefined
}

const seenIn = (viewer: Viewer, seriesId: string, state: RawBuilder<unknown>) =>
  sql`book.series_id = ${seriesId} and ${state} and ${visibleTo(viewer, 'book')}`

/**
 * The first time of all books together is the first time of the series, and so on: it is as often read as each of them. The
 * last times first.
 */
export const selectTimesRead = async (db: ReadDb, viewer: Viewer, seriesId: string, limit: number) => {
  const present = seenIn(viewer, seriesId, sql`book.state = 'present'`)
  const { rows } = await sql<{ time: number; startedAt: string; completedAt: string }>`
    with finished as (
      select done.started_at, done.completed_at,
        row_number() over (partition by done.book_id order by done.completed_at, done.id) as time
      from book join read_completion as done on done.user_id = ${readerOf(viewer)} and done.book_id = book.id
      where ${present}
    )
    select time, min(started_at) as "startedAt", max(completed_at) as "completedAt" from finished
    group by time having count(*) = (select count(*) from book where ${present})
    order by time desc limit ${limit}`.execute(db)
  return rows
}

export const selectSeriesCompletions = async (
  db: ReadDb,
  viewer: Viewer,
  seriesId: string,
): Promise<SeriesReadHistory> => {
  const rows = await selectTimesRead(db, viewer, seriesId, completionsShown)
  const counted = await sql<{ count: number }>`
    select count(*) as count
    from book join read_completion as done on done.user_id = ${viewer.userId} and done.book_id = book.id
    where ${seenIn(viewer, seriesId, sql`book.state <> 'hidden'`)}`.execute(db)
  return {
    entries: rows.map(({ startedAt, completedAt }) => ({ startedAt, completedAt })),
    lastCompletedAt: rows[0]?.completedAt ?? null,
    readCount: rows[0]?.time ?? 0,
    completions: counted.rows[0]?.count ?? 0,
  }
}

/** It returns the books of a series, after one id, that the viewer sees and has finished. */
export const selectFinishedBooks = async (
  db: ReadDb,
  viewer: Viewer,
  { seriesId, afterId, limit }: { readonly seriesId: string; readonly afterId: string; readonly limit: number },
): Promise<string[]> => {
  const rows = await db
    .selectFrom('book')
    .select('book.id')
    .where('book.state', '!=', 'hidden')
    .where(visibleTo(viewer, 'book'))
    .where('book.series_id', '=', seriesId)
    .where('book.id', '>', afterId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('read_completion')
          .select('read_completion.id')
          .where('read_completion.user_id', '=', viewer.userId)
          .whereRef('read_completion.book_id', '=', 'book.id'),
      ),
    )
    .orderBy('book.id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * It removes all completions of these books, or one, and returns when they were. Completions from the log stay removed
 * even when the log is folded again; those entered by the user are deleted.
 */
export const removeCompletions = async (
  db: WriteDb,
  userId: string,
  bookIds: readonly string[],
  id?: string,
): Promise<{ readonly bookId: string; readonly at: string }[]> => {
  await db
    .insertInto('removed_completion')
    .columns(['user_id', 'id', 'book_id'])
    .expression((from) =>
      from
        .selectFrom('read_completion')
        .select(['user_id', 'id', 'book_id'])
        .where('user_id', '=', userId)
        .where('book_id', 'in', bookIds)
        .where('id', 'not in', ({ selectFrom }) =>
          selectFrom('stated_completion')
            .select('stated_completion.id')
            .where('stated_completion.user_id', '=', userId)
            .where('stated_completion.book_id', 'in', bookIds),
        )
        .$if(id !== undefined, (query) => query.where('id', '=', id ?? '')),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const gone = await db
    .deleteFrom('read_completion')
    .where('user_id', '=', userId)
    .where('book_id', 'in', bookIds)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .returning(['book_id', 'completed_at'])
    .execute()
  await db
    .deleteFrom('stated_completion')
    .where('user_id', '=', userId)
    .where('book_id', 'in', bookIds)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .execute()
  return gone.map(({ book_id, completed_at }) => ({ bookId: book_id, at: completed_at }))
}
