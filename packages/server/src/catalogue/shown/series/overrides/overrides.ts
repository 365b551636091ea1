import type { ReadDb, WriteDb } from '../../../../database/database.ts'
import { newId } from '../../../../platform/ids.ts'
import { insertOverrides, type OverrideRow, selectOverridesOfBooks, selectOverridesOfFolders } from './queries.ts'

/** A book of which it is asked where people have put it. */
export interface ArrivingBook {
  readonly bookId: string
  /** The folder that it lies in now; absent: it lies where it lay. */
  readonly comesTo?: string | undefined
  /** Where it lay in this library before; absent: nowhere. */
  readonly comesFrom?: string | undefined
}

export interface AppliedOverrides {
  /** By book: the series that it is in by somebody's hand. */
  readonly seriesOf: ReadonlyMap<string, string>
  /** These are for books that have come into a folder that goes into a series; they are stored as soon as the books are. */
  readonly arrived: readonly OverrideRow[]
}

/** Where people have put books of a library, be it by what they have said of the folder that a book has come to. */
export const readOverrides = async (
  db: ReadDb,
  libraryId: string,
  books: readonly ArrivingBook[],
  now: Date,
): Promise<AppliedOverrides> => {
  const own = await selectOverridesOfBooks(
    db,
    libraryId,
    books.map(({ bookId }) => bookId),
  )
  const seriesOf = new Map(own.flatMap(({ book_id, series_id }) => (book_id === null ? [] : [[book_id, series_id]])))
  const coming = books.filter(({ bookId, comesTo }) => comesTo !== undefined && !seriesOf.has(bookId))
  const above = new Set(coming.flatMap(({ comesTo = '' }) => foldersAbove(comesTo)))
  const followed = new Map((await selectOverridesOfFolders(db, libraryId, [...above])).map((row) => [row.folder, row]))
  const arrived = followed.size === 0 ? [] : coming.flatMap((book) => arrivalOf(book, followed, now))
  for (const { book_id, series_id } of arrived) seriesOf.set(book_id ?? '', series_id)
  return { seriesOf, arrived }
}

/** What has only moved within a folder has not come to it. */
const arrivalOf = (
  { bookId, comesTo = '', comesFrom }: ArrivingBook,
  followed: ReadonlyMap<string | null, OverrideRow>,
  now: Date,
): OverrideRow[] => {
  const row = foldersAbove(comesTo)
    .flatMap((each) => followed.get(each) ?? [])
    .findLast((each) => !isWithin(each, comesFrom))
  if (!row) return []
  return [
    {
      ...row,
      id: newId(now.getTime()),
      book_id: bookId,
      folder: null,
      folder_before: null,
      through_id: row.id,
      at: now.toISOString(),
    },
  ]
}

const isWithin = ({ folder, folder_before }: OverrideRow, path: string | undefined): boolean =>
  [folder, folder_before].some((each) => each !== null && path?.startsWith(each) === true)

/** `A/B/` lies in `A/` and in itself, from the root down; the root itself follows nobody. */
const foldersAbove = (folder: string): string[] =>
  [...folder.matchAll(/\//g)].map(({ index }) => folder.slice(0, index + 1))

export const storeArrived = (db: WriteDb, { arrived }: AppliedOverrides): Promise<void> => insertOverrides(db, arrived)
