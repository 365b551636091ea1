import type { WriteDb } from '../../../database/database.ts'
import { announceSameReadList } from '../news.ts'
import { type EntryRow, giveEntriesTo, returnEntries, selectEntriesOf } from './queries.ts'

/**
 * The book that stays is in every list that had one of these, once. It returns where those stood. In the transaction of
 * the merge.
 */
export const carryReadListsOver = async (
  db: WriteDb,
  fromIds: readonly string[],
  intoId: string,
  now: Date,
): Promise<readonly EntryRow[]> => {
  const before = await selectEntriesOf(db, fromIds)
  await giveEntriesTo(db, fromIds, intoId)
  await tell(db, before, now)
  return before
}

export const giveReadListsBack = async (
  db: WriteDb,
  before: readonly EntryRow[],
  intoId: string,
  now: Date,
): Promise<void> => {
  const returned = await returnEntries(db, before, intoId)
  await tell(
    db,
    before.filter(({ read_list_id }) => returned.includes(read_list_id)),
    now,
  )
}

const tell = async (db: WriteDb, entries: readonly EntryRow[], now: Date): Promise<void> => {
  for (const readListId of new Set(entries.map(({ read_list_id }) => read_list_id)))
    await announceSameReadList(db, readListId, now)
}
