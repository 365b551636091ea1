import { type Insertable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { insertMany } from '../../../database/many.ts'
import type { ScanTables } from '../table.ts'

/** The book that a file is of: the one that its own has become part of, or its own. */
const wholeId = sql<string>`coalesce(book_merge.into_book_id, file.book_id)`

const filesOfBooks = (db: ReadDb) =>
  db
    .selectFrom('file')
    .leftJoin('book_merge', 'book_merge.book_id', 'file.book_id')
    .select([
      'file.id',
      'file.book_id',
      'file.library_id',
      'file.root_id',
      'file.folder',
      'file.name',
      'file.is_folder',
    ])
    .select(['file.state', 'file.fault_code', 'file.is_chosen', 'book_merge.is_format'])
    .select(wholeId.as('whole_id'))

export type FileOfBookRow = Awaited<ReturnType<ReturnType<typeof filesOfBooks>['execute']>>[number]

export interface NamesIn {
  readonly rootId: string
  readonly folder: string
  readonly from: string
  readonly behind: string
}

/**
 * The present files in these ranges of names, with the book each is of, and whether that is to stay by itself. Each range is
 * asked for by itself: PostgreSQL joins a list of them with the whole table, as long as it knows no better of that.
 */
export const selectFilesNamed = async (db: ReadDb, ranges: readonly NamesIn[]): Promise<FileNamed[]> => {
  if (ranges.length === 0) return []
  const rangeQueries = ranges.map(
    ({ rootId, folder, from, behind }) => sql`
      select book_id, root_id, folder, name, is_folder, fault_code, is_chosen from file
      where root_id = ${rootId} and folder = ${folder} and name >= ${from} and name < ${behind} and state = 'present'`,
  )
  const { rows } = await sql<FileNamed>`
    select file.*, ${wholeId} as whole_id, whole.state as whole_state, whole.library_id as whole_library_id,
      (select 1 from book_apart where book_apart.book_id = ${wholeId}) as is_apart
    from (${sql.join(rangeQueries, sql` union all `)}) as file
    left join book_merge on book_merge.book_id = file.book_id
    join book as whole on whole.id = ${wholeId}`.execute(db)
  return rows
}

export interface FileNamed {
  readonly book_id: string
  readonly root_id: string
  readonly folder: string
  readonly name: string
  readonly is_folder: number
  readonly fault_code: string | null
  readonly is_chosen: number
  readonly whole_id: string
  readonly whole_state: string
  readonly whole_library_id: string
  readonly is_apart: number | null
}

/** All files of these books, the chosen ones and the others, in a fixed order. */
export const selectFilesOfBooks = async (db: ReadDb, bookIds: readonly string[]): Promise<FileOfBookRow[]> => {
  if (bookIds.length === 0) return []
  const rows = await filesOfBooks(db)
    .where('file.book_id', 'in', bookIds)
    // One condition for both would be looked for in the whole table.
    .unionAll(filesOfBooks(db).where('book_merge.into_book_id', 'in', bookIds))
    .execute()
  return [...new Map(rows.map((row) => [row.id, row])).values()].sort((one, other) => (one.id < other.id ? -1 : 1))
}

/** The books that these are, or are part of, as far as they have several files. */
export const selectWithSeveralFiles = async (db: ReadDb, bookIds: readonly string[]): Promise<string[]> => {
  if (bookIds.length === 0) return []
  const formats = () => db.selectFrom('book_merge').select('into_book_id').where('is_format', '=', sql.lit(1))
  const rows = await formats()
    .where('book_id', 'in', bookIds)
    .union(formats().where('into_book_id', 'in', bookIds))
    .execute()
  return rows.map(({ into_book_id }) => into_book_id)
}

/** The present files of a root in the order of their paths, after one of them. */
export const selectFilesAfter = (
  db: ReadDb,
  rootId: string,
  { folder, name }: { readonly folder: string; readonly name: string },
  limit: number,
) =>
  db
    .selectFrom('file')
    .select(['book_id', 'folder', 'name', 'is_folder'])
    .where('root_id', '=', rootId)
    .where('state', '=', sql.lit('present'))
    .where(sql<boolean>`(folder, name) > (${folder}, ${name})`)
    .orderBy('folder')
    .orderBy('name')
    .limit(limit)
    .execute()

/** Where the files of these books are, as the walk has found them. */
export const selectWalkedFiles = async (db: ReadDb, bookIds: readonly string[]) =>
  bookIds.length === 0
    ? []
    : db
        .selectFrom('file')
        .select(['book_id', 'library_id', 'root_id', 'folder', 'name', 'size', 'modified_us', 'changed_us'])
        .select(['inode', 'device', 'is_folder'])
        .where('book_id', 'in', bookIds)
        .execute()

/** Further files of books of a library that have been gone for so long. */
export const selectGoneBefore = async (
  db: ReadDb,
  libraryId: string,
  before: string,
  limit: number,
): Promise<string[]> => {
  const rows = await db
    .selectFrom('book_merge')
    .innerJoin('file', 'file.book_id', 'book_merge.book_id')
    .select('book_merge.book_id')
    .where('book_merge.is_format', '=', sql.lit(1))
    .where('file.library_id', '=', libraryId)
    .where('file.state', '=', sql.lit('missing'))
    .where('file.updated_at', '<', before)
    .limit(limit)
    .execute()
  return rows.map(({ book_id }) => book_id)
}

/** Pairs of books exchange their files: each row stays what it was but for the book it is of. */
export const exchangeFiles = async (
  db: WriteDb,
  pairs: readonly { readonly one: string; readonly other: string }[],
): Promise<void> => {
  const otherOf = new Map(pairs.flatMap(({ one, other }) => [[one, other] as const, [other, one] as const]))
  if (otherOf.size === 0) return
  const rows = await db
    .selectFrom('file')
    .selectAll()
    .where('book_id', 'in', [...otherOf.keys()])
    .execute()
  // A book has one row at any moment, so that two can change places only by being written anew.
  const ids = rows.map(({ id }) => id)
  await db.deleteFrom('file').where('id', 'in', ids).execute()
  const exchanged = rows.map((row): Insertable<ScanTables['file']> => ({
    ...row,
    book_id: otherOf.get(row.book_id) ?? row.book_id,
  }))
  await insertMany(db, 'file', exchanged)
}

/** The one that people have chosen; null: none of them. */
export const updateChosen = async (db: WriteDb, fileIds: readonly string[], chosenId: string | null): Promise<void> => {
  await db.updateTable('file').set({ is_chosen: 0 }).where('id', 'in', fileIds).execute()
  if (chosenId !== null) await db.updateTable('file').set({ is_chosen: 1 }).where('id', '=', chosenId).execute()
}
