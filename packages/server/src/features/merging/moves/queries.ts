import { type Selectable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { insertMany, updateMany, runInParts, selectPartByPart } from '../../../database/many.ts'
import type { Paging } from '../../../platform/paging.ts'
import { knownTo, listedTo, shownOfOneSeries, type Viewer } from '../../../catalogue/visibility/visibility.ts'
import type { MergingTables } from '../table.ts'

export type MoveRow = Selectable<MergingTables['series_move']>
export type MovedBookRow = Selectable<MergingTables['series_move_book']>

/** Books of these that the viewer sees, be their files missing or not; null: whoever may see everything. */
export const selectBooksToMove = (db: ReadDb, viewer: Viewer | null, ids: readonly string[]) =>
  runInParts(ids, (part) =>
    db
      .selectFrom('book')
      .leftJoin('file', 'file.book_id', 'book.id')
      .select(['book.id', 'book.library_id', 'book.series_id', 'book.age_rating', 'book.carried_age_rating'])
      .select('file.folder')
      .where('book.id', 'in', part)
      .where(viewer === null ? sql<boolean>`book.state <> 'hidden'` : knownTo(viewer, 'book'))
      .execute(),
  )

export type BookToMove = Awaited<ReturnType<typeof selectBooksToMove>>[number]

/** It returns the series of those books that the viewer sees. */
export const selectSeriesOfBooks = async (db: ReadDb, viewer: Viewer, ids: readonly string[]) => {
  const rows = await runInParts(ids, (part) =>
    db
      .selectFrom('book')
      .select('book.series_id')
      .distinct()
      .where('book.id', 'in', part)
      .where(knownTo(viewer, 'book'))
      .execute(),
  )
  return rows.map(({ series_id }) => series_id)
}

/** Books of these series that carry what they were rated elsewhere. */
export const selectCarrying = async (db: ReadDb, seriesIds: readonly string[]) =>
  seriesIds.length === 0
    ? []
    : db
        .selectFrom('book')
        .select(['id', 'series_id', 'carried_age_rating'])
        .where('series_id', 'in', seriesIds)
        .where('carried_age_rating', 'is not', null)
        .execute()

export const countBooksIn = async (db: ReadDb, seriesIds: readonly string[]): Promise<number> => {
  const { count } = await db
    .selectFrom('book')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('series_id', 'in', seriesIds)
    .executeTakeFirstOrThrow()
  return count
}

export const countSeenBooks = async (db: ReadDb, viewer: Viewer, seriesId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('book')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('book.series_id', '=', seriesId)
    .where(listedTo(viewer, 'book'))
    .executeTakeFirstOrThrow()
  return count
}

/** It keeps the series that are without a book by now. */
export const selectEmptied = async (db: ReadDb, seriesIds: readonly string[]) =>
  seriesIds.length === 0
    ? []
    : db
        .selectFrom('series')
        .select(['id', 'title'])
        .where('id', 'in', seriesIds)
        .where('book_count', '=', 0)
        .orderBy('title')
        .orderBy('id')
        .execute()

export const selectTagNames = async (db: ReadDb, ids: readonly string[]) =>
  ids.length === 0
    ? []
    : db.selectFrom('sharing_tag').select(['id', 'name']).where('id', 'in', ids).orderBy('name').execute()

/** Series of the library that are called like one of these. */
export const selectTitles = async (
  db: ReadDb,
  libraryId: string,
  titles: readonly string[],
): Promise<ReadonlySet<string>> => {
  const rows = await db
    .selectFrom('series')
    .select('title')
    .where('library_id', '=', libraryId)
    .where('title', 'in', titles)
    .execute()
  return new Set(rows.map(({ title }) => title))
}

// Moves

export const insertMove = (db: WriteDb, row: MoveRow): Promise<void> => insertMany(db, 'series_move', [row])

export const insertMovedBooks = (db: WriteDb, rows: readonly MovedBookRow[]): Promise<void> =>
  insertMany(db, 'series_move_book', rows)

export const selectMove = (db: ReadDb, id: string): Promise<MoveRow | undefined> =>
  db.selectFrom('series_move').selectAll().where('id', '=', id).executeTakeFirst()

/** It returns the series that the books of a move have left, and those that they have come into. */
export const selectSeriesOfMove = async (db: ReadDb, moveId: string): Promise<readonly string[]> => {
  const rows = await db
    .selectFrom('series_move_book')
    .select(['from_series_id', 'into_series_id'])
    .distinct()
    .where('move_id', '=', moveId)
    .execute()
  return rows.flatMap(({ from_series_id: from, into_series_id: into }) => (into === null ? [from] : [from, into]))
}

/** With where its books are by now, as far as they are in the library still and the viewer sees them. */
export const selectMovedBooks = (db: ReadDb, viewer: Viewer, { id, library_id }: Pick<MoveRow, 'id' | 'library_id'>) =>
  selectPartByPart(
    (after, limit) =>
      db
        .selectFrom('series_move_book as moved')
        .innerJoin('book', 'book.id', 'moved.book_id')
        .selectAll('moved')
        .select(['book.series_id', 'book.age_rating', 'book.carried_age_rating'])
        .where('moved.move_id', '=', id)
        .where('moved.book_id', '>', after)
        .where('book.library_id', '=', library_id)
        .where(knownTo(viewer, 'book'))
        .orderBy('moved.book_id')
        .limit(limit)
        .execute(),
    ({ book_id }) => book_id,
  )

export type MovedBook = Awaited<ReturnType<typeof selectMovedBooks>>[number]

/** Undone by another one; and what that one had undone itself holds again. */
export const updateMoveUndone = async (db: WriteDb, id: string, undoneBy: string): Promise<void> => {
  await db.updateTable('series_move').set({ undone_by: null }).where('undone_by', '=', id).execute()
  await db.updateTable('series_move').set({ undone_by: undoneBy }).where('id', '=', id).execute()
}

/** Whether anything else has come into these series since, and is there still by what people say. */
export const selectEnteredSince = async (
  db: ReadDb,
  { id, library_id }: Pick<MoveRow, 'id' | 'library_id'>,
  seriesIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (seriesIds.length === 0) return new Set()
  const moved = db
    .selectFrom('series_move')
    .innerJoin('series_move_book', 'series_move_book.move_id', 'series_move.id')
    .select('series_move_book.into_series_id as id')
    .where('series_move.library_id', '=', library_id)
    // Ids are given in the order in which things happen.
    .where('series_move.id', '>', id)
    .where('series_move.undone_by', 'is', null)
    .where('series_move.is_back', '=', 0)
    .where('series_move_book.into_series_id', 'in', seriesIds)
  const merged = db
    .selectFrom('merge')
    .select('into_id as id')
    .where('id', '>', id)
    .where('undone_at', 'is', null)
    .where('into_id', 'in', seriesIds)
  const rows = await moved.union(merged).execute()
  return new Set(rows.flatMap((row) => row.id ?? []))
}

/** It returns what moves of since, which still hold, have changed beside the series of books that came into these. */
export const selectKeptSince = async (
  db: ReadDb,
  { id, library_id }: Pick<MoveRow, 'id' | 'library_id'>,
  seriesIds: readonly string[],
): Promise<readonly string[]> => {
  if (seriesIds.length === 0) return []
  const rows = await db
    .selectFrom('series_move')
    .select('kept')
    .where('library_id', '=', library_id)
    .where('id', '>', id)
    .where('undone_by', 'is', null)
    .where('is_back', '=', 0)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('series_move_book')
          .select('series_move_book.book_id')
          .whereRef('series_move_book.move_id', '=', 'series_move.id')
          .where('series_move_book.into_series_id', 'in', seriesIds),
      ),
    )
    .execute()
  return rows.map(({ kept }) => kept)
}

/** The moves of these books since that still hold, the first of each before the others. */
export const selectMovedOn = (
  db: ReadDb,
  { id, library_id }: Pick<MoveRow, 'id' | 'library_id'>,
  bookIds: readonly string[],
) =>
  runInParts(bookIds, (part) =>
    db
      .selectFrom('series_move')
      .innerJoin('series_move_book as moved', 'moved.move_id', 'series_move.id')
      .select(['moved.move_id', 'moved.book_id', 'moved.from_series_id'])
      .where('series_move.library_id', '=', library_id)
      .where('series_move.id', '>', id)
      .where('series_move.undone_by', 'is', null)
      .where('series_move.is_back', '=', 0)
      .where('moved.into_series_id', 'is not', null)
      .where('moved.book_id', 'in', part)
      .orderBy('series_move.id')
      .execute(),
  )

/** What took books there from elsewhere takes them from here. */
export const updateComingFrom = (
  db: WriteDb,
  rows: readonly Pick<MovedBookRow, 'move_id' | 'book_id' | 'from_series_id' | 'override_before' | 'carried_before'>[],
): Promise<void> =>
  updateMany(
    db,
    'series_move_book',
    {
      keys: { move_id: 'text', book_id: 'text' },
      columns: { from_series_id: 'text', override_before: 'text', carried_before: 'integer' },
    },
    rows,
  )

// The history

export const insertActs = (
  db: WriteDb,
  historyIds: readonly string[],
  act: { readonly mergeId: string } | { readonly moveId: string },
): Promise<void> =>
  insertMany(
    db,
    'history_act',
    historyIds.map((history_id) => ({
      history_id,
      merge_id: 'mergeId' in act ? act.mergeId : null,
      move_id: 'moveId' in act ? act.moveId : null,
    })),
  )

export const selectAct = (db: ReadDb, historyId: string) =>
  db.selectFrom('history_act').selectAll().where('history_id', '=', historyId).executeTakeFirst()

export const selectLinesOfMove = async (db: ReadDb, moveId: string): Promise<readonly string[]> => {
  const rows = await db.selectFrom('history_act').select('history_id').where('move_id', '=', moveId).execute()
  return rows.map(({ history_id }) => history_id)
}

// Overrides, as far as a viewer sees the book and the series

const overridesSeen = (db: ReadDb, viewer: Viewer, libraryId: string) =>
  db
    .selectFrom('series_override as override')
    .innerJoin('series', 'series.id', 'override.series_id')
    .leftJoin('book', 'book.id', 'override.book_id')
    .where('override.library_id', '=', libraryId)
    .where(knownTo(viewer, 'series'))
    .where(
      sql<boolean>`(override.book_id is null or (book.library_id = override.library_id and ${knownTo(viewer, 'book')}))`,
    )

export const countOverrides = async (db: ReadDb, viewer: Viewer, libraryId: string): Promise<number> => {
  const { count } = await overridesSeen(db, viewer, libraryId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

const overrideColumns = [
  'override.id',
  'override.book_id',
  'override.folder',
  'override.series_id',
  'override.through_id',
  'override.at',
  'override.by_user_id',
  'book.title as book_title',
  'book.number',
  'book.volume',
  'book.chapter',
] as const

export const selectOverrides = (
  db: ReadDb,
  viewer: Viewer,
  libraryId: string,
  { limit, offset }: Pick<Paging, 'limit' | 'offset'>,
) =>
  overridesSeen(db, viewer, libraryId)
    .leftJoin('user', 'user.id', 'override.by_user_id')
    .select([...overrideColumns, 'user.username'])
    .select(shownOfOneSeries<string>(viewer, 'title').as('series_title'))
    .orderBy('override.at', 'desc')
    .orderBy('override.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export const selectOverride = (db: ReadDb, viewer: Viewer, libraryId: string, id: string) =>
  overridesSeen(db, viewer, libraryId).selectAll('override').where('override.id', '=', id).executeTakeFirst()

export const selectUsername = async (db: ReadDb, id: string | null): Promise<string | undefined> => {
  if (id === null) return undefined
  const row = await db.selectFrom('user').select('username').where('id', '=', id).executeTakeFirst()
  return row?.username
}

export const selectSeriesTitles = async (
  db: ReadDb,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('series')
    .select(['id', shownOfOneSeries<string>(viewer, 'title').as('title')])
    .where('id', 'in', ids)
    .where(knownTo(viewer, 'series'))
    .execute()
  return new Map(rows.map(({ id, title }) => [id, title]))
}
