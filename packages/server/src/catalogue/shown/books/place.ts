import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { readLayers, shownFields } from '../../metadata/metadata.ts'
import { type KeptSeries, storeSeries } from '../series/keep.ts'
import { carryTags, type TagsBefore } from '../series/tags.ts'
import { bookPart, decidedNames, groupingHints, type StoredLayer } from './layers.ts'
import { bookNamesOf, type FilePath, type NamingRules, seriesPlaceOf } from './names.ts'
import { carryRatings, insertBooks, savePlaces, selectBooksToPlace, type selectPlaces } from './queries.ts'
import { findSlots } from './slots.ts'
import { type BookMove, standingOf } from './standing.ts'
import type { BookTables } from '../table.ts'

/** A file that a scan has found, and the book it is. */
export interface FileOfBook extends FilePath {
  /** Undefined: a new one. */
  readonly bookId: string | undefined
  readonly size: number
  /** What a new one is taken for, until it is opened. */
  readonly format: BookTables['book']['format']
}

/** Books that lie elsewhere now or are there for the first time. `refresh` is due with them once their files are written. */
export interface PlacedBooks {
  /** In the order the files were given in. */
  readonly bookIds: readonly string[]
  readonly newBookIds: readonly string[]
  readonly seriesCreated: readonly string[]
  /** These are the series that the books are in now, and those that they have left. */
  readonly seriesIds: ReadonlySet<string>
  readonly known: readonly BookMove[]
  readonly tagsBefore: TagsBefore
}

/** Writes down which books there are: in which series they stand, and what they are called by their path. */
export const placeBooks = async (
  db: WriteDb,
  rules: NamingRules,
  files: readonly FileOfBook[],
  now: Date,
): Promise<PlacedBooks> => {
  const knownIds = files.flatMap(({ bookId }) => bookId ?? [])
  const before = new Map((await selectBooksToPlace(db, knownIds)).map((row) => [row.id, standingOf(row)]))
  const fieldsOf = await fieldsOfBooks(db, knownIds)
  const all = files.map((file): UnnamedBook => {
    const fields = fieldsOf(file.bookId)
    return {
      file,
      bookId: file.bookId ?? newId(now.getTime()),
      fields,
      series: seriesPlaceOf(rules, file, fields.hints),
    }
  })
  const kept = await storeSeries(
    db,
    rules.id,
    all.map(({ series }) => series),
    now,
  )
  const rows = await nameBooks(db, rules, all, kept)
  const fresh = rows.filter(({ file }) => file.bookId === undefined)
  await insertBooks(db, fresh.map(freshRow(rules.id, now)))
  const old = rows.filter(({ file }) => file.bookId !== undefined)
  const known = old.flatMap(({ bookId, seriesId }): BookMove[] => {
    const standing = before.get(bookId)
    return standing ? [{ id: bookId, before: standing, libraryId: rules.id, seriesId }] : []
  })
  const tagsBefore = await carryRestrictions(db, known)
  await savePlaces(db, old.map(placedRow(rules.id, now)))
  return {
    bookIds: rows.map(({ bookId }) => bookId),
    newBookIds: fresh.map(({ bookId }) => bookId),
    seriesCreated: kept.created,
    seriesIds: new Set([...rows, ...before.values()].map(({ seriesId }) => seriesId)),
    known,
    tagsBefore,
  }
}

/** A book takes the place that another one had, which has been forgotten meanwhile. */
export const takePlace = async (
  db: WriteDb,
  bookId: string,
  place: Awaited<ReturnType<typeof selectPlaces>>[number],
  now: Date,
): Promise<PlacedBooks> => {
  const known = (await selectBooksToPlace(db, [bookId])).map((row): BookMove => ({
    id: bookId,
    before: standingOf(row),
    libraryId: place.library_id,
    seriesId: place.series_id,
  }))
  const tagsBefore = await carryRestrictions(db, known)
  await savePlaces(db, [{ ...place, id: bookId, state: 'present', missing_since: null, updated_at: now.toISOString() }])
  const seriesIds = new Set([...known.map(({ before }) => before.seriesId), place.series_id])
  return { bookIds: [bookId], newBookIds: [], seriesCreated: [], seriesIds, known, tagsBefore }
}

/** Nothing is loosened by what is moved from one series to another (W9). */
const carryRestrictions = async (db: WriteDb, known: readonly BookMove[]): Promise<TagsBefore> => {
  const moved = known.filter(({ before, seriesId }) => before.seriesId !== seriesId)
  await carryRatings(
    db,
    moved.map(({ id }) => id),
  )
  return carryTags(
    db,
    moved.map(({ before, seriesId }) => ({ from: before.seriesId, to: seriesId })),
  )
}

/** What is said of known books, so that a move does not forget it. */
const fieldsOfBooks = async (db: ReadDb, bookIds: readonly string[]) => {
  const layers = await readLayers<StoredLayer>(db, bookIds)
  return (bookId: string | undefined) => {
    const own = layers.get(bookId ?? '') ?? []
    return { book: { ...shownFields(own.map(bookPart)), decided: decidedNames(own) }, hints: groupingHints(own) }
  }
}

interface UnnamedBook {
  readonly file: FileOfBook
  readonly bookId: string
  readonly fields: ReturnType<Awaited<ReturnType<typeof fieldsOfBooks>>>
  readonly series: ReturnType<typeof seriesPlaceOf>
}

/** What books are called where they are now, and where they stand in their series. */
const nameBooks = async (db: ReadDb, rules: NamingRules, books: readonly UnnamedBook[], kept: KeptSeries) => {
  const idOf = ({ series }: Pick<UnnamedBook, 'series'>): string => kept.idOf.get(series.key) ?? ''
  const slots = await findSlots(
    db,
    books.map((each) => ({ bookId: each.bookId, seriesId: idOf(each), numberSort: each.fields.book.numberSort })),
  )
  return books.map(({ file, bookId, fields, series }) => {
    const names = bookNamesOf(rules, file, fields.book, { series, slot: slots.get(bookId) })
    const seriesId = idOf({ series })
    return { file, bookId, seriesId, names, ageRating: kept.ratingOf.get(seriesId) ?? null }
  })
}

type NamedBook = Awaited<ReturnType<typeof nameBooks>>[number]

const freshRow =
  (libraryId: string, now: Date) =>
  ({ bookId, seriesId, names, ageRating, file: { size, format } }: NamedBook) => ({
    ...newBook(libraryId, now.toISOString()),
    age_rating: ageRating,
    id: bookId,
    series_id: seriesId,
    ...names,
    size,
    format,
  })

const placedRow =
  (libraryId: string, now: Date) =>
  ({ bookId, seriesId, names, file: { size } }: NamedBook) => ({
    id: bookId,
    library_id: libraryId,
    series_id: seriesId,
    state: 'present' as const,
    missing_since: null,
    ...names,
    size,
    updated_at: now.toISOString(),
  })

export const newBook = (libraryId: string, at: string) => ({
  library_id: libraryId,
  state: 'present' as const,
  page_count: 0,
  analysed: 0 as const,
  metadata: '{}',
  locks: '[]',
  cover_version: 0,
  created_at: at,
  updated_at: at,
})
