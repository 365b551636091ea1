import { sql } from 'kysely'
import type { ReadDb } from '../../../database/database.ts'

/** Of these books, those that have become part of another one: where they are listed, and whether that one has a file. */
export const selectParts = async (db: ReadDb, bookIds: readonly string[]) =>
  bookIds.length === 0
    ? []
    : db
        .selectFrom('book_merge')
        .leftJoin('file', 'file.book_id', 'book_merge.into_book_id')
        .select(['book_merge.book_id', 'book_merge.into_book_id', 'file.state'])
        .where('book_merge.book_id', 'in', bookIds)
        .execute()

/** Files of books that have become part of these, and that are there. */
export const selectFilesOfParts = async (db: ReadDb, intoIds: readonly string[]) =>
  intoIds.length === 0
    ? []
    : db
        .selectFrom('book_merge')
        .innerJoin('file', 'file.book_id', 'book_merge.book_id')
        .select(['book_merge.into_book_id', 'book_merge.book_id', 'file.library_id', 'file.root_id'])
        .select(['file.folder', 'file.name', 'file.size', 'file.modified_us', 'file.changed_us'])
        .select(['file.inode', 'file.device', 'file.is_folder'])
        .where('book_merge.into_book_id', 'in', intoIds)
        .where('file.state', '=', sql.lit('present'))
        .orderBy('book_merge.book_id')
        .execute()
