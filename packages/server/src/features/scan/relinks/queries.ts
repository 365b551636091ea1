import { type Insertable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import type { Paging } from '../../../platform/paging.ts'
import type { ScanTables } from '../table.ts'

/** Present books with the content of missing ones. Whether somebody has read them decides. */
export const selectPresentTwins = async (db: ReadDb, missingIds: readonly string[]) => {
  if (missingIds.length === 0) return []
  const rows = await db
    .selectFrom('book_fingerprint as lost')
    .innerJoin('book_fingerprint as there', (join) =>
      join.onRef('there.value', '=', 'lost.value').on('there.kind', '=', 'content'),
    )
    .innerJoin('book', 'book.id', 'there.book_id')
    .innerJoin('book as missing', 'missing.id', 'lost.book_id')
    .innerJoin('file', (join) =>
      join.onRef('file.book_id', '=', 'there.book_id').onRef('file.content_hash', '=', 'lost.value'),
    )
    .select(['lost.book_id as missingId', 'there.book_id as presentId', 'book.library_id as libraryId'])
    .select(({ exists, selectFrom }) =>
      exists(selectFrom('reading_session').select('id').whereRef('reading_session.book_id', '=', 'there.book_id')).as(
        'presentHasLog',
      ),
    )
    .select(({ exists, selectFrom }) =>
      exists(selectFrom('reading_session').select('id').whereRef('reading_session.book_id', '=', 'lost.book_id')).as(
        'missingHasLog',
      ),
    )
    .select(sql<number>`case when missing.created_at > book.created_at then 1 else 0 end`.as('missingIsYounger'))
    .distinct()
    .where('lost.kind', '=', 'content')
    .where('lost.book_id', 'in', missingIds)
    .where('book.state', '=', 'present')
    .execute()
  return rows.map(({ missingId, presentId, libraryId, ...row }) => ({
    missingId,
    presentId,
    libraryId,
    presentHasLog: Boolean(row.presentHasLog),
    isMereCopy: !row.missingHasLog && Boolean(row.missingIsYounger),
  }))
}

/** Books without a file whose content these present ones hold. */
export const selectLostTwins = async (db: ReadDb, presentIds: readonly string[]): Promise<string[]> => {
  if (presentIds.length === 0) return []
  const rows = await db
    .selectFrom('file')
    .innerJoin('book_fingerprint as lost', (join) =>
      join.onRef('lost.value', '=', 'file.content_hash').on('lost.kind', '=', 'content'),
    )
    .innerJoin('book', 'book.id', 'lost.book_id')
    .select('lost.book_id as id')
    .distinct()
    .where('file.book_id', 'in', presentIds)
    .where('book.state', 'in', ['missing', 'hidden'])
    .execute()
  return rows.map(({ id }) => id)
}

export type TwinRow = Awaited<ReturnType<typeof selectPresentTwins>>[number]

export const insertRelink = async (db: WriteDb, relink: Insertable<ScanTables['relink']>): Promise<void> => {
  await db
    .insertInto('relink')
    .values(relink)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const selectBooksToTakeOver = (db: ReadDb, ids: readonly string[]) =>
  db
    .selectFrom('book')
    .select([
      'id',
      'state',
      'library_id',
      'series_id',
      'title',
      'sort_key',
      'position_key',
      'number',
      'number_text',
      'volume',
      'chapter',
      'is_special',
      'size',
    ])
    .where('id', 'in', ids)
    .execute()

export const deleteFileOf = async (db: WriteDb, bookId: string): Promise<void> => {
  await db.deleteFrom('file').where('book_id', '=', bookId).execute()
}

export const takeFileOver = async (db: WriteDb, fromBookId: string, toBookId: string): Promise<void> => {
  await db.updateTable('file').set({ book_id: toBookId }).where('book_id', '=', fromBookId).execute()
  await db.deleteFrom('book_fingerprint').where('book_id', '=', fromBookId).execute()
}

export const selectRelinks = (db: ReadDb, libraryId: string, { limit, offset }: Pick<Paging, 'limit' | 'offset'>) =>
  relinks(db, libraryId)
    .innerJoin('book as missing', 'missing.id', 'relink.missing_book_id')
    .innerJoin('book as present', 'present.id', 'relink.present_book_id')
    .innerJoin('file', 'file.book_id', 'relink.present_book_id')
    .select(['relink.id', 'relink.missing_book_id', 'relink.present_book_id', 'relink.at', 'file.folder', 'file.name'])
    .select(['missing.title as missing_title', 'present.title as present_title'])
    .orderBy('relink.at')
    .orderBy('relink.id')
    .limit(limit)
    .offset(offset)
    .execute()

/** Offers that still stand: one side may have gone or come back meanwhile. */
const relinks = (db: ReadDb, libraryId: string) =>
  db
    .selectFrom('relink')
    .where('relink.library_id', '=', libraryId)
    .where('relink.status', '=', 'offered')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('book')
          .select('book.id')
          .whereRef('book.id', '=', 'relink.missing_book_id')
          .where('book.state', '=', 'missing'),
      ),
    )

export const countRelinks = async (db: ReadDb, libraryId: string): Promise<number> => {
  const { count } = await relinks(db, libraryId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export const selectRelink = (db: ReadDb, id: string) =>
  db.selectFrom('relink').selectAll().where('id', '=', id).executeTakeFirst()

export const updateRelink = async (db: WriteDb, id: string, status: 'offered' | 'refused'): Promise<void> => {
  await db.updateTable('relink').set({ status }).where('id', '=', id).execute()
}

export const deleteRelink = async (db: WriteDb, id: string): Promise<void> => {
  await db.deleteFrom('relink').where('id', '=', id).execute()
}
