import type { ReadDb } from '../../../database/database.ts'

/** It finds books that have become part of another one: where they are listed, and whether that one has a file. */
export const selectParts = async (db: ReadDb, bookIds: readonly string[]) =>
  bookIds.length === 0
    ? []
    : db
        .selectFrom('book_merge')
        .leftJoin('file', 'file.book_id', 'book_merge.into_book_id')
        .select(['book_merge.book_id', 'book_merge.into_book_id', 'file.state'])
        .where('book_merge.book_id', 'in', bookIds)
        .execute()
