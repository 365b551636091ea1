import { membersMax } from '@carrel/api'
import type { WriteDb } from '../../../database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { seriesNameKey } from '../../../platform/text/name-keys.ts'
import { deleteWaiting, insertEntries, setPositions } from './queries.ts'

/** A place in a list of another server: of a book that is here, or of one by its series and number. */
export type PlaceInList =
  | { readonly bookId: string }
  | { readonly series: string; readonly number: string | null; readonly volume: string | null }

/** A list that was brought keeps the places of books that are not here yet, each in its order. It returns their ids. */
export const keepPlaces = async (
  db: WriteDb,
  readListId: string,
  places: readonly PlaceInList[],
  now: Date,
): Promise<readonly string[]> => {
  const shown = places.slice(0, membersMax).map((place, index) => ({ place, position: index + 1 }))
  const waiting = shown.flatMap(({ place, position }) => {
    const key = 'bookId' in place ? '' : seriesNameKey(place.series)
    if ('bookId' in place || key === '') return []
    return [
      {
        id: newId(now.getTime()),
        read_list_id: readListId,
        book_id: null,
        position,
        added_at: now.toISOString(),
        wanted_series: place.series,
        wanted_series_key: key,
        wanted_number: place.number,
        wanted_volume: place.volume,
        wanted_year: null,
      },
    ]
  })
  if (waiting.length === 0) return []
  await insertEntries(db, waiting)
  const moved = shown.flatMap(({ place, position }) => ('bookId' in place ? [{ bookId: place.bookId, position }] : []))
  await setPositions(db, readListId, moved)
  return waiting.map(({ id }) => id)
}

/** A place that a book has come to since is the book's. */
export const takePlacesBack = (db: WriteDb, ids: readonly string[]): Promise<void> => deleteWaiting(db, ids)
