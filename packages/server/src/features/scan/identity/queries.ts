import { sql } from 'kysely'
import type { ReadDb } from '../../../database/database.ts'
import { afterFolder } from '../queries.ts'

/** Whether any book has no file to show for itself: only then must new files be read before they are new books. */
export const hasLostBooks = async (db: ReadDb): Promise<boolean> => {
  // Each by itself: there are indexes of those that are missing and of those that are hidden, and none of both.
  const oneThat = (state: 'missing' | 'hidden') =>
    db.selectFrom('book').select('book.id').where('book.state', '=', sql.lit(state)).limit(1)
  const missing = await oneThat('missing').executeTakeFirst()
  const hidden = missing ?? (await oneThat('hidden').where(isNoPart).executeTakeFirst())
  return (hidden ?? (await lostParts(db).executeTakeFirst())) !== undefined
}

/** Books that have become part of others are hidden, and lost only when their files are. */
export const isNoPart = sql<boolean>`not exists (select 1 from book_merge where book_merge.book_id = book.id)`

const lostParts = (db: ReadDb) =>
  db
    .selectFrom('book_merge')
    .innerJoin('file', 'file.book_id', 'book_merge.book_id')
    .select('file.book_id')
    .where('file.state', '=', sql.lit('missing'))
    .limit(1)

/** Books without a file, or among `ids`, that ever had one of these fingerprints. */
export const selectCandidateIds = async (
  db: ReadDb,
  kind: 'content' | 'pages',
  values: readonly string[],
): Promise<{ bookId: string; value: string }[]> =>
  values.length === 0
    ? []
    : db
        .selectFrom('book_fingerprint')
        .select(['book_id as bookId', 'value'])
        .where('kind', '=', kind)
        .where('value', 'in', values)
        .execute()

export const selectCandidateFiles = async (db: ReadDb, bookIds: readonly string[]) =>
  bookIds.length === 0
    ? []
    : db
        .selectFrom('file')
        .innerJoin('book', 'book.id', 'file.book_id')
        .select(['file.book_id', 'file.library_id', 'file.root_id', 'file.folder', 'file.name', 'file.content_hash'])
        .innerJoin('library', 'library.id', 'file.library_id')
        .leftJoin('book_merge', 'book_merge.book_id', 'book.id')
        .select(['book.state', 'file.state as file_state', 'book_merge.into_book_id', 'library.deleted_at'])
        .where('file.book_id', 'in', bookIds)
        .execute()

/** Present books that have lost their path to another file: a scan was interrupted between the two. */
export const selectOrphans = (db: ReadDb, rootIds: readonly string[]) =>
  db
    .selectFrom('file')
    .innerJoin('book', 'book.id', 'file.book_id')
    .select(['file.book_id as bookId', 'file.root_id as rootId', 'file.folder'])
    .where('file.root_id', 'in', rootIds)
    .where('file.state', '=', sql.lit('missing'))
    .where('book.state', '=', 'present')
    .execute()

/** There is an index of the paths of those that are there, and another of those that are missing. */
const selectAtPaths =
  (state: 'present' | 'missing') => async (db: ReadDb, rootId: string, folders: readonly string[]) =>
    folders.length === 0
      ? []
      : db
          .selectFrom('file')
          .select(['book_id', 'folder', 'name'])
          .where('root_id', '=', rootId)
          .where('folder', 'in', folders)
          .where('state', '=', sql.lit(state))
          .execute()

export const selectPresentAtPaths = selectAtPaths('present')
export const selectMissingAtPaths = selectAtPaths('missing')

/** What a book was before its file was written over. */
export const selectForReplacement = async (db: ReadDb, bookIds: readonly string[]) =>
  bookIds.length === 0
    ? []
    : db
        .selectFrom('file')
        .innerJoin('book', 'book.id', 'file.book_id')
        .leftJoin('page_index', 'page_index.book_id', 'file.book_id')
        .select([
          'file.book_id',
          'file.file_hash',
          'file.content_hash',
          'file.fault_code',
          'book.metadata',
          'book.page_count',
          'page_index.pages',
        ])
        .where('file.book_id', 'in', bookIds)
        .execute()

/** What people have put somewhere stays there. */
const isGroupedByPath = sql<boolean>`not exists (select 1 from series_override
  where series_override.book_id = book.id and series_override.library_id = book.library_id)`

const bookPaths = (db: ReadDb, seriesIds: readonly string[], after: string, limit: number) =>
  db
    .selectFrom('book')
    .innerJoin('file', 'file.book_id', 'book.id')
    .select(['book.id', 'book.series_id', 'file.root_id as rootId', 'file.folder', 'file.name'])
    .where('book.series_id', 'in', seriesIds)
    .where('book.state', '=', sql.lit('present'))
    .where('file.state', '=', sql.lit('present'))
    .where('book.id', '>', after)
    .orderBy('book.id')
    .limit(limit)

/** Where the present books of these series lie, but for what people have put there, which goes by no key. */
export const selectBookPaths = (db: ReadDb, seriesIds: readonly string[], after: string, limit: number) =>
  bookPaths(db, seriesIds, after, limit).where(isGroupedByPath).execute()

/** All of them, with whether people have put them there. */
export const selectAllBookPaths = (db: ReadDb, seriesIds: readonly string[], after: string, limit: number) =>
  bookPaths(db, seriesIds, after, limit)
    .select(sql<0 | 1>`case when ${isGroupedByPath} then 0 else 1 end`.as('isByHand'))
    .execute()

/** The series of these books, but for those that people have put there, and for what is part of others. */
export const selectSeriesOfBooks = async (db: ReadDb, bookIds: readonly string[]) => {
  if (bookIds.length === 0) return new Map<string, never>()
  const rows = await db
    .selectFrom('book')
    .select(['id', 'series_id', 'state'])
    .where('id', 'in', bookIds)
    .where(isGroupedByPath)
    .where(isNoPart)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export const selectPresentBooksOf = async (
  db: ReadDb,
  seriesId: string,
  after: string,
  limit: number,
): Promise<string[]> => {
  const rows = await selectBookPaths(db, [seriesId], after, limit)
  return rows.map(({ id }) => id)
}

/** How many files are known in each of these folders of a library and below. */
export const countFilesBelow = async (
  db: ReadDb,
  rootIds: readonly string[],
  folders: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  if (rootIds.length === 0 || folders.length === 0) return new Map()
  const folderQueries = folders.map(
    (folder) => sql`select cast(${folder} as text) as folder, cast(${afterFolder(folder)} as text) as behind`,
  )
  const { rows } = await sql<{ folder: string; files: number }>`
    select below.folder, count(*) as files from (${sql.join(folderQueries, sql` union all `)}) as below
    join file on file.root_id in (${sql.join(rootIds)}) and file.state = 'present'
      and file.folder >= below.folder and file.folder < below.behind
    group by below.folder`.execute(db)
  return new Map(rows.map(({ folder, files }) => [folder, files]))
}
