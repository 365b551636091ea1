import type { Insertable, Updateable } from 'kysely'
import type { WriteDb } from '../../../database/database.ts'
import { insertMany, updateMany } from '../../../database/many.ts'
import type { ScanTables } from '../table.ts'

type FileTable = ScanTables['file']

const numbers: ReadonlySet<keyof FileTable> = new Set([
  'size',
  'modified_us',
  'changed_us',
  'inode',
  'device',
  'is_folder',
  'crashes',
])

export const insertFiles = (db: WriteDb, rows: readonly Insertable<FileTable>[]): Promise<void> =>
  insertMany(db, 'file', rows)

/** It sets these columns of the files of some books, each to values of its own. */
export const updateFiles = <Column extends keyof FileTable>(
  db: WriteDb,
  columns: readonly Column[],
  rows: readonly (Updateable<FileTable> & Required<Pick<Updateable<FileTable>, Column | 'book_id'>>)[],
): Promise<void> => {
  const kinds = Object.fromEntries(columns.map((name) => [name, numbers.has(name) ? 'integer' : 'text'] as const))
  return updateMany(db, 'file', { keys: { book_id: 'text' }, columns: kinds }, rows)
}

/** They are to be read again; what was wrong with them is until then. */
export const setPending = async (db: WriteDb, bookIds: readonly string[]): Promise<void> => {
  if (bookIds.length > 0)
    await db.updateTable('file').set({ analysis: 'pending' }).where('book_id', 'in', bookIds).execute()
}
