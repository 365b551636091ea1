import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { mapInTurns } from '../../../platform/turns.ts'
import { readLayers, shownFields } from '../../metadata/metadata.ts'
import { type StoredSeries, storeSeriesOf } from '../series/keep.ts'
import type { BookSources } from '../series/claims/sources.ts'
import { storeArrived } from '../series/overrides/overrides.ts'
import { selectOverridesOfBooks } from '../series/overrides/queries.ts'
import { carryTags, type TagsBefore } from '../series/tags.ts'
import { bookPart, decidedNames, groupingHints, type StoredLayer } from './layers.ts'
import { bookNamesOf, type FileInRoot, type NamingRules, groupFile } from './names.ts'
import {
  carryRatings,
  insertBooks,
  saveLocations,
  saveReturned,
  saveSeriesOf,
  selectBooksWithFolder,
  type selectLocationsOfBooks,
} from './queries.ts'
import { findSlots } from './slots.ts'
import { type BookMove, standingOf } from './standing.ts'
import type { BookTables } from '../table.ts'

/** A file that a scan has found, and the book it is. */
export interface FileOfBook extends FileInRoot {
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
  readonly moves: readonly BookMove[]
  /** They are those of the new books, of which nothing but their path has said anything. */
  readonly sources: ReadonlyMap<string, BookSources>
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
  const standings = await selectBooksWithFolder(db, knownIds)
  const before = new Map(standings.map((row) => [row.id, standingOf(row)]))
  const folderOf = new Map(standings.map(({ id, library_id, folder }) => [id, library_id === rules.id ? folder : null]))
  const fieldsOf = await fieldsOfBooks(db, knownIds)
  const all = files.map((file): UnnamedBook => {
    const fields = fieldsOf(file.bookId)
    return {
      file,
      bookId: file.bookId ?? newId(now.getTime()),
      fields,
      series: groupFile(rules, file, fields.hints),
    }
  })
  const stored = await storeSeriesOf(
    db,
    rules.id,
    all.map(({ bookId, series, file }) => ({
      bookId,
      series,
      comesTo: file.folder,
      comesFrom: folderOf.get(bookId) ?? undefined,
    })),
    now,
  )
  const rows = await nameBooks(db, rules, all, stored)
  const fresh = rows.filter(({ file }) => file.bookId === undefined)
  await insertBooks(db, fresh.map(freshRow(rules.id, now)))
  await storeArrived(db, stored.byHand)
  const old = rows.filter(({ file }) => file.bookId !== undefined)
  const moves = old.flatMap(({ bookId, seriesId }): BookMove[] => {
    const standing = before.get(bookId)
    return standing ? [{ id: bookId, before: standing, libraryId: rules.id, seriesId }] : []
  })
  const tagsBefore = await carryRestrictions(db, moves)
  await saveLocations(db, old.map(placedRow(rules.id, now)))
  return {
    bookIds: rows.map(({ bookId }) => bookId),
    newBookIds: fresh.map(({ bookId }) => bookId),
    seriesCreated: stored.created,
    seriesIds: new Set([...rows, ...before.values()].map(({ seriesId }) => seriesId)),
    moves,
    sources: new Map(fresh.map(({ bookId, series }) => [bookId, { layers: [], byPath: series.claims }])),
    tagsBefore,
  }
}

/** A book takes the place that another one had, which has been forgotten meanwhile. */
export const takeOverLocation = async (
  db: WriteDb,
  bookId: string,
  bookLocation: Awaited<ReturnType<typeof selectLocationsOfBooks>>[number],
  now: Date,
): Promise<PlacedBooks> => {
  const [byHand] = await selectOverridesOfBooks(db, bookLocation.library_id, [bookId])
  const location = { ...bookLocation, series_id: byHand?.series_id ?? bookLocation.series_id }
  const moves = (await selectBooksWithFolder(db, [bookId])).map((row): BookMove => ({
    id: bookId,
    before: standingOf(row),
    libraryId: location.library_id,
    seriesId: location.series_id,
  }))
  const tagsBefore = await carryRestrictions(db, moves)
  await saveLocations(db, [
    { ...location, id: bookId, state: 'present', missing_since: null, updated_at: now.toISOString() },
  ])
  const seriesIds = new Set([...moves.map(({ before }) => before.seriesId), location.series_id])
  return {
    bookIds: [bookId],
    newBookIds: [],
    seriesCreated: [],
    seriesIds,
    moves,
    sources: new Map(),
    tagsBefore,
  }
}

/** What people move stays as it is, but for its series. */
export interface MoveByHand {
  readonly bookId: string
  readonly seriesId: string
  /** Which rating it carries there; absent: the one it has, and the series the tags of the one it leaves (W9). */
  readonly carried?: number | null
}

/**
 * It moves books of one library. It leaves names and places as they are, so that ten thousand books take one statement. `refresh` is due with
 * what it answers, and with the series that they come into (`seriesWithBooks`): nothing is said of the books that was not.
 */
export const moveBooksTo = async (
  db: WriteDb,
  libraryId: string,
  moves: readonly MoveByHand[],
  now: Date,
): Promise<PlacedBooks> => {
  const byHandOf = new Map<string, MoveByHand>()
  await mapInTurns(moves, (move) => byHandOf.set(move.bookId, move))
  const rows = await selectBooksWithFolder(db, [...byHandOf.keys()])
  const seriesIds = new Set<string>()
  const standingMoves = await mapInTurns(rows, (row): BookMove => {
    const byHand = byHandOf.get(row.id)
    const seriesId = byHand?.seriesId ?? row.series_id
    seriesIds.add(row.series_id).add(seriesId)
    return { id: row.id, before: standingOf(row), libraryId, seriesId, isNoMove: byHand?.carried !== undefined }
  })
  const carriedBy = ({ id }: BookMove) => byHandOf.get(id)?.carried
  const leaving = standingMoves.filter((move) => carriedBy(move) === undefined)
  const tagsBefore = await carryRestrictions(db, leaving)
  const at = now.toISOString()
  const placed = ({ id, seriesId }: BookMove) => ({ id, series_id: seriesId, updated_at: at })
  await saveSeriesOf(db, await mapInTurns(leaving, placed))
  // Each of these is written once too: a row of a book stands in two dozen indexes.
  const returned = await mapInTurns(standingMoves, (move) => {
    const carried = carriedBy(move)
    return carried === undefined ? [] : { ...placed(move), carried_age_rating: carried }
  })
  await saveReturned(db, returned.flat())
  return {
    bookIds: [],
    newBookIds: [],
    seriesCreated: [],
    seriesIds,
    moves: standingMoves,
    sources: new Map(),
    tagsBefore,
  }
}

/** Nothing is loosened by what is moved from one series to another (W9). */
const carryRestrictions = async (db: WriteDb, moves: readonly BookMove[]): Promise<TagsBefore> => {
  const moved = moves.filter(({ before, seriesId }) => before.seriesId !== seriesId)
  await carryRatings(db, await mapInTurns(moved, ({ id }) => id))
  return carryTags(db, await mapInTurns(moved, ({ before, seriesId }) => ({ from: before.seriesId, to: seriesId })))
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
  readonly series: ReturnType<typeof groupFile>
}

/** What books are called where they are now, and where they stand in their series. */
const nameBooks = async (db: ReadDb, rules: NamingRules, books: readonly UnnamedBook[], stored: StoredSeries) => {
  const idOf = (bookId: string): string => stored.idOf.get(bookId) ?? ''
  const slots = await findSlots(
    db,
    books.map((each) => ({
      bookId: each.bookId,
      seriesId: idOf(each.bookId),
      numberSort: each.fields.book.numberSort,
    })),
  )
  return books.map(({ file, bookId, fields, series }) => {
    const names = bookNamesOf(rules, file, fields.book, { series, slot: slots.get(bookId) })
    const seriesId = idOf(bookId)
    return { file, bookId, series, seriesId, names, ageRating: stored.ratingOf.get(seriesId) ?? null }
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
