import type { SeriesChange } from '../../../catalogue/listeners/listeners.ts'
import type { WriteDb } from '../../../database/database.ts'
import type { ListAudiences } from '../../../catalogue/visibility/visibility.ts'
import { announceList, lockLists, recordChanges, readAudiences } from '../../../catalogue/member-lists/member-lists.ts'
import { readLists } from '../kind.ts'
import { findBooks } from './find-books.ts'
import {
  deleteEntries,
  type FilledEntry,
  fillEntries,
  areEntriesWaiting,
  selectTaken,
  selectWaiting,
  type EntryRow,
} from './queries.ts'

/** So many are read and filled at once. */
const atOnceMax = 500

/** Books may have come that entries of read lists wait for, or a series be called as they say. Costs nothing where nobody waits. */
export const fillWaitingIn = (db: WriteDb, changes: readonly SeriesChange[], now: Date): Promise<void> =>
  fillWaiting(
    db,
    changes.map(({ id }) => id),
    now,
  )

const fillWaiting = async (db: WriteDb, seriesIds: readonly string[], now: Date): Promise<void> => {
  if (!(await areEntriesWaiting(db))) return
  for (let after: EntryRow | undefined; ;) {
    const waiting = await selectWaiting(db, seriesIds, after, atOnceMax)
    if (waiting.length > 0) await fillEach(db, waiting, now)
    after = waiting.at(-1)
    if (waiting.length < atOnceMax) return
  }
}

const fillEach = async (db: WriteDb, waiting: readonly EntryRow[], now: Date): Promise<void> => {
  const matches = await findBooks(db, 'everybody', waiting.map(entryOf))
  const arrived = matches.flatMap((match, index) => {
    const entry = waiting[index]
    return entry && match.kind === 'one' && match.book.isPresent ? [{ entry, bookId: match.book.bookId }] : []
  })
  if (arrived.length === 0) return
  const listIds = [...new Set(arrived.map(({ entry }) => entry.read_list_id))].sort()
  await lockLists(db, readLists, listIds)
  const taken = new Set(
    await selectTaken(
      db,
      listIds,
      arrived.map(({ bookId }) => bookId),
    ),
  )
  const superfluous: string[] = []
  const filled: FilledEntry[] = []
  for (const { entry, bookId } of arrived) {
    const key = `${entry.read_list_id} ${bookId}`
    if (taken.has(key)) superfluous.push(entry.id)
    else filled.push({ id: entry.id, read_list_id: entry.read_list_id, book_id: bookId })
    taken.add(key)
  }
  const audiencesBefore = new Map<string, ListAudiences>()
  for (const id of listIds) audiencesBefore.set(id, await readAudiences(db, readLists, { id }))
  await deleteEntries(db, superfluous)
  await fillEntries(db, filled)
  const came = filled.map(({ read_list_id, book_id }) => ({ listId: read_list_id, itemId: book_id }))
  await recordChanges(db, readLists, came, now.toISOString())
  for (const [id, before] of audiencesBefore)
    await announceList(db, readLists, id, { before, after: await readAudiences(db, readLists, { id }), now })
}

const entryOf = (row: EntryRow) => ({
  series: row.wanted_series ?? '',
  number: row.wanted_number,
  volume: row.wanted_volume,
  year: row.wanted_year,
})
