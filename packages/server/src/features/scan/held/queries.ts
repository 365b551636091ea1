import { type Insertable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { insertMany } from '../../../database/many.ts'
import type { Paging } from '../../../platform/paging.ts'
import { isNoPart } from '../identity/queries.ts'
import { afterFolder } from '../queries.ts'
import type { ScanTables } from '../table.ts'

export const deleteHeldChangeOf = async (db: WriteDb, libraryId: string): Promise<void> => {
  await db.deleteFrom('held_change').where('library_id', '=', libraryId).execute()
}

/** One that a scan has put in its place meanwhile stays. */
export const deleteHeldChange = async (db: WriteDb, heldId: string): Promise<void> => {
  await db.deleteFrom('held_change').where('id', '=', heldId).execute()
}

export const deleteHeldBooks = async (db: WriteDb, heldId: string, bookIds: readonly string[]): Promise<void> => {
  await db.deleteFrom('held_book').where('held_id', '=', heldId).where('book_id', 'in', bookIds).execute()
}

export const insertHeld = async (db: WriteDb, held: Insertable<ScanTables['held_change']>): Promise<void> => {
  await db.insertInto('held_change').values(held).execute()
}

export const insertHeldBooks = (db: WriteDb, rows: readonly ScanTables['held_book'][]): Promise<void> =>
  insertMany(db, 'held_book', rows, 'is left as it is')

/** All present books of a root, and the further files of books, in one statement. */
export const holdRoot = async (db: WriteDb, heldId: string, rootId: string): Promise<void> => {
  await db
    .insertInto('held_book')
    .columns(['held_id', 'book_id'])
    .expression(
      db
        .selectFrom('file')
        .select([sql<string>`cast(${heldId} as text)`.as('held_id'), 'book_id'])
        .where('root_id', '=', rootId)
        .where('state', '=', sql.lit('present')),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const selectHeld = (db: ReadDb, libraryId: string) =>
  db.selectFrom('held_change').selectAll().where('library_id', '=', libraryId).executeTakeFirst()

export const selectHeldAmong = async (db: ReadDb, heldId: string, bookIds: readonly string[]): Promise<string[]> => {
  if (bookIds.length === 0) return []
  const rows = await db
    .selectFrom('held_book')
    .select('book_id')
    .where('held_id', '=', heldId)
    .where('book_id', 'in', bookIds)
    .execute()
  return rows.map(({ book_id }) => book_id)
}

/** A part of the held books whose files lie below a folder; an empty folder is all of the root. */
export const selectHeldBelow = async (
  db: ReadDb,
  { heldId, rootId, folder, after, limit }: HeldBelow,
): Promise<string[]> => {
  const rows = await db
    .selectFrom('held_book')
    .innerJoin('file', 'file.book_id', 'held_book.book_id')
    .select('held_book.book_id')
    .where('held_book.held_id', '=', heldId)
    .where('held_book.book_id', '>', after)
    .where('file.root_id', '=', rootId)
    .where(isIn(folder))
    .orderBy('held_book.book_id')
    .limit(limit)
    .execute()
  return rows.map(({ book_id }) => book_id)
}

interface HeldBelow {
  readonly heldId: string
  readonly rootId: string
  readonly folder: string
  readonly after: string
  readonly limit: number
}

const isIn = (folder: string) =>
  folder === '' ? sql<boolean>`true` : sql<boolean>`(file.folder >= ${folder} and file.folder < ${afterFolder(folder)})`

/** What waits has become more or less; nothing is left of what is empty. */
export const recountHeld = async (db: WriteDb, heldId: string): Promise<void> => {
  await db
    .updateTable('held_change')
    .set(({ selectFrom }) => ({
      vanishing: selectFrom('held_book')
        .innerJoin('book', 'book.id', 'held_book.book_id')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('held_id', '=', heldId)
        .where(isNoPart),
    }))
    .where('id', '=', heldId)
    .execute()
  await db
    .deleteFrom('held_change')
    .where('id', '=', heldId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('held_book').select('book_id').where('held_id', '=', heldId))),
    )
    .execute()
}

export const countMissingSince = async (db: ReadDb, libraryId: string, since: string): Promise<number> => {
  const { count } = await db
    .selectFrom('book')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('library_id', '=', libraryId)
    .where('state', '=', sql.lit('missing'))
    .where('missing_since', '>=', since)
    .executeTakeFirstOrThrow()
  return count
}

export const selectHeldBookIds = async (
  db: ReadDb,
  heldId: string,
  after: string,
  limit: number,
): Promise<string[]> => {
  const rows = await db
    .selectFrom('held_book')
    .select('book_id')
    .where('held_id', '=', heldId)
    .where('book_id', '>', after)
    .orderBy('book_id')
    .limit(limit)
    .execute()
  return rows.map(({ book_id }) => book_id)
}

export const selectHeldItems = async (
  db: ReadDb,
  heldId: string,
  { limit, offset }: Pick<Paging, 'limit' | 'offset'>,
) =>
  db
    .selectFrom('held_book')
    .innerJoin('book', 'book.id', 'held_book.book_id')
    .innerJoin('series', 'series.id', 'book.series_id')
    .innerJoin('file', 'file.book_id', 'held_book.book_id')
    .select(['book.id as bookId', 'book.series_id as seriesId', 'book.title', 'series.title as seriesName'])
    .select(['book.number', 'book.volume', 'book.chapter', 'file.folder', 'file.name'])
    .where('held_book.held_id', '=', heldId)
    .where(isNoPart)
    .orderBy('held_book.book_id')
    .limit(limit)
    .offset(offset)
    .execute()
