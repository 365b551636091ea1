import type { UndoneBookMerge } from '@carrel/api'
import type { Database, WriteDb } from '../../database/database.ts'
import { announceRefreshed, refresh, setStateOfBooks } from '../../catalogue/shown/shown.ts'
import { visibleBookIds } from '../../catalogue/entries/entries.ts'
import { type CarriedCovers, giveCoversBack } from '../covers/covers.ts'
import { announceDuplicates } from '../duplicates/duplicates.ts'
import { sayOf, takeMergeBack } from '../editing/editing.ts'
import { giveHistoryBack } from '../reading/reading.ts'
import { announceBooks, type Viewer } from '../../catalogue/visibility/visibility.ts'
import { giveRowsBack, readKept } from './kept.ts'
import { openMerge } from './merges.ts'
import { deleteParts, type MergeRow, selectBooksToMerge, selectParts } from './queries.ts'

/**
 * Books that had become part of another one are books of their own again, with their ids and with what people had on
 * them. What has been done with the one that stayed since then stays with it.
 */
export const undoMergeOfBooks = (db: Database, viewer: Viewer, id: string, now: Date): Promise<UndoneBookMerge> =>
  db.write(async (db) => {
    const merge = await openMerge(db, viewer, { entity: 'book', id }, now)
    const at = now.toISOString()
    const parts = await selectParts(db, id)
    const fromIds = parts.map((part) => part.id)
    const present = parts.filter(({ state }) => state === 'present').map((part) => part.id)
    const missing = fromIds.filter((each) => !present.includes(each))
    await setStateOfBooks(db, present, { state: 'present', missingSince: null, at })
    await setStateOfBooks(db, missing, { state: 'missing', missingSince: at, at })
    await deleteParts(db, id, fromIds)
    await giveBack(db, merge, fromIds, { by: viewer.userId, now })
    const refreshed = await refresh(db, { books: [merge.into_id, ...fromIds], isEdit: true }, now)
    // The others were nowhere to be seen.
    const books = refreshed.books.filter((book) => book.id === merge.into_id)
    const told = await announceRefreshed(db, { ...refreshed, books }, now)
    await announceBooks(db, 'book_restored', present, now)
    if (told.bookIds.size === 0) await announceBooks(db, 'book_updated', [merge.into_id], now)
    await announceDuplicates(db, [merge.library_id], now)
    const seen = await visibleBookIds(db, viewer, fromIds)
    return { bookId: merge.into_id, restoredIds: fromIds.filter((each) => seen.has(each)) }
  })

interface Speaking {
  readonly by: string
  readonly now: Date
}

const giveBack = async (
  db: WriteDb,
  { id: mergeId, into_id: intoId }: MergeRow,
  fromIds: readonly string[],
  speaking: Speaking,
): Promise<void> => {
  const { now } = speaking
  const kept = await readKept(db, mergeId)
  const [into] = await selectBooksToMerge(db, [intoId])
  for (const fromBookId of fromIds) await giveHistoryBack(db, { mergeId, fromBookId, intoBookId: intoId })
  await giveRowsBack(db, 'book', { kept, intoId, now })
  for (const carried of kept<CarriedCovers>('covers'))
    await giveCoversBack(db, 'book', { carried, intoId, fromIds }, now)
  // Whoever has raised the rating of the one that stayed meant the others too, which were part of it.
  const [ratingThen] = kept<number | null>('age_rating')
  const ageRating = into?.own_age_rating ?? null
  if (ageRating !== null && ageRating !== ratingThen)
    await sayOf(db, { entity: 'book', ids: fromIds, patch: { ageRating } }, { ...speaking, reason: 'undo' })
  for (const historyId of kept<string>('words'))
    await takeMergeBack(db, { entity: 'book', id: intoId, historyId }, speaking)
}
