import { type Insertable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../../../database/database.ts'
import { insertMany, updateMany } from '../../../../database/many.ts'
import type { SeriesTables } from '../../table.ts'

/** Series that have books which are rated higher than they are. */
export const selectRatedBelowBooks = (db: ReadDb, seriesIds: readonly string[]) =>
  db
    .selectFrom('series')
    .innerJoin('book', 'book.series_id', 'series.id')
    .where('series.id', 'in', seriesIds)
    .where('book.state', '=', sql.lit('present'))
    .whereRef('book.age_rating', '>', 'series.age_rating')
    .groupBy(['series.id', 'series.name', 'series.age_rating'])
    .select(({ fn }) => [
      'series.id',
      'series.name',
      'series.age_rating',
      fn.max<number>('book.age_rating').as('strictest_rating'),
    ])
    .execute()

/** Their present books in their order, with what each claims. */
export const selectRatedClaims = (db: ReadDb, seriesIds: readonly string[]) =>
  db
    .selectFrom('book')
    .leftJoin('book_claim', 'book_claim.book_id', 'book.id')
    .select(['book.id', 'book.series_id', 'book.age_rating', 'book.number_text', 'book.volume', 'book_claim.claims'])
    .where('book.series_id', 'in', seriesIds)
    .where('book.state', '=', sql.lit('present'))
    .orderBy('book.series_id')
    .orderBy('book.position_key')
    .orderBy('book.id')
    .execute()

export const insertParts = (db: WriteDb, rows: readonly Insertable<SeriesTables['series_in_part']>[]): Promise<void> =>
  insertMany(db, 'series_in_part', rows)

export const deleteParts = async (db: WriteDb, seriesIds: readonly string[]): Promise<void> => {
  await db.deleteFrom('series_in_part').where('series_id', 'in', seriesIds).execute()
}

export const setStrictestRatings = (
  db: WriteDb,
  rows: readonly Pick<SeriesTables['series'], 'id' | 'strictest_rating'>[],
): Promise<void> => updateMany(db, 'series', { keys: { id: 'text' }, columns: { strictest_rating: 'integer' } }, rows)
