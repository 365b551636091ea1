import { type Selectable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { insertMany } from '../../database/many.ts'
import { type Viewer, visibleTo } from '../visibility/visibility.ts'
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

/** Books that have this digest, or ever had it. */
export const selectBooksByDigest = (db: ReadDb, viewer: Viewer, document: string) =>
  visibleBooks(db, viewer)
    .innerJoin('book_fingerprint', 'book_fingerprint.book_id', 'book.id')
    .where('book_fingerprint.kind', '=', sql.lit('koreader'))
    .where('book_fingerprint.value', '=', document)
    .execute()

/** Books whose file has a name with one of these digests. */
export const selectBooksByName = (db: ReadDb, viewer: Viewer, digests: readonly string[]) =>
  visibleBooks(db, viewer)
    .innerJoin('file', 'file.book_id', 'book.id')
    .where('file.state', '=', sql.lit('present'))
    .where('file.name_hash', 'in', digests)
    .execute()

export const saveDocuments = (db: WriteDb, rows: readonly DocumentRow[]): Promise<void> =>
  insertMany(db, 'koreader_document', rows, {
    keys: ['user_id', 'document', 'device_id'],
    sets: ['device', 'progress', 'percentage', 'metadata', 'at', 'book_id', 'fact_id'],
  })

/** What devices said of a document; the last first. */
export const selectDocuments = (db: ReadDb, userId: string, document: string): Promise<DocumentRow[]> =>
  db
    .selectFrom('koreader_document')
    .selectAll()
    .where('user_id', '=', userId)
    .where('document', '=', document)
    .orderBy('at', 'desc')
    .orderBy('device_id')
    .execute()

/** In the words of the device that said it. */
export const selectDocumentOfFact = (
  db: ReadDb,
  userId: string,
  document: string,
  factId: string,
): Promise<DocumentRow | undefined> =>
  db
    .selectFrom('koreader_document')
    .selectAll()
    .where('user_id', '=', userId)
    .where('document', '=', document)
    .where('fact_id', '=', factId)
    .executeTakeFirst()

/** All but the newest `kept`. */
export const deleteOldDocuments = async (db: WriteDb, userId: string, kept: number): Promise<void> => {
  const oldest = await db
    .selectFrom('koreader_document')
    .select('at')
    .where('user_id', '=', userId)
    .orderBy('at', 'desc')
    .limit(1)
    .offset(kept)
    .executeTakeFirst()
  if (!oldest) return
  await db.deleteFrom('koreader_document').where('user_id', '=', userId).where('at', '<=', oldest.at).execute()
}

export interface Waiting {
  readonly userId: string
  readonly document: string
}

/** Whether anything waits for one of these books. */
export const isAwaited = async (db: ReadDb, bookIds: readonly string[]): Promise<boolean> => {
  if (bookIds.length === 0) return false
  const { rows } = await sql`
    select 1 from book_fingerprint
    where kind = 'koreader' and book_id in (${sql.join(bookIds)}) and (
      exists (select 1 from koreader_document as said where said.document = value and said.fact_id is null)
      or exists (select 1 from koreader_page_time as seen where seen.document = value and seen.is_taken = 0)
    ) limit 1`.execute(db)
  return rows.length > 0
}

/** Documents that wait and that some book is known by, after one of them. */
export const selectWaiting = async (db: ReadDb, after: Waiting, limit: number): Promise<Waiting[]> => {
  const { rows } = await sql<Waiting>`
    select user_id as "userId", document from (
      select user_id, document from koreader_document where fact_id is null
      union
      select user_id, document from koreader_page_time where is_taken = 0
    ) as waiting
    where (user_id, document) > (${after.userId}, ${after.document})
      and exists (select 1 from book_fingerprint where kind = 'koreader' and value = waiting.document)
    order by user_id, document limit ${limit}`.execute(db)
  return rows
}
