import type { WriteDb } from '../../../database/database.ts'
import { announceReadList } from '../news.ts'
import { findBooks } from './find-books.ts'
import {
  deleteEntries,
  fillEntries,
  isAnythingWanted,
  lockReadLists,
  selectTaken,
  selectWaiting,
  type WaitingEntry,
} from './queries.ts'

/** In one transaction; the next change of the series goes on. */
const atOnceMax = 500

/** Books of these series may have come that read lists keep a place for. Costs nothing where nobody waits. */
export const fillPlaces = async (db: WriteDb, seriesIds: readonly string[], now: Date): Promise<void> => {
  if (!(await isAnythingWanted(db))) return
  const waiting = await selectWaiting(db, seriesIds, atOnceMax)
  if (waiting.length === 0) return
  const matches = await findBooks(db, 'everybody', waiting.map(entryOf))
  const arrived = matches.flatMap((match, index) => {
    const entry = waiting[index]
    return entry && match.kind === 'one' && match.book.isPresent ? [{ entry, bookId: match.book.bookId }] : []
  })
  if (arrived.length === 0) return
  const listIds = [...new Set(arrived.map(({ entry }) => entry.read_list_id))].sort()
  await lockReadLists(db, listIds, now.toISOString())
  const taken = new Set(
    await selectTaken(
      db,
      listIds,
      arrived.map(({ bookId }) => bookId),
    ),
  )
  const superfluous: string[] = []
  const filled: { id: string; book_id: string }[] = []
  for (const { entry, bookId } of arrived) {
    const place = `${entry.read_list_id} ${bookId}`
    if (taken.has(place)) superfluous.push(entry.id)
    else filled.push({ id: entry.id, book_id: bookId })
    taken.add(place)
  }
  await deleteEntries(db, superfluous)
  await fillEntries(db, filled)
  for (const readListId of listIds) await announceReadList(db, { type: 'read_list_updated', readListId }, now)
}

const entryOf = (row: WaitingEntry) => ({
  series: row.wanted_series ?? '',
  number: row.wanted_number,
  volume: row.wanted_volume,
  year: row.wanted_year,
})
