import { sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { insertMany } from '../../database/many.ts'
import { type Viewer, visibleTo } from '../../catalogue/visibility/visibility.ts'

/** These must be known of a book before its file is touched. */
const readable = (db: ReadDb) =>
  db
    .selectFrom('book')
    .innerJoin('file', 'file.book_id', 'book.id')
    .innerJoin('library_root', 'library_root.id', 'file.root_id')
    .select([
      'book.id',
      'book.library_id',
      'book.series_id',
      'book.title',
      'book.format',
      'book.page_count',
      'book.analysed',
      'book.reading_direction',
      'file.id as file_id',
      'file.root_id',
      'file.folder',
      'file.name',
      'file.size',
      'file.modified_us',
      'file.is_folder',
      'file.analysis',
      'file.fault_code',
      'file.fault_message',
      'file.file_hash',
      'file.content_hash',
      'library_root.path as root_path',
      'library_root.status as root_status',
    ])
    .where('file.state', '=', sql.lit('present'))

export const selectReadable = (db: ReadDb, viewer: Viewer | 'everybody', bookId: string) =>
  readable(db)
    .where('book.id', '=', bookId)
    .where('book.state', '=', sql.lit('present'))
    .where(viewer === 'everybody' ? sql<boolean>`true` : visibleTo(viewer, 'book'))
    .executeTakeFirst()

/** The other files of a book (C21), which are parts of it that nobody sees. */
export const selectFurtherFiles = (db: ReadDb, bookId: string) =>
  readable(db)
    .innerJoin('book_merge', 'book_merge.book_id', 'book.id')
    .where('book_merge.into_book_id', '=', bookId)
    .where('book_merge.is_format', '=', sql.lit(1))
    .orderBy('file.name')
    .execute()

export type ReadableRow = NonNullable<Awaited<ReturnType<typeof selectReadable>>>

export const selectPageIndex = async (db: ReadDb, bookId: string): Promise<Uint8Array | undefined> => {
  const row = await db.selectFrom('page_index').select('pages').where('book_id', '=', bookId).executeTakeFirst()
  return row?.pages
}

export interface PagesToSave {
  readonly bookId: string
  /** Packed (`formats/page-index.ts`); null for a book without pages of its own. */
  readonly pages: Uint8Array | null
}

export const savePages = async (db: WriteDb, books: readonly PagesToSave[]): Promise<void> => {
  const gone = books.filter(({ pages }) => pages === null).map(({ bookId }) => bookId)
  if (gone.length > 0) await db.deleteFrom('page_index').where('book_id', 'in', gone).execute()
  await insertMany(
    db,
    'page_index',
    books.flatMap(({ bookId, pages }) => (pages ? [{ book_id: bookId, pages }] : [])),
    { keys: ['book_id'], sets: ['pages'] },
  )
}

/** The pages of a book pass to the book that replaces it. */
export const takeOverPages = async (db: WriteDb, fromBookId: string, toBookId: string): Promise<void> => {
  await db.deleteFrom('page_index').where('book_id', '=', toBookId).execute()
  await db.updateTable('page_index').set({ book_id: toBookId }).where('book_id', '=', fromBookId).execute()
}
