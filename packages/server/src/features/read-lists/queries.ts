import type { MissingEntry } from '@carrel/api'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import type { Paging } from '../../platform/paging.ts'

/** Places kept for what is not there yet. */
export const selectMissing = async (
  db: ReadDb,
  readListId: string,
  { limit, offset }: Paging,
): Promise<MissingEntry[]> => {
  const rows = await db
    .selectFrom('read_list_book')
    .selectAll()
    .where('read_list_id', '=', readListId)
    .where('book_id', 'is', null)
    .orderBy('position')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    series: row.wanted_series ?? '',
    number: row.wanted_number,
    volume: row.wanted_volume,
    year: row.wanted_year,
    addedAt: row.added_at,
  }))
}

export const countMissing = async (db: ReadDb, readListId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('read_list_book')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('read_list_id', '=', readListId)
    .where('book_id', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

export const deleteMissing = async (db: WriteDb, readListId: string, entryId: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('read_list_book')
    .where('read_list_id', '=', readListId)
    .where('id', '=', entryId)
    .where('book_id', 'is', null)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
