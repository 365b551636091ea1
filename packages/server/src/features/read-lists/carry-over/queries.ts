import { type Selectable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { insertMany } from '../../../database/many.ts'
import type { ReadListTables } from '../table.ts'

export type EntryRow = Selectable<ReadListTables['read_list_book']>

export const selectEntriesOf = (db: ReadDb, bookIds: readonly string[]): Promise<EntryRow[]> =>
  db.selectFrom('read_list_book').selectAll().where('book_id', 'in', bookIds).execute()

/** A book that has a position of its own in a list keeps it; in other lists it takes the first of theirs. */
export const giveEntriesTo = async (db: WriteDb, fromIds: readonly string[], intoId: string): Promise<void> => {
  await sql`update read_list_book set book_id = ${intoId} where id in (
    select id from (
      select id, book_id, row_number() over (
        partition by read_list_id order by case when book_id = ${intoId} then 0 else 1 end, position, id
      ) as place
      from read_list_book where book_id in (${sql.join([intoId, ...fromIds])})
    ) as entries where place = 1 and book_id <> ${intoId})`.execute(db)
  await db.deleteFrom('read_list_book').where('book_id', 'in', fromIds).execute()
}

/** The book returns only to lists that have not lost the book that stayed since then. */
export const returnEntries = async (db: WriteDb, before: readonly EntryRow[], intoId: string): Promise<string[]> => {
  const still = await db.selectFrom('read_list_book').select('read_list_id').where('book_id', '=', intoId).execute()
  const holding = new Set(still.map(({ read_list_id }) => read_list_id))
  const back = before.filter(({ read_list_id }) => holding.has(read_list_id))
  if (back.length === 0) return []
  const ids = back.map(({ id }) => id)
  await db.deleteFrom('read_list_book').where('book_id', '=', intoId).where('id', 'in', ids).execute()
  await insertMany(db, 'read_list_book', back, 'is left as it is')
  return [...new Set(back.map(({ read_list_id }) => read_list_id))]
}
