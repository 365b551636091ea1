import { type Insertable, type Selectable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { insertMany, runInParts } from '../../database/many.ts'
import type { Paging } from '../../platform/paging.ts'
import { type Viewer, visibleTo } from '../../catalogue/visibility/visibility.ts'
import type { MergingTables } from './table.ts'

export type Entity = Exclude<MergingTables['merge']['entity'], 'file'>
export type MergeRow = Selectable<MergingTables['merge']>

export const selectBooksOf = async (
  db: ReadDb,
  seriesIds: readonly string[],
  limit: number,
): Promise<readonly string[]> => {
  const rows = await db.selectFrom('book').select('id').where('series_id', 'in', seriesIds).limit(limit).execute()
  return rows.map(({ id }) => id)
}

/** It says by series how its books are rated, each rating once. */
export const selectRatingsIn = async (db: ReadDb, seriesIds: readonly string[]) => {
  const rows = await db
    .selectFrom('book')
    .select(['series_id', 'age_rating'])
    .distinct()
    .where('series_id', 'in', seriesIds)
    .where('state', '<>', 'hidden')
    .execute()
  const ratingsOf = Map.groupBy(rows, ({ series_id }) => series_id)
  return (seriesId: string): (number | null)[] => (ratingsOf.get(seriesId) ?? []).map(({ age_rating }) => age_rating)
}

/** Present books of these series that are in them by their grouping. */
export const selectGroupedIn = (db: ReadDb, seriesIds: readonly string[]) =>
  runInParts(seriesIds, (part) =>
    db
      .selectFrom('book')
      .leftJoin('series_override', (join) =>
        join
          .onRef('series_override.book_id', '=', 'book.id')
          .onRef('series_override.library_id', '=', 'book.library_id'),
      )
      .select(['book.id', 'book.series_id'])
      .where('book.series_id', 'in', part)
      .where('book.state', '=', sql.lit('present'))
      .where('series_override.id', 'is', null)
      .execute(),
  )

/** Books of a series that nobody has put anywhere. */
export const selectWithoutOverride = async (db: ReadDb, seriesId: string): Promise<readonly string[]> => {
  const rows = await db
    .selectFrom('book')
    .leftJoin('series_override', (join) =>
      join.onRef('series_override.book_id', '=', 'book.id').onRef('series_override.library_id', '=', 'book.library_id'),
    )
    .select('book.id')
    .where('book.series_id', '=', seriesId)
    .where('series_override.id', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

// Merges

export const insertMergeRows = (db: WriteDb, rows: readonly MergeRow[]): Promise<void> => insertMany(db, 'merge', rows)

export const insertRows = (db: WriteDb, rows: readonly MergingTables['merge_row'][]): Promise<void> =>
  insertMany(db, 'merge_row', rows)

export const selectRows = (db: ReadDb, mergeId: string) =>
  db.selectFrom('merge_row').select(['kind', 'content']).where('merge_id', '=', mergeId).orderBy('number').execute()

/** A merge is there for whoever sees what came of it: with the one that stayed out of sight there is no merge either. */
const merges = (db: ReadDb, viewer: Viewer, entity: Entity) => {
  const isSeen =
    entity === 'series'
      ? sql<boolean>`exists (select 1 from series where series.id = merge.into_id and ${visibleTo(viewer, 'series')})`
      : sql<boolean>`exists (select 1 from book
          where book.id = merge.into_id and book.state <> 'hidden' and ${visibleTo(viewer, 'book')})`
  return db.selectFrom('merge').where('merge.entity', '=', entity).where(isSeen)
}

export const selectMerge = (
  db: ReadDb,
  viewer: Viewer,
  { entity, id }: { readonly entity: Entity; readonly id: string },
): Promise<MergeRow | undefined> =>
  merges(db, viewer, entity).selectAll('merge').where('merge.id', '=', id).executeTakeFirst()

export const countMerges = async (db: ReadDb, viewer: Viewer, entity: Entity): Promise<number> => {
  const { count } = await merges(db, viewer, entity)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export const selectMerges = (
  db: ReadDb,
  viewer: Viewer,
  entity: Entity,
  { limit, offset }: Pick<Paging, 'limit' | 'offset'>,
) =>
  merges(db, viewer, entity)
    .leftJoin('user', 'user.id', 'merge.by_user_id')
    .select(['merge.id', 'merge.into_id', 'merge.at', 'merge.by_user_id', 'merge.undone_at', 'user.username'])
    .select(
      sql<string>`(select ${sql.ref(`${entity}.title`)} from ${sql.table(entity)}
        where ${sql.ref(`${entity}.id`)} = merge.into_id)`.as('title'),
    )
    .orderBy('merge.at', 'desc')
    .orderBy('merge.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

/** False when it has been taken back already. */
export const updateUndone = async (db: WriteDb, id: string, at: string): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('merge')
    .set({ undone_at: at })
    .where('id', '=', id)
    .where('undone_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Whether anything else has become part of the same one since, and still is. */
export const hasLaterMerge = async (db: ReadDb, { id, into_id, entity }: MergeRow): Promise<boolean> => {
  const row = await db
    .selectFrom('merge')
    .select('id')
    .where('into_id', '=', into_id)
    .where('entity', '=', entity)
    .where('undone_at', 'is', null)
    // Ids are given in the order in which merges happen.
    .where('id', '>', id)
    .executeTakeFirst()
  return row !== undefined
}

/** A merge of series and whatever became part of the same one since then and still is; the newest first. */
export const selectMergesSince = (db: ReadDb, intoId: string, id: string): Promise<readonly MergeRow[]> =>
  db
    .selectFrom('merge')
    .selectAll()
    .where('into_id', '=', intoId)
    .where('entity', '=', 'series')
    .where('undone_at', 'is', null)
    .where('id', '>=', id)
    .orderBy('id', 'desc')
    .execute()

/** What scans have made one in a library, and nobody has taken back; the newest first. */
export const selectScanMerges = async (db: ReadDb, libraryId: string): Promise<readonly MergeRow[]> =>
  db
    .selectFrom('merge')
    .selectAll()
    .where('entity', '=', 'series')
    .where('library_id', '=', libraryId)
    .where('by_user_id', 'is', null)
    .where('undone_at', 'is', null)
    .orderBy('id', 'desc')
    .execute()

// Books of merged series

export const selectMergedBooks = async (db: ReadDb, mergeId: string): Promise<readonly string[]> => {
  const rows = await db.selectFrom('merged_series_book').select('book_id').where('merge_id', '=', mergeId).execute()
  return rows.map(({ book_id }) => book_id)
}

export const insertMovedBooks = async (db: WriteDb, mergeId: string, seriesIds: readonly string[]): Promise<void> => {
  await db
    .insertInto('merged_series_book')
    .columns(['merge_id', 'book_id', 'series_id'])
    .expression((from) =>
      from
        .selectFrom('book')
        .select([sql.lit(mergeId).as('merge_id'), 'book.id', 'book.series_id'])
        .where('book.series_id', 'in', seriesIds),
    )
    .execute()
}

/** Books that came into a series after something else became part of it. */
export const selectNewerBooks = async (db: ReadDb, { id, into_id, at }: MergeRow, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('book')
    .select('book.id')
    .where('book.series_id', '=', into_id)
    .where('book.created_at', '>=', at)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('merged_series_book')
            .select('merged_series_book.book_id')
            .where('merged_series_book.merge_id', '=', id)
            .whereRef('merged_series_book.book_id', '=', 'book.id'),
        ),
      ),
    )
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

// Books that have become part of others

/** What decides who sees a book. */
export const selectBooksToMerge = async (db: ReadDb, ids: readonly string[]) => {
  const rows = await db
    .selectFrom('book')
    .select(['id', 'library_id', 'series_id', 'state', 'own_age_rating', 'age_rating', 'cover_id', 'locks'])
    .where('id', 'in', ids)
    .execute()
  const seriesIds = rows.map(({ series_id }) => series_id)
  const tags =
    seriesIds.length === 0
      ? []
      : await db.selectFrom('series_sharing_tag').selectAll().where('series_id', 'in', seriesIds).execute()
  const tagsOf = Map.groupBy(tags, ({ series_id }) => series_id)
  return rows.map((row) => ({ ...row, tagIds: (tagsOf.get(row.series_id) ?? []).map(({ tag_id }) => tag_id) }))
}

export type BookToMerge = Awaited<ReturnType<typeof selectBooksToMerge>>[number]

interface NewParts {
  readonly mergeId: string
  readonly fromIds: readonly string[]
  readonly intoId: string
  /** They lie beside the other one. */
  readonly isFormat: boolean
}

export const insertParts = (db: WriteDb, { mergeId, fromIds, intoId, isFormat }: NewParts): Promise<void> =>
  insertPartRows(
    db,
    fromIds.map((book_id) => ({ book_id, into_book_id: intoId, merge_id: mergeId, is_format: isFormat ? 1 : 0 })),
  )

export const insertPartRows = (db: WriteDb, rows: readonly Insertable<MergingTables['book_merge']>[]): Promise<void> =>
  insertMany(db, 'book_merge', rows)

/** With whether their files are there. */
export const selectParts = (db: ReadDb, mergeId: string) =>
  db
    .selectFrom('book_merge')
    .leftJoin('file', 'file.book_id', 'book_merge.book_id')
    .select(['book_merge.book_id as id', 'book_merge.is_format', 'file.state'])
    .where('book_merge.merge_id', '=', mergeId)
    .orderBy('book_merge.book_id')
    .execute()

/** They are books of their own, and what was part of one of them is so again. */
export const deleteParts = async (db: WriteDb, mergeId: string, bookIds: readonly string[]): Promise<void> => {
  await db.deleteFrom('book_merge').where('merge_id', '=', mergeId).execute()
  if (bookIds.length === 0) return
  await db
    .updateTable('book_merge')
    .set(({ selectFrom }) => ({
      into_book_id: selectFrom('merge')
        .select(sql<string>`merge.into_id`.as('into_id'))
        .whereRef('merge.id', '=', 'book_merge.merge_id'),
    }))
    .where('merge_id', 'in', ({ selectFrom }) =>
      selectFrom('merge').select('merge.id').where('merge.into_id', 'in', bookIds),
    )
    .execute()
}

/** It returns how a book came to be a further file of another one. */
export const selectMergeOfPart = (db: ReadDb, bookId: string) =>
  db
    .selectFrom('book_merge')
    .innerJoin('merge', 'merge.id', 'book_merge.merge_id')
    .selectAll('merge')
    .select(['book_merge.into_book_id', 'book_merge.is_format'])
    .where('book_merge.book_id', '=', bookId)
    .executeTakeFirst()

export const deletePart = async (db: WriteDb, bookId: string): Promise<void> => {
  await db.deleteFrom('book_merge').where('book_id', '=', bookId).execute()
}

/** Nothing is left of what it has made part of another. */
export const deleteEmptyMerge = async (db: WriteDb, id: string): Promise<void> => {
  await db
    .deleteFrom('merge')
    .where('id', '=', id)
    .where('entity', '=', 'file')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('book_merge').select('book_id').whereRef('book_merge.merge_id', '=', 'merge.id'))),
    )
    .execute()
}

/** No scan makes them files of another book again. */
export const insertApart = (db: WriteDb, bookIds: readonly string[], at: string): Promise<void> =>
  insertMany(
    db,
    'book_apart',
    bookIds.map((book_id) => ({ book_id, at })),
    'is left as it is',
  )
