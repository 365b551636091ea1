import { membersMax } from '@carrel/api'
import type { WriteDb } from '../../../database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { seriesNameKey } from '../../../platform/text/name-keys.ts'
import { deleteWaiting, insertEntries, setPositions } from './queries.ts'

/** A place in a list of another server: of a book that is here, or of one by its series and number. */
export type ListPosition =
  | { readonly bookId: string }
  | { readonly series: string; readonly number: string | null; readonly volume: string | null }

/** A list that was brought keeps the places of books that are not here yet, each in its order. It returns their ids. */
export const reservePositions = async (
  db: WriteDb,
  readListId: string,
  entries: readonly ListPosition[],
  now: Date,
): Promise<readonly string[]> => {
  const shown = entries.slice(0, membersMax).map((entry, index) => ({ entry, position: index + 1 }))
  const waiting = shown.flatMap(({ entry, position }) => {
    const key = 'bookId' in entry ? '' : seriesNameKey(entry.series)
    if ('bookId' in entry || key === '') return []
    return [
      {
        id: newId(now.getTime()),
        read_list_id: readListId,
        book_id: null,
        position,
        added_at: now.toISOString(),
        wanted_series: entry.series,
        wanted_series_key: key,
        wanted_number: entry.number,
        wanted_volume: entry.volume,
        wanted_year: null,
      },
    ]
  })
  if (waiting.length === 0) return []
  await insertEntries(db, waiting)
  const moved = shown.flatMap(({ entry, position }) => ('bookId' in entry ? [{ bookId: entry.bookId, position }] : []))
  await setPositions(db, readListId, moved)
  return waiting.map(({ id }) => id)
}

/** A entry that a book has come to since is the book's. */
export const releasePositions = (db: WriteDb, ids: readonly string[]): Promise<void> => deleteWaiting(db, ids)
