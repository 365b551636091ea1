import { sql } from 'kysely'
import type { ReadDb } from '../../../database/database.ts'
import { listedTo, type Viewer } from '../../../catalogue/visibility/visibility.ts'

/** The series touched last comes first. */
export const selectTouchedIds = async (db: ReadDb, viewer: Viewer, limit: number): Promise<string[]> => {
  const { userId } = viewer
  const { rows } = await sql<{ id: string }>`
    select series.id from (
      select series_id, max(at) as at from (
        select series_id, last_read_at as at from series_progress where user_id = ${userId}
        union all select series_id, updated_at from series_rating where user_id = ${userId}
        union all select series_id, updated_at from series_status where user_id = ${userId}
        union all select series_id, added_at from want_to_read where user_id = ${userId} and series_id is not null
      ) as deed group by series_id
    ) as touched inner join series on series.id = touched.series_id
    where ${listedTo(viewer, 'series')}
    order by touched.at desc, series.id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The newest series come first. */
export const selectCandidateIds = async (db: ReadDb, viewer: Viewer, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('series')
    .select('series.id')
    .where(listedTo(viewer, 'series'))
    .orderBy('series.created_at', 'desc')
    .orderBy('series.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export const selectStoredMetadata = async (db: ReadDb, ids: readonly string[]) => {
  const rows = await db.selectFrom('series').select(['id', 'metadata', 'locks']).where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export interface TermOfBooks {
  readonly kind: 'person' | 'tag' | 'genre'
  readonly name: string
  /** It is the role of a person. */
  readonly role: string
}

/** It reads the people and terms of the books of these series that this viewer sees. */
export const selectTermsOfBooks = async (
  db: ReadDb,
  viewer: Viewer,
  ids: readonly string[],
  kinds: readonly TermOfBooks['kind'][],
): Promise<ReadonlyMap<string, TermOfBooks[]>> => {
  const rows = await db
    .selectFrom('book')
    .innerJoin('book_term', 'book_term.book_id', 'book.id')
    .innerJoin('term', 'term.id', 'book_term.term_id')
    .select(['book.series_id', 'term.kind', 'term.name', 'book_term.role'])
    .distinct()
    .where('book.series_id', 'in', ids)
    .where('term.kind', 'in', kinds)
    .where(listedTo(viewer, 'book'))
    .orderBy('book.series_id')
    .orderBy('term.kind')
    .orderBy('term.name')
    .orderBy('book_term.role')
    .execute()
  return Map.groupBy(rows, ({ series_id }) => series_id)
}

export interface ReadingTimes {
  readonly started_at: string
  readonly last_read_at: string
  readonly completed_at: string | null
}

/** Only the books of these series that this viewer sees count. */
export const selectReadingTimes = async (
  db: ReadDb,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ReadingTimes>> => {
  const rows = await db
    .selectFrom('book')
    .innerJoin('read_progress', 'read_progress.book_id', 'book.id')
    .select(({ fn }) => [
      'book.series_id',
      fn.min('read_progress.started_at').as('started_at'),
      fn.max('read_progress.updated_at').as('last_read_at'),
      fn.max('read_progress.completed_at').as('completed_at'),
    ])
    .where('read_progress.user_id', '=', viewer.userId)
    .where('book.series_id', 'in', ids)
    .where(listedTo(viewer, 'book'))
    .groupBy('book.series_id')
    .execute()
  return new Map(rows.map(({ series_id, ...times }) => [series_id, times]))
}

export const selectRatings = async (
  db: ReadDb,
  userId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const rows = await db
    .selectFrom('series_rating')
    .select(['series_id', 'rating'])
    .where('user_id', '=', userId)
    .where('series_id', 'in', ids)
    .execute()
  return new Map(rows.map(({ series_id, rating }) => [series_id, rating]))
}
