import { sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../../../database/database.ts'
import { insertMany, updateMany } from '../../../../database/many.ts'
import { type Viewer, visibleTo } from '../../../visibility/visibility.ts'

/** The series in which a book counts: none while it is not there. */
const countsIn = sql<string | null>`case when book.state = 'present' then book.series_id end`

export interface ClaimRow {
  readonly book_id: string
  readonly claims: string
  /** The series in which these claims are counted. */
  readonly counted_in: string | null
}

/** What a book is known to claim, null if nothing, and where that is to be counted. */
export interface ClaimsOfBook extends Pick<ClaimRow, 'book_id' | 'counted_in'> {
  readonly claims: string | null
  readonly counts_in: string | null
}

export const selectClaims = async (db: ReadDb, bookIds: readonly string[]): Promise<readonly ClaimsOfBook[]> =>
  bookIds.length === 0
    ? []
    : db
        .selectFrom('book')
        .leftJoin('book_claim', 'book_claim.book_id', 'book.id')
        .select(['book.id as book_id', 'book_claim.claims', 'book_claim.counted_in', countsIn.as('counts_in')])
        .where('book.id', 'in', bookIds)
        .execute()

export const upsertClaims = (db: WriteDb, rows: readonly ClaimRow[]): Promise<void> =>
  insertMany(db, 'book_claim', rows, { keys: ['book_id'], sets: ['claims', 'counted_in'] })

export const deleteClaims = async (db: WriteDb, bookIds: readonly string[]): Promise<void> => {
  if (bookIds.length === 0) return
  await db.deleteFrom('book_claim').where('book_id', 'in', bookIds).execute()
}

export const updateCountedIn = (
  db: WriteDb,
  rows: readonly Pick<ClaimRow, 'book_id' | 'counted_in'>[],
): Promise<void> => updateMany(db, 'book_claim', { keys: { book_id: 'text' }, columns: { counted_in: 'text' } }, rows)

/** Claims that are counted elsewhere than they should be, of all books that were or are in these series. */
export const selectMiscountedClaims = async (
  db: ReadDb,
  seriesIds: readonly string[],
): Promise<readonly ClaimsOfBook[]> => {
  if (seriesIds.length === 0) return []
  const miscounted = () =>
    db
      .selectFrom('book_claim')
      .innerJoin('book', 'book.id', 'book_claim.book_id')
      .select(['book_claim.book_id', 'book_claim.claims', 'book_claim.counted_in', countsIn.as('counts_in')])
      .where(sql<boolean>`book_claim.counted_in is distinct from ${countsIn}`)
  const miscounts = [
    ...(await miscounted().where('book_claim.counted_in', 'in', seriesIds).execute()),
    ...(await miscounted().where('book.series_id', 'in', seriesIds).execute()),
  ]
  return [...new Map(miscounts.map((row) => [row.book_id, row])).values()]
}

/**
 * Books of series that are known to be said something of by their books, while nobody has counted what: they were read before
 * claims were stored.
 */
export const selectUncountedBooks = async (db: ReadDb, seriesIds: readonly string[]): Promise<string[]> => {
  if (seriesIds.length === 0) return []
  const rows = await db
    .selectFrom('metadata_layer')
    .innerJoin('book', 'book.series_id', 'metadata_layer.entity_id')
    .select('book.id')
    .where('metadata_layer.entity_id', 'in', seriesIds)
    .where('metadata_layer.source', 'like', 'file:%')
    .where('book.state', '=', sql.lit('present'))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('series_claim')
            .select('series_claim.field')
            .whereRef('series_claim.series_id', '=', 'metadata_layer.entity_id'),
        ),
      ),
    )
    .execute()
  return rows.map(({ id }) => id)
}

export const selectCountedClaims = (db: ReadDb, seriesIds: readonly string[]) =>
  db.selectFrom('book_claim').select(['claims', 'counted_in']).where('counted_in', 'in', seriesIds).execute()

export const selectTallies = async (db: ReadDb, seriesIds: readonly string[]) =>
  seriesIds.length === 0 ? [] : db.selectFrom('series_claim').selectAll().where('series_id', 'in', seriesIds).execute()

export interface TallyRow {
  readonly series_id: string
  readonly field: string
  readonly value: string
  readonly books: number
}

export const upsertTallies = (db: WriteDb, rows: readonly TallyRow[]): Promise<void> =>
  insertMany(db, 'series_claim', rows, { keys: ['series_id', 'field', 'value'], sets: ['books'] })

export const deleteEmptyTallies = async (db: WriteDb, seriesIds: readonly string[]): Promise<void> => {
  if (seriesIds.length === 0) return
  await db.deleteFrom('series_claim').where('series_id', 'in', seriesIds).where('books', '<=', 0).execute()
}

export const deleteTallies = async (db: WriteDb, seriesIds: readonly string[]): Promise<void> => {
  if (seriesIds.length === 0) return
  await db.deleteFrom('series_claim').where('series_id', 'in', seriesIds).execute()
}

export const selectClaimsWithNumbers = async (db: ReadDb, bookIds: readonly string[]) =>
  bookIds.length === 0
    ? []
    : db
        .selectFrom('book')
        .innerJoin('book_claim', 'book_claim.book_id', 'book.id')
        .select(['book.id', 'book.series_id', 'book.number_text', 'book_claim.claims'])
        .where('book.id', 'in', bookIds)
        .execute()

/** How many books a series has, and how many of them this viewer sees. */
export const countSeenBooks = (
  db: ReadDb,
  viewer: Viewer,
  seriesId: string,
): Promise<{ readonly present: number; readonly seen: number }> =>
  db
    .selectFrom('series')
    .select('book_count as present')
    .select(({ selectFrom }) =>
      selectFrom('book')
        .whereRef('book.series_id', '=', 'series.id')
        .where('book.state', '=', sql.lit('present'))
        .where(visibleTo(viewer, 'book'))
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .$asScalar()
        .$notNull()
        .as('seen'),
    )
    .where('id', '=', seriesId)
    .executeTakeFirstOrThrow()

/** What those books of a series claim that this viewer sees, in their order. */
export const selectSeenClaims = (db: ReadDb, viewer: Viewer, seriesId: string) =>
  db
    .selectFrom('book')
    .innerJoin('book_claim', 'book_claim.book_id', 'book.id')
    .select(['book.number_text', 'book_claim.claims'])
    .where('book.series_id', '=', seriesId)
    .where('book.state', '=', sql.lit('present'))
    .where(visibleTo(viewer, 'book'))
    .orderBy('book.position_key')
    .orderBy('book.id')
    .execute()

/** Books of these series that claim one of these fields, from one place in their order to another. */
export const selectClaimsInOrder = (
  db: ReadDb,
  seriesIds: readonly string[],
  { from, to, fields }: { readonly from: number; readonly to: number; readonly fields: readonly string[] },
) =>
  db
    .selectFrom(({ selectFrom }) =>
      selectFrom('book')
        .where('book.series_id', 'in', seriesIds)
        .where('book.state', '=', sql.lit('present'))
        .select(['book.id', 'book.series_id', 'book.number_text'])
        .select(
          sql<number>`row_number() over (partition by book.series_id order by book.position_key, book.id)`.as('place'),
        )
        .as('placed'),
    )
    .innerJoin('book_claim', 'book_claim.book_id', 'placed.id')
    .select(['placed.id', 'placed.series_id', 'placed.number_text', 'placed.place', 'book_claim.claims'])
    .where('placed.place', '>=', from)
    .where('placed.place', '<=', to)
    .where(({ or, eb }) => or(fields.map((field) => eb('book_claim.claims', 'like', `%${JSON.stringify(field)}:%`))))
    .orderBy('placed.series_id')
    .orderBy('placed.place')
    .execute()

/** To the letter the condition of the index `book_claim_of_summary`, by which both databases find it. */
const hasSummary = sql<boolean>`replace(book_claim.claims, '"summary":', '') <> book_claim.claims`

/** The first book of each of these series that has a summary, whatever the books before it say. */
export const selectFirstSummaries = async (db: ReadDb, seriesIds: readonly string[]) =>
  seriesIds.length === 0
    ? []
    : db
        .selectFrom(({ selectFrom }) =>
          selectFrom('book_claim')
            .innerJoin('book', 'book.id', 'book_claim.book_id')
            .where('book_claim.counted_in', 'in', seriesIds)
            .where(hasSummary)
            // This is always so: SQLite takes the index that answers more conditions.
            .where('book_claim.book_id', '>', '')
            .select(['book.id', 'book_claim.counted_in', 'book.number_text'])
            .select(
              sql<number>`row_number() over (partition by book_claim.counted_in order by book.position_key, book.id)`.as(
                'place',
              ),
            )
            .as('placed'),
        )
        .select(['placed.id', 'placed.counted_in', 'placed.number_text'])
        .where('placed.place', '=', 1)
        .execute()

/** What the present books of these series claim, wherever that is counted. */
export const selectClaimedIn = (db: ReadDb, seriesIds: readonly string[]) =>
  seriesIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('book_claim')
        .innerJoin('book', 'book.id', 'book_claim.book_id')
        .select(['book.series_id', 'book_claim.claims'])
        .where('book.series_id', 'in', seriesIds)
        .where('book.state', '=', sql.lit('present'))
        .execute()
