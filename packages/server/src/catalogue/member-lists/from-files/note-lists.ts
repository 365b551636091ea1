import type { WriteDb } from '../../../database/database.ts'
import { enqueue } from '../../../tasks/queue.ts'
import type { NamedList } from '../table.ts'
import {
  isAnythingToFollow,
  type ListClaimRow,
  replaceListClaims,
  upsertIfClaimed,
  upsertListsOfBooks,
  upsertListsOfSeries,
  upsertToFollow,
} from './queries.ts'
import { followFiles } from './tasks.ts'

export type ListClaim = Omit<ListClaimRow, 'book_id'>

/** What files of these books say of lists from now on. What they said before is looked at too: `noteLists` is due. */
export const storeListClaims = async (
  db: WriteDb,
  books: readonly { readonly bookId: string; readonly lists: readonly ListClaim[] }[],
  now: Date,
): Promise<void> => {
  const bookIds = books.map(({ bookId }) => bookId)
  await upsertListsOfBooks(db, bookIds, now)
  await replaceListClaims(
    db,
    bookIds,
    books.flatMap(({ bookId, lists }) => lists.map((each) => ({ book_id: bookId, ...each }))),
  )
}

interface TouchedContent {
  /** Another file is read, or they lie elsewhere. */
  readonly bookIds: readonly string[]
  /** They are called otherwise, or other books are in them. */
  readonly seriesIds: readonly string[]
}

/** The lists that these are named in are looked at by the worker. Two statements that find nothing where no file names any. */
export const noteLists = async (db: WriteDb, { bookIds, seriesIds }: TouchedContent, now: Date): Promise<void> => {
  if (bookIds.length > 0) await upsertListsOfBooks(db, bookIds, now)
  if (seriesIds.length > 0) await upsertListsOfSeries(db, seriesIds, now)
  await enqueueIfDue(db, now)
}

const enqueueIfDue = async (db: WriteDb, now: Date): Promise<void> => {
  if (await isAnythingToFollow(db)) await enqueue(db, followFiles, {}, { now })
}

/** Its files make lists from now on, or do so no longer. */
export const noteListsOfLibrary = async (db: WriteDb, libraryId: string, now: Date): Promise<void> => {
  await upsertToFollow(db, [{ kind: 'library', key: libraryId }], now)
  await enqueueIfDue(db, now)
}

/** People have made way for a list that files may name, or want it to follow them again. */
export const noteListNamed = async (
  db: WriteDb,
  { list, nameKey }: { readonly list: NamedList; readonly nameKey: string },
  now: Date,
): Promise<void> => {
  await upsertIfClaimed(db, { list, nameKey }, now)
  await enqueueIfDue(db, now)
}
