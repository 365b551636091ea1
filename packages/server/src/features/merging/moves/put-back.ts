import type { WriteDb } from '../../../database/database.ts'
import {
  insertOverrides,
  lockForMerge,
  newOverride,
  type OverrideRow,
  selectForMerge,
  selectOverridesOfBooks,
  selectOverridesOfFolders,
} from '../../../catalogue/shown/shown.ts'
import { carryOut } from './carry-out.ts'
import { requireOneAudience } from './move-books.ts'
import { selectBooksToMove } from './queries.ts'

/** Where people of another server have put books of a library, and what comes into a folder. */
interface ToPutBack {
  readonly libraryId: string
  readonly seriesId: string
  readonly books: readonly { readonly id: string; readonly at: string }[]
  /** Below a root, with a slash at the end. */
  readonly folders: readonly { readonly folder: string; readonly at: string }[]
}

/**
 * Books that nobody has put anywhere here are put there again, and are kept there as if it had been done here; at most as many
 * as are moved at once. It returns how many, and is refused as a move is.
 */
export const putBooksBack = async (
  db: WriteDb,
  { libraryId, seriesId, books, folders }: ToPutBack,
  now: Date,
): Promise<number> => {
  const atOf = new Map(books.map(({ id, at }) => [id, at]))
  const bookRows = await selectBooksToMove(db, null, [...atOf.keys()])
  await lockForMerge(db, [...new Set([seriesId, ...bookRows.map(({ series_id }) => series_id)])].sort())
  const taken = new Set((await selectOverridesOfBooks(db, libraryId, [...atOf.keys()])).map(({ book_id }) => book_id))
  const again = await selectBooksToMove(db, null, [...atOf.keys()])
  const free = [...new Map(again.map((row) => [row.id, row])).values()].filter(
    ({ id, library_id }) => library_id === libraryId && !taken.has(id),
  )
  const existing = await selectForMerge(db, [...new Set([seriesId, ...free.map(({ series_id }) => series_id)])])
  const into = existing.find(({ id }) => id === seriesId)
  const sources = existing.filter(({ id }) => free.some(({ series_id }) => series_id === id))
  await requireOneAudience(db, { libraryId, sources, into, books: free })
  const shared = { library_id: libraryId, series_id: seriesId, by_user_id: null }
  const rowOf = (of: Pick<OverrideRow, 'book_id' | 'folder' | 'at'>) => newOverride({ ...shared, ...of }, now)
  const names = folders.map(({ folder }) => folder)
  const followed = new Set((await selectOverridesOfFolders(db, libraryId, names)).map(({ folder }) => folder))
  const ofFolders = folders
    .filter(({ folder }) => !followed.has(folder))
    .map((each) => rowOf({ book_id: null, ...each }))
  if (free.length === 0) {
    await insertOverrides(db, ofFolders)
    return 0
  }
  const moves = free.map((book) => ({
    bookId: book.id,
    seriesId,
    from: book.series_id,
    ageRating: book.age_rating,
    carriedBefore: book.carried_age_rating,
  }))
  const ofBooks = free.map(({ id }) => rowOf({ book_id: id, folder: null, at: atOf.get(id) ?? now.toISOString() }))
  const overrides = { removed: [], added: [...ofBooks, ...ofFolders] }
  await carryOut(
    db,
    { libraryId, moves, overrides, isBack: false, reason: 'move', carriesTags: true },
    { by: null, now },
  )
  return free.length
}
