import type { ReadDb, WriteDb } from '../../../database/database.ts'

export const selectSentFiles = async (db: ReadDb, bookId: string): Promise<string[]> => {
  const rows = await db.selectFrom('book_fingerprint').select(['kind', 'value']).where('book_id', '=', bookId).execute()
  return rows.filter(({ kind }) => kind === 'koreader').map(({ value }) => value)
}

export const insertSentFile = async (
  db: WriteDb,
  { bookId, koreader, at }: { readonly bookId: string; readonly koreader: string; readonly at: string },
): Promise<void> => {
  await db
    .insertInto('book_fingerprint')
    .values({ kind: 'koreader', value: koreader, book_id: bookId, at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
