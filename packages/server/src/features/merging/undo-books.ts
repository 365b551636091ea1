import type { UndoneBookMerge } from '@carrel/api'
import type { Database, WriteDb } from '../../database/database.ts'
import { announceRefreshed, refresh, updateStateOfBooks } from '../../catalogue/shown/shown.ts'
import { visibleBookIds } from '../../catalogue/entries/entries.ts'
import { type CarriedCovers, giveCoversBack } from '../covers/covers.ts'
import { announceDuplicates } from '../duplicates/duplicates.ts'
import { editMany, undoMergedWords } from '../editing/editing.ts'
import { giveHistoryBack } from '../reading/reading.ts'
import { announceBooks, type Viewer } from '../../catalogue/visibility/visibility.ts'
import { returnRows, readMergeRecords } from './merge-records.ts'
import { openMerge } from './merges.ts'
import { deleteParts, insertApart, type MergeRow, selectBooksToMerge, selectParts } from './queries.ts'

/**
 * Books that had become part of another one are books of their own again, with their ids and with what people had on
 * them. What has been done with the one that stayed since then stays with it.
 */
export const undoMergeOfBooks = (db: Database, viewer: Viewer, id: string, now: Date): Promise<UndoneBookMerge> =>
  db.write(async (db) => {
    const merge = await openMerge(db, viewer, { entity: 'book', id }, now)
    const parts = await selectParts(db, id)
    const formats = parts.filter(({ is_format }) => is_format === 1).map((part) => part.id)
    await insertApart(db, formats, now.toISOString())
    const fromIds = await takeApart(db, merge, { by: viewer.userId, now })
    const seen = await visibleBookIds(db, viewer, fromIds)
    return { bookId: merge.into_id, restoredIds: fromIds.filter((each) => seen.has(each)) }
  })

/** It answers the books that are books of their own again. */
export const takeApart = async (db: WriteDb, merge: MergeRow, speaking: Speaking): Promise<readonly string[]> => {
  const parts = await selectParts(db, merge.id)
  const fromIds = parts.map(({ id }) => id)
  await showReleased(db, parts, speaking.now)
  await deleteParts(db, merge.id, fromIds)
  await giveBack(db, merge, fromIds, speaking)
  await refreshReleased(db, parts, merge, speaking.now)
  return fromIds
}

/** A book that was part of another one, with what has become of its file. */
export type ReleasedPart = Pick<Awaited<ReturnType<typeof selectParts>>[number], 'id' | 'state'>

const isThere = ({ state }: ReleasedPart): boolean => state === 'present'
const idsOf = (parts: readonly ReleasedPart[]): string[] => parts.map(({ id }) => id)

/** They are not hidden any more. */
export const showReleased = async (db: WriteDb, parts: readonly ReleasedPart[], now: Date): Promise<void> => {
  const at = now.toISOString()
  const missing = parts.filter((part) => !isThere(part))
  await updateStateOfBooks(db, idsOf(parts.filter(isThere)), { state: 'present', missingSince: null, at })
  await updateStateOfBooks(db, idsOf(missing), { state: 'missing', missingSince: at, at })
}

export const refreshReleased = async (
  db: WriteDb,
  parts: readonly ReleasedPart[],
  { into_id: intoId, library_id: libraryId }: Pick<MergeRow, 'into_id' | 'library_id'>,
  now: Date,
): Promise<void> => {
  const bookIds = [intoId, ...idsOf(parts)]
  // The books that were hidden are there again.
  const series = (await selectBooksToMerge(db, bookIds)).map(({ series_id }) => series_id)
  const refreshed = await refresh(db, { books: bookIds, series, isEdit: true }, now)
  // The others were nowhere to be seen.
  const books = refreshed.books.filter((book) => book.id === intoId)
  const told = await announceRefreshed(db, { ...refreshed, books }, now)
  await announceBooks(db, 'book_restored', idsOf(parts.filter(isThere)), now)
  if (told.bookIds.size === 0) await announceBooks(db, 'book_updated', [intoId], now)
  await announceDuplicates(db, [libraryId], now)
}

interface Speaking {
  /** Null: a scan, which found that their files lie apart. */
  readonly by: string | null
  readonly now: Date
}

const giveBack = async (
  db: WriteDb,
  { id: mergeId, into_id: intoId }: MergeRow,
  fromIds: readonly string[],
  speaking: Speaking,
): Promise<void> => {
  const { now } = speaking
  const records = await readMergeRecords(db, mergeId)
  const [into] = await selectBooksToMerge(db, [intoId])
  for (const fromBookId of fromIds) await giveHistoryBack(db, { mergeId, fromBookId, intoBookId: intoId })
  await returnRows(db, 'book', { records, intoId, now })
  for (const carried of records<CarriedCovers>('covers'))
    await giveCoversBack(db, 'book', { carried, intoId, fromIds }, now)
  // Whoever has raised the rating of the one that stayed meant the others too, which were part of it.
  const [ratingThen] = records<number | null>('age_rating')
  const ageRating = into?.own_age_rating ?? null
  if (ageRating !== null && ageRating !== ratingThen)
    await editMany(db, { entity: 'book', ids: fromIds, patch: { ageRating } }, { ...speaking, reason: 'undo' })
  for (const historyId of records<string>('words'))
    await undoMergedWords(db, { entity: 'book', id: intoId, historyId }, speaking)
}
