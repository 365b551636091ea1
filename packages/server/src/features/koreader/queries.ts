import { type Selectable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { insertMany } from '../../database/many.ts'
import { type Viewer, visibleTo } from '../../catalogue/visibility/visibility.ts'
import type { KoreaderTables } from './table.ts'

export type DocumentRow = Selectable<KoreaderTables['koreader_document']>

const copiesMax = 50

const visibleBooks = (db: ReadDb, viewer: Viewer) =>
  db
    .selectFrom('book')
    .leftJoin('read_progress', (join) =>
      join.onRef('read_progress.book_id', '=', 'book.id').on('read_progress.user_id', '=', viewer.userId),
    )
    .select(['book.id', 'book.state', 'read_progress.updated_at as readAt'])
    .where('book.state', '<>', 'hidden')
    .where(visibleTo(viewer, 'book'))
    .limit(copiesMax)

/** Books that have this digest or ever had it, they or a book that has become part of them. */
export const selectBooksByDigest = (db: ReadDb, viewer: Viewer, document: string) =>
  visibleBooks(db, viewer)
    .where(
      'book.id',
      'in',
      db
        .selectFrom('book_fingerprint')
        .leftJoin('book_merge', 'book_merge.book_id', 'book_fingerprint.book_id')
        .select(({ fn }) => fn.coalesce('book_merge.into_book_id', 'book_fingerprint.book_id').as('id'))
        .where('book_fingerprint.kind', '=', sql.lit('koreader'))
        .where('book_fingerprint.value', '=', document),
    )
    .execute()

/** Books one of whose files has a name with one of these digests. */
export const selectBooksByName = (db: ReadDb, viewer: Viewer, digests: readonly string[]) =>
  visibleBooks(db, viewer)
    .where(
      'book.id',
      'in',
      db
        .selectFrom('file')
        .leftJoin('book_merge', 'book_merge.book_id', 'file.book_id')
        .select(({ fn }) => fn.coalesce('book_merge.into_book_id', 'file.book_id').as('id'))
        .where('file.state', '=', sql.lit('present'))
        .where('file.name_hash', 'in', digests),
    )
    .execute()

export const saveDocuments = (db: WriteDb, rows: readonly DocumentRow[]): Promise<void> =>
  insertMany(db, 'koreader_document', rows, {
    keys: ['user_id', 'document', 'device_id'],
    sets: ['device', 'progress', 'percentage', 'metadata', 'at', 'entry_id'],
  })

/** It reads the entries of devices about a document; the last one comes first. */
export const selectDocuments = (db: ReadDb, userId: string, document: string): Promise<DocumentRow[]> =>
  db
    .selectFrom('koreader_document')
    .selectAll()
    .where('user_id', '=', userId)
    .where('document', '=', document)
    .orderBy('at', 'desc')
    .orderBy('device_id')
    .execute()

/** The position is in the format of the device that sent it. */
export const selectDocumentOfEntry = (
  db: ReadDb,
  userId: string,
  document: string,
  entryId: string,
): Promise<DocumentRow | undefined> =>
  db
    .selectFrom('koreader_document')
    .selectAll()
    .where('user_id', '=', userId)
    .where('document', '=', document)
    .where('entry_id', '=', entryId)
    .executeTakeFirst()

/** It deletes all but the newest `maxRows`. */
export const deleteOldDocuments = async (db: WriteDb, userId: string, maxRows: number): Promise<void> => {
  const oldest = await db
    .selectFrom('koreader_document')
    .select('at')
    .where('user_id', '=', userId)
    .orderBy('at', 'desc')
    .limit(1)
    .offset(maxRows)
    .executeTakeFirst()
  if (!oldest) return
  await db.deleteFrom('koreader_document').where('user_id', '=', userId).where('at', '<=', oldest.at).execute()
}

export interface Waiting {
  readonly userId: string
  readonly document: string
}

/** It returns whether anything waits for one of these books. */
export const isAwaited = async (db: ReadDb, bookIds: readonly string[]): Promise<boolean> => {
  if (bookIds.length === 0) return false
  const { rows } = await sql`
    select 1 from book_fingerprint
    where kind = 'koreader' and book_id in (${sql.join(bookIds)}) and (
      exists (select 1 from koreader_document as said where said.document = value and said.entry_id is null)
      or exists (select 1 from koreader_page_time as seen where seen.document = value and seen.is_taken = 0)
    ) limit 1`.execute(db)
  return rows.length > 0
}

/** Documents that wait and that some book is known by, after one of them. */
export const selectWaiting = async (db: ReadDb, after: Waiting, limit: number): Promise<Waiting[]> => {
  const { rows } = await sql<Waiting>`
    select user_id as "userId", document from (
      select user_id, document from koreader_document where entry_id is null
      union
      select user_id, document from koreader_page_time where is_taken = 0
    ) as waiting
    where (user_id, document) > (${after.userId}, ${after.document})
      and exists (select 1 from book_fingerprint where kind = 'koreader' and value = waiting.document)
    order by user_id, document limit ${limit}`.execute(db)
  return rows
}

export type PageTimeRow = Selectable<KoreaderTables['koreader_page_time']>
type WhosePages = Pick<PageTimeRow, 'user_id' | 'document'>

export const countPageTimes = async (db: ReadDb, userId: string): Promise<{ all: number; waiting: number }> => {
  const { all, waiting } = await db
    .selectFrom('koreader_page_time')
    .select(({ fn }) => [fn.countAll<number>().as('all'), sql<number>`coalesce(sum(1 - is_taken), 0)`.as('waiting')])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return { all, waiting }
}

/** Existing rows stay as they are. */
export const insertPageTimes = (db: WriteDb, rows: readonly PageTimeRow[]): Promise<void> =>
  insertMany(db, 'koreader_page_time', rows, 'is left as it is')

export const selectWaitingPageTimes = (
  db: ReadDb,
  { userId, document }: Waiting,
  limit: number,
): Promise<PageTimeRow[]> =>
  db
    .selectFrom('koreader_page_time')
    .selectAll()
    .where('user_id', '=', userId)
    .where('document', '=', document)
    .where('is_taken', '=', 0)
    .orderBy('start_time')
    .orderBy('page')
    .limit(limit)
    .execute()

/** It marks everything about a document that waited up to this one. */
export const markTaken = async (
  db: WriteDb,
  { user_id, document, start_time, page }: WhosePages & Pick<PageTimeRow, 'start_time' | 'page'>,
): Promise<void> => {
  await db
    .updateTable('koreader_page_time')
    .set({ is_taken: 1 })
    .where('user_id', '=', user_id)
    .where('document', '=', document)
    .where('is_taken', '=', 0)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('start_time', 'page'), '<=', tuple(start_time, page)))
    .execute()
}

export const selectWaitingDocuments = async (db: ReadDb, userId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('koreader_page_time')
    .select('document')
    .distinct()
    .where('user_id', '=', userId)
    .where('is_taken', '=', 0)
    .orderBy('document')
    .execute()
  return rows.map(({ document }) => document)
}

/** It reads the devices of this user; two are enough to know that there are several. */
export const selectDevicesOf = (db: ReadDb, userId: string) =>
  db
    .selectFrom('koreader_document')
    .select(({ fn }) => ['device_id', fn.max('device').as('device')])
    .where('user_id', '=', userId)
    .groupBy('device_id')
    .limit(2)
    .execute()

export type FileRow = Selectable<KoreaderTables['koreader_file']>

export const selectFiles = (db: ReadDb, userId: string): Promise<Omit<FileRow, 'bytes'>[]> =>
  db
    .selectFrom('koreader_file')
    .select(['user_id', 'path', 'size', 'etag', 'modified_at'])
    .where('user_id', '=', userId)
    .orderBy('path')
    .execute()

export const selectFile = (db: ReadDb, userId: string, path: string): Promise<FileRow | undefined> =>
  db.selectFrom('koreader_file').selectAll().where('user_id', '=', userId).where('path', '=', path).executeTakeFirst()

export const saveFile = (db: WriteDb, row: FileRow): Promise<void> =>
  insertMany(db, 'koreader_file', [row], {
    keys: ['user_id', 'path'],
    sets: ['bytes', 'size', 'etag', 'modified_at'],
  })

export const deleteFiles = async (db: WriteDb, userId: string, paths: readonly string[]): Promise<void> => {
  await db.deleteFrom('koreader_file').where('user_id', '=', userId).where('path', 'in', paths).execute()
}

export const selectIntake = (db: ReadDb, userId: string) =>
  db.selectFrom('koreader_intake').selectAll().where('user_id', '=', userId).executeTakeFirst()

export const saveIntake = (db: WriteDb, row: KoreaderTables['koreader_intake']): Promise<void> =>
  insertMany(db, 'koreader_intake', [row], {
    keys: ['user_id'],
    sets: ['etag', 'at', 'fault', 'page_times'],
  })

/** It deletes some of what KOReader has stored for a user; it returns whether there may be more. */
export const deleteSomeOf = async (db: WriteDb, userId: string, limit: number): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('koreader_page_time')
    .where('user_id', '=', userId)
    .where(
      sql<boolean>`(document, start_time, page) in (
        select document, start_time, page from koreader_page_time where user_id = ${userId} limit ${limit})`,
    )
    .executeTakeFirstOrThrow()
  if (numDeletedRows > 0n) return true
  await db.deleteFrom('koreader_document').where('user_id', '=', userId).execute()
  await db.deleteFrom('koreader_file').where('user_id', '=', userId).execute()
  await db.deleteFrom('koreader_intake').where('user_id', '=', userId).execute()
  return false
}
