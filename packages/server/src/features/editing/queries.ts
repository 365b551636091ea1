import { type RawBuilder, sql } from 'kysely'
import type { ReadDb } from '../../database/database.ts'
import type { Entity } from '../../catalogue/metadata/metadata.ts'

/** A book or a series as it is before and after somebody says something of it. */
export interface SubjectRow {
  readonly id: string
  readonly seriesId: string
  readonly metadata: string
  readonly locks: string
  readonly ageRating: number | null
  readonly seriesAgeRating: number | null
  /** What it is called, whoever says so, as far as that is not in its metadata. */
  readonly names: Readonly<Record<string, string | number | null>>
}

const notLocked = sql``

/** `lock` ends the statement: with that of the dialect nobody else edits them before the transaction ends. */
export const selectSubjects = (
  db: ReadDb,
  entity: Entity,
  ids: readonly string[],
  lock: RawBuilder<unknown> = notLocked,
): Promise<readonly SubjectRow[]> =>
  entity === 'series' ? selectSeriesSubjects(db, ids, lock) : selectBookSubjects(db, ids, lock)

const selectSeriesSubjects = async (
  db: ReadDb,
  ids: readonly string[],
  lock: RawBuilder<unknown>,
): Promise<readonly SubjectRow[]> => {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('series')
    .select(['id', 'title', 'metadata', 'locks', 'age_rating'])
    .where('id', 'in', ids)
    .modifyEnd(lock)
    .execute()
  return rows.map(({ id, title, metadata, locks, age_rating }) => ({
    id,
    seriesId: id,
    metadata,
    locks,
    ageRating: age_rating,
    seriesAgeRating: age_rating,
    names: { title },
  }))
}

const selectBookSubjects = async (
  db: ReadDb,
  ids: readonly string[],
  lock: RawBuilder<unknown>,
): Promise<readonly SubjectRow[]> => {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('book')
    .innerJoin('series', 'series.id', 'book.series_id')
    .select(['book.id', 'book.series_id', 'book.metadata', 'book.locks', 'book.age_rating'])
    .select(['book.title', 'book.number_text', 'book.volume', 'book.chapter'])
    .select('series.age_rating as series_age_rating')
    .where('book.id', 'in', ids)
    .modifyEnd(lock)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    seriesId: row.series_id,
    metadata: row.metadata,
    locks: row.locks,
    ageRating: row.age_rating,
    seriesAgeRating: row.series_age_rating,
    names: { title: row.title, number: row.number_text, volume: row.volume, chapter: row.chapter },
  }))
}
