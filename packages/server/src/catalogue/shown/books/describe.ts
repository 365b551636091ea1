import type { WriteDb } from '../../../database/database.ts'
import { dialectOf } from '../../../database/transaction.ts'
import { type Layer, readLayers, recordShown, fieldsByPeople, shownFields } from '../../metadata/metadata.ts'
import type { BookSources } from '../series/claims/sources.ts'
import { storeSeriesOf } from '../series/keep.ts'
import { carryTags, type TagsBefore } from '../series/tags.ts'
import { describedColumns, type ReadContent } from './columns.ts'
import { bookPart, decidedNames, groupingHints, type StoredLayer } from './layers.ts'
import { type NamingRules, groupFile } from './names.ts'
import { carryRatings, saveDescribed, selectFilesOfBooks, selectNamingRules } from './queries.ts'
import { findSlots } from './slots.ts'
import { type BookMove, standingOf } from './standing.ts'

export interface ReadingOfBooks {
  /** What has just been read in them, by book. */
  readonly analyses?: ReadonlyMap<string, ReadContent> | undefined
  /** Whose new words these are, by book; absent: the history is kept elsewhere, or nothing new is said. */
  readonly sourceOf?: ((bookId: string) => string) | undefined
  /** What is kept beside the columns may not be what it should be, whether they change or not. */
  readonly isInDoubt?: boolean
}

export interface DescribedBooks {
  readonly books: readonly BookMove[]
  /** These are the series that the books are in now, and those that they have left. */
  readonly seriesIds: ReadonlySet<string>
  /** Books have come into these of them, have left them or stand at another place in them. */
  readonly arrangedAnew: ReadonlySet<string>
  /** What the books were worked out of, by book. */
  readonly sources: ReadonlyMap<string, BookSources>
  readonly tagsBefore: TagsBefore
}

export type FileRow = Awaited<ReturnType<typeof selectFilesOfBooks>>[number]

/** Works out anew what is shown of books, from all that is said of them, and in which series they are. */
export const describeBooks = async (
  db: WriteDb,
  bookIds: readonly string[],
  reading: ReadingOfBooks,
  now: Date,
): Promise<DescribedBooks> => {
  const files = await selectFilesOfBooks(db, bookIds, dialectOf(db).lockedRows('book'))
  const rulesOf = await selectNamingRules(db, [...new Set(files.map(({ library_id }) => library_id))])
  const books: BookMove[] = []
  const seriesIds = new Set<string>()
  const arrangedAnew = new Set<string>()
  const sources = new Map<string, BookSources>()
  const tagsBefore = new Map<string, readonly string[]>()
  for (const [libraryId, ofLibrary] of Map.groupBy(files, ({ library_id }) => library_id)) {
    const rules = rulesOf.get(libraryId)
    // Nothing is worked out for a library that is deleted.
    if (!rules) continue
    const moves = await describeInLibrary(db, { rules, files: ofLibrary, ...reading }, now)
    for (const { book, from, to, isElsewhere } of moves.all) {
      seriesIds.add(from).add(to)
      if (isElsewhere) arrangedAnew.add(from).add(to)
      const isNoMove = from === to || book.file.analysed !== 1
      books.push({ id: book.file.book_id, before: standingOf(book.file), libraryId, seriesId: to, isNoMove })
      sources.set(book.file.book_id, { layers: book.layers, byPath: book.series.claims })
    }
    for (const [seriesId, tags] of moves.tagsBefore) tagsBefore.set(seriesId, tags)
  }
  return { books, seriesIds, arrangedAnew, sources, tagsBefore }
}

interface InLibrary extends ReadingOfBooks {
  readonly rules: NamingRules
  readonly files: readonly FileRow[]
}

const describeInLibrary = async (
  db: WriteDb,
  { rules, files, analyses, sourceOf, isInDoubt = false }: InLibrary,
  now: Date,
) => {
  const layers = await readLayers<StoredLayer>(
    db,
    files.map(({ book_id }) => book_id),
  )
  const books = files.map((file) => bookToDescribe(rules, file, layers.get(file.book_id) ?? []))
  const stored = await storeSeriesOf(
    db,
    rules.id,
    // What is part of another book makes no series.
    books.flatMap(({ file, series }) => (file.state === 'hidden' ? [] : [{ bookId: file.book_id, series }])),
    now,
  )
  const seriesIdOf = ({ file }: (typeof books)[number]): string => stored.idOf.get(file.book_id) ?? file.series_id
  const slots = await findSlots(
    db,
    books.map((book) => ({
      bookId: book.file.book_id,
      seriesId: seriesIdOf(book),
      numberSort: book.fields.numberSort,
    })),
  )
  const all = books.map((book) => ({ book, from: book.file.series_id, to: seriesIdOf(book) }))
  // Where it was put by its name alone it has only waited.
  const moved = all.filter(({ book, from, to }) => from !== to && book.file.analysed === 1)
  await carryRatings(
    db,
    moved.map(({ book }) => book.file.book_id),
  )
  const tagsBefore = await carryTags(db, moved)
  const rows = all.map(({ book, to: seriesId }) => {
    const { book_id: bookId } = book.file
    return describedColumns(rules, book, { seriesId, slot: slots.get(bookId), analysis: analyses?.get(bookId), now })
  })
  await saveDescribed(db, rows, new Map(files.map((file) => [file.book_id, file])))
  const shown = rows.map(({ id, metadata }, index) => {
    const { metadata: before = '{}', analysed = 0 } = files[index] ?? {}
    // What is read for the first time changes nothing that was known.
    return { id, before, after: metadata, source: analysed === 1 ? sourceOf?.(id) : undefined, isInDoubt }
  })
  await recordShown(db, 'book', shown, now)
  const placed = all.map((each, index) => ({ ...each, isElsewhere: isElsewhere(each, rows[index]) }))
  return { all: placed, tagsBefore }
}

const isElsewhere = (
  { book, from, to }: { readonly book: { readonly file: FileRow }; readonly from: string; readonly to: string },
  row: ReturnType<typeof describedColumns> | undefined,
): boolean => from !== to || (row !== undefined && 'position_key' in row && row.position_key !== book.file.position_key)

/** A book with what is said of it, put together. */
export const bookToDescribe = (rules: NamingRules, file: FileRow, own: readonly Layer<StoredLayer>[]) => {
  const path = { rootId: file.root_id, folder: file.folder, name: file.name }
  return {
    file,
    layers: own,
    fields: shownFields(own.map(bookPart)),
    ageRatingByPeople: fieldsByPeople(own.map(bookPart)).ageRating ?? null,
    decided: decidedNames(own),
    path,
    series: groupFile(rules, path, groupingHints(own)),
  }
}
