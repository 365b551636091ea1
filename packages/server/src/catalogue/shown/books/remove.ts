import type { WriteDb } from '../../../database/database.ts'
import { deleteLayersOf } from '../../metadata/metadata.ts'
import { forgetClaims } from '../series/claims/tally.ts'
import { deleteBooks, selectBookIds, selectPartsOf, updateHidden } from './queries.ts'

/** Takes the books of a deleted library out of every list at once, so that no index leads to them. */
export const hideBooks = async (db: WriteDb, libraryId: string, limit: number): Promise<number> => {
  const present = await selectBookIds(db, libraryId, 'present', limit)
  const missing = await selectBookIds(db, libraryId, 'missing', limit - present.length)
  const ids = [...present, ...missing]
  if (ids.length > 0) await updateHidden(db, ids)
  return ids.length
}

export const forgetHiddenBooks = async (
  db: WriteDb,
  { libraryId, limit, now }: { readonly libraryId: string; readonly limit: number; readonly now: Date },
): Promise<number> => {
  const ids = await selectBookIds(db, libraryId, 'hidden', limit)
  if (ids.length > 0) await forgetBooks(db, ids, now)
  return ids.length
}

/**
 * For ever, with all that is known of them. Each feature that keeps something of books by their id alone is called here;
 * what refers to the row of the book goes with it.
 */
export const forgetBooks = async (db: WriteDb, bookIds: readonly string[], now: Date): Promise<void> => {
  const ids = [...bookIds, ...(bookIds.length === 0 ? [] : await selectPartsOf(db, bookIds))]
  await forgetClaims(db, ids, now)
  await deleteLayersOf(db, ids)
  await deleteBooks(db, ids)
}
