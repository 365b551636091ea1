import type { WriteDb } from '../../database/database.ts'
import { mapInTurns } from '../../platform/turns.ts'
import { listenersOf, type SeriesChange } from '../listeners/listeners.ts'
import { noteLists } from '../member-lists/member-lists.ts'
import { indexBooks } from '../search-index/search-index.ts'
import { describeBooks, type ReadingOfBooks } from './books/describe.ts'
import type { PlacedBooks } from './books/place-books.ts'
import { settleRatings } from './books/queries.ts'
import type { BookMove, BookStanding } from './books/standing.ts'
import { keepHidden } from './keep-hidden.ts'
import { type DescribedSeries, describeSeries, isRatedOtherwise } from './series/describe.ts'
import { settleParts } from './series/in-part/in-part.ts'
import type { TagsBefore } from './series/tags.ts'

/** What has been touched of the sources that what is shown is worked out of. */
export interface Touched extends ReadingOfBooks {
  /** Something else is said of these, or was read in them; whether they are there is what it was. */
  readonly books?: Iterable<string>
  /** These lie elsewhere, or are new. */
  readonly placed?: PlacedBooks
  /** Books of these have come, gone or changed. */
  readonly series?: Iterable<string>
  /** Books were moved to these as they stand, by whoever made one series of several or several of one. */
  readonly seriesWithBooks?: Iterable<string>
  /** Something else is said of these, and their books are what they were. */
  readonly wordsOfSeries?: Iterable<string>
  /** Whoever edits keeps the history of it. */
  readonly isEdit?: boolean
}

/** A book that is seen by others than before. */
export interface BookChange {
  readonly id: string
  readonly before: BookStanding
  readonly after: BookStanding
}

export interface Refreshed {
  readonly series: readonly SeriesChange[]
  readonly books: readonly BookChange[]
  readonly tagsBefore: TagsBefore
}

/**
 * Brings everything up to date that follows from what has been touched, for one or ten thousand, in the transaction that
 * has touched it: columns, names, terms, ids, search, ratings that are inherited, counts, and what listeners own.
 */
export const refresh = async (db: WriteDb, touched: Touched, now: Date): Promise<Refreshed> => {
  const { placed, isEdit = false, isInDoubt = false } = touched
  const described = await describeBooks(db, [...new Set(touched.books)], touched, now)
  const bookIds = [...new Set([...(placed?.bookIds ?? []), ...described.books.map(({ id }) => id)])]
  const moves = movesOf(placed, described.books)
  const rated = [...(await settleRatings(db, 'id', [...new Set([...described.books, ...moves].map(({ id }) => id))]))]
  const withTheirBooks = new Set(touched.seriesWithBooks)
  const otherBooks = new Set([
    ...(isInDoubt ? described.seriesIds : described.arrangedAnew),
    ...(placed?.seriesIds ?? []),
    ...(touched.series ?? []),
    ...withTheirBooks,
  ])
  const seriesIds = [...new Set([...otherBooks, ...described.seriesIds, ...(touched.wordsOfSeries ?? [])])]
  const sources = new Map([...(placed?.sources ?? []), ...described.sources])
  const claims = { bookIds, sources, seriesIds: [...withTheirBooks, ...(touched.series ?? [])], isInDoubt }
  const describedSeries = await describeSeries(db, seriesIds, { isEdit, isInDoubt, claims }, now)
  const resorted = describedSeries
    .filter(({ row, columns }) => row.sort_key !== columns.sort_key)
    .map(({ row }) => row.id)
  await noteLists(db, { bookIds, seriesIds: [...withTheirBooks, ...resorted] }, now)
  const ratedAnew = describedSeries.filter((each) => isRatedOtherwise(each) || withTheirBooks.has(each.row.id))
  rated.push(
    ...(await settleRatings(
      db,
      'series_id',
      ratedAnew.map(({ row }) => row.id),
    )),
  )
  const series = await keepHidden(db, { moves, series: describedSeries, rated }, now)
  await settleParts(
    db,
    series
      .filter((each) => mayBeInPart(each) || isRatedOtherwise(each) || withTheirBooks.has(each.row.id))
      .map(({ row }) => ({ id: row.id, hadParts: row.strictest_rating !== null })),
  )
  await indexBooks(db, { bookIds, ...findableOtherwise(series, withTheirBooks) }, now)
  const changes = series.map((each) => changeOf(each, { otherBooks, isInDoubt }))
  for (const tell of listenersOf(db).seriesChanged) await tell(db, changes, now)
  return {
    series: changes,
    books: await changedBooks(moves, rated),
    tagsBefore: new Map([...described.tagsBefore, ...(placed?.tagsBefore ?? [])]),
  }
}

/** It returns the series whose books may be found by other words than before. */
const findableOtherwise = (
  series: readonly DescribedSeries[],
  withTheirBooks: ReadonlySet<string>,
): { readonly otherwise: readonly string[]; readonly rated: readonly string[] } => {
  const ids = (all: readonly DescribedSeries[]): string[] => all.map(({ row }) => row.id)
  const isOtherwise = (each: DescribedSeries): boolean =>
    each.row.title !== each.columns.title ||
    withTheirBooks.has(each.row.id) ||
    mayBeInPart(each) ||
    (each.row.age_rating !== null && isRatedOtherwise(each))
  const others = series.filter((each) => !isOtherwise(each) && isRatedOtherwise(each))
  return { otherwise: ids(series.filter(isOtherwise)), rated: ids(others) }
}

/** It has books that are rated higher than it, or had some. What is rated anew settles that of its books as well. */
const mayBeInPart = ({ row, columns }: DescribedSeries): boolean =>
  row.strictest_rating !== null || (row.strictest_seen ?? -1) > (columns.age_rating ?? Number.POSITIVE_INFINITY)

/** It returns the books that were there before, as they stood before anything was done to them. */
const movesOf = (placed: PlacedBooks | undefined, described: readonly BookMove[]): readonly BookMove[] => {
  if (!placed) return described
  if (described.length === 0) return placed.moves
  const fresh = new Set(placed.newBookIds)
  const placedById = new Map(placed.moves.map((book) => [book.id, book]))
  const again = described.map((book): BookMove => {
    const { before, isNoMove } = placedById.get(book.id) ?? book
    return { ...book, before, isNoMove: isNoMove === true }
  })
  const movesById = new Map([...placed.moves, ...again].map((book) => [book.id, book]))
  return [...movesById.values()].filter(({ id }) => !fresh.has(id))
}

const changeOf = (
  { row, columns }: DescribedSeries,
  { otherBooks, isInDoubt }: { readonly otherBooks: ReadonlySet<string>; readonly isInDoubt: boolean },
): SeriesChange => ({
  id: row.id,
  libraryId: row.library_id,
  ageRating: columns.age_rating,
  ageRatingBefore: row.age_rating,
  bookCount: columns.book_count,
  // A count that was wrong says nothing of what has come or gone.
  bookCountBefore: isInDoubt ? columns.book_count : row.book_count,
  hasOtherBooks: otherBooks.has(row.id),
})

/** A book is seen by others when it is rated otherwise, or stands elsewhere. */
const changedBooks = async (
  books: readonly BookMove[],
  rated: readonly { readonly id: string; readonly age_rating: number | null }[],
): Promise<readonly BookChange[]> => {
  const ratingOf = new Map(rated.map(({ id, age_rating }) => [id, age_rating]))
  const changes = await mapInTurns(books, ({ id, before, libraryId, seriesId }): BookChange => {
    const rating = ratingOf.get(id)
    return { id, before, after: { libraryId, seriesId, ageRating: rating === undefined ? before.ageRating : rating } }
  })
  return changes.filter(
    ({ before, after }) =>
      after.libraryId !== before.libraryId ||
      after.seriesId !== before.seriesId ||
      after.ageRating !== before.ageRating,
  )
}
