import type { ReadDb, WriteDb } from '../../database/database.ts'
import { insertMany, updateMany } from '../../database/many.ts'
import type { Analysis } from '../../decoders/analyse.ts'
import type { Fault } from '../../formats/book-format.ts'
import { newId } from '../../platform/ids.ts'
import { md5 } from '../../platform/tokens.ts'
import { insertBooks, placeBooks } from '../books/books.ts'
import { readLayers, shownFields } from '../metadata/metadata.ts'
import { indexDocuments } from '../search-index/search-index.ts'
import { keepSeries } from '../series/series.ts'
import { applyAnalyses } from './apply-analysis.ts'
import { bookPart, decidedNames, seriesPart, type StoredLayer } from './book-layers.ts'
import { guessedFormat } from './extensions.ts'
import type { ScannedLibrary } from './library.ts'
import { bookNamesOf, seriesPlaceOf } from './naming.ts'
import { selectParts } from './merged/queries.ts'
import { selectBooksToPlace, selectPresentAtPaths } from './queries.ts'
import type { Found } from './walker/messages.ts'

/** What has become of one file: the book it is, and where it lies now. */
export interface Placement {
  readonly rootId: string
  readonly found: Found
  /** Undefined: a new one. */
  readonly bookId: string | undefined
  /** Read already, because it had to be known which book it is. */
  readonly analysed?: { readonly analysis: Analysis } | { readonly fault: Fault } | undefined
  /** `same`: only its times have changed. `moved` and `restored` may hold new content as well. */
  readonly change: 'new' | 'same' | 'moved' | 'restored' | 'replaced'
  /** What it holds is not what was read of it before. */
  readonly isNewContent: boolean
  /** Another book may have had this path. */
  readonly mayBeTaken?: boolean
}

export interface Placed {
  readonly bookIds: readonly string[]
  readonly newBookIds: readonly string[]
  readonly seriesCreated: readonly string[]
  /** All whose books have come, gone or changed. */
  readonly seriesTouched: ReadonlySet<string>
}

/** Writes down where books are, in a transaction of the caller's. `refreshAll` for all that were touched is due after it. */
export const placeFiles = async (
  db: WriteDb,
  library: ScannedLibrary,
  given: readonly Placement[],
  now: Date,
): Promise<Placed> => {
  const at = now.toISOString()
  await clearPaths(db, given)
  const { placements, parts } = await asideFromParts(db, given)
  await moveFiles(db, library, parts, at)
  const knownIds = placements.flatMap(({ bookId }) => bookId ?? [])
  const known = await selectBooksToPlace(db, knownIds)
  const fieldsOf = await fieldsOfBooks(db, knownIds)
  const all = placements.map((placement) => {
    const [folder, name, , , , , , isFolder] = placement.found
    const place = { folder, name, isFolder: isFolder === 1 }
    const bookId = placement.bookId ?? newId(now.getTime())
    const fields = fieldsOf(placement.bookId)
    return { placement, place, bookId, fields, series: seriesPlaceOf(library, place, fields.series) }
  })
  const kept = await keepSeries(
    db,
    library.id,
    all.map(({ series }) => series),
    now,
  )
  const rows = all.map(({ placement, place, bookId, fields, series }) => {
    const { volumeHint, key } = series
    const seriesId = kept.idOf.get(key) ?? ''
    const names = bookNamesOf(library, place, fields.book, volumeHint)
    return { placement, place, bookId, seriesId, names }
  })
  const fresh = rows.filter(({ placement }) => placement.bookId === undefined)
  await addNew(db, library, fresh, now)
  await moveKnown(
    db,
    library,
    rows.filter(({ placement }) => placement.bookId !== undefined),
    at,
  )
  await applyAnalyses(
    db,
    library,
    rows.flatMap(({ placement: { analysed }, bookId }) => (analysed ? [{ bookId, ...analysed }] : [])),
    now,
  )
  const bookIds = rows.map(({ bookId }) => bookId)
  await indexDocuments(db, 'book', bookIds)
  return {
    bookIds,
    newBookIds: fresh.map(({ bookId }) => bookId),
    seriesCreated: kept.created,
    seriesTouched: new Set([...rows.map(({ seriesId }) => seriesId), ...known.map(({ series_id }) => series_id)]),
  }
}

interface Placing {
  readonly bookId: string
  readonly placement: Placement
}

/**
 * Of books that have become part of another one only the files are kept in mind, in a place of their own. Where that other
 * one has lost its file, this is its file now.
 */
const asideFromParts = async (db: ReadDb, given: readonly Placement[]) => {
  const ids = given.flatMap(({ bookId }) => bookId ?? [])
  const partOf = new Map((await selectParts(db, ids)).map((part) => [part.book_id, part]))
  const taken = new Set(ids)
  const placements: Placement[] = []
  const parts: Placing[] = []
  for (const placement of given) {
    const part = partOf.get(placement.bookId ?? '')
    if (!part) placements.push(placement)
    else if (part.state === 'present' || taken.has(part.into_book_id)) parts.push({ placement, bookId: part.book_id })
    else {
      taken.add(part.into_book_id)
      placements.push({ ...placement, bookId: part.into_book_id, change: 'restored', isNewContent: true })
    }
  }
  return { placements, parts }
}

/** No two files have one path: whoever had it until now has its own placement still to come, or is lost. */
const clearPaths = async (db: WriteDb, placements: readonly Placement[]): Promise<void> => {
  const taken = placements.filter(({ mayBeTaken }) => mayBeTaken)
  for (const [rootId, ofRoot] of Map.groupBy(taken, (each) => each.rootId)) {
    const paths = new Set(ofRoot.map(({ found: [folder, name] }) => folder + name))
    const folders = [...new Set(ofRoot.map(({ found: [folder] }) => folder))]
    const there = await selectPresentAtPaths(db, rootId, folders)
    const bookIds = there.filter(({ folder, name }) => paths.has(folder + name)).map(({ book_id }) => book_id)
    await updateMany(
      db,
      'file',
      { keys: { book_id: 'text' }, columns: { state: 'text' } },
      bookIds.map((book_id) => ({ book_id, state: 'missing' as const })),
    )
  }
}

interface Row {
  readonly placement: Placement
  readonly place: { readonly name: string; readonly isFolder: boolean }
  readonly bookId: string
  readonly seriesId: string
  readonly names: ReturnType<typeof bookNamesOf>
}

const addNew = async (db: WriteDb, library: ScannedLibrary, fresh: readonly Row[], now: Date): Promise<void> => {
  const at = now.toISOString()
  await insertBooks(
    db,
    fresh.map(({ bookId, seriesId, names, placement, place }) => ({
      ...newBook(library.id, at),
      id: bookId,
      series_id: seriesId,
      ...names,
      size: placement.found[2],
      format: guessedFormat(place),
    })),
  )
  await insertMany(
    db,
    'file',
    fresh.map(({ bookId, placement }) => ({
      ...newFile(at),
      id: newId(now.getTime()),
      book_id: bookId,
      ...whereColumns(library.id, placement),
    })),
  )
}

const moveKnown = async (db: WriteDb, library: ScannedLibrary, rows: readonly Row[], at: string): Promise<void> => {
  await placeBooks(
    db,
    rows.map(({ bookId, seriesId, names, placement }) => ({
      id: bookId,
      library_id: library.id,
      series_id: seriesId,
      state: 'present' as const,
      missing_since: null,
      ...names,
      size: placement.found[2],
      updated_at: at,
    })),
  )
  await moveFiles(db, library, rows, at)
}

const moveFiles = async (db: WriteDb, library: ScannedLibrary, rows: readonly Placing[], at: string): Promise<void> => {
  const moved = rows.map(({ bookId, placement }) => ({
    book_id: bookId,
    ...whereColumns(library.id, placement),
    state: 'present' as const,
    updated_at: at,
  }))
  await updateMany(db, 'file', fileShape, moved)
  const toRead = rows.filter(({ placement }) => placement.isNewContent && !placement.analysed)
  await updateMany(
    db,
    'file',
    {
      keys: { book_id: 'text' },
      columns: { analysis: 'text', crashes: 'integer', fault_code: 'text', fault_message: 'text', fault_at: 'text' },
    },
    toRead.map(({ bookId }) => ({
      book_id: bookId,
      analysis: 'pending' as const,
      crashes: 0,
      fault_code: null,
      fault_message: null,
      fault_at: null,
    })),
  )
}

const fileShape = {
  keys: { book_id: 'text' },
  columns: {
    library_id: 'text',
    root_id: 'text',
    folder: 'text',
    name: 'text',
    name_hash: 'text',
    size: 'integer',
    modified_us: 'integer',
    changed_us: 'integer',
    inode: 'integer',
    device: 'integer',
    is_folder: 'integer',
    state: 'text',
    updated_at: 'text',
  },
} as const

export const whereColumns = (libraryId: string, { rootId, found }: Pick<Placement, 'rootId' | 'found'>) => {
  const [folder, name, size, modifiedUs, changedUs, inode, device, isFolder] = found
  return {
    library_id: libraryId,
    root_id: rootId,
    folder,
    name,
    name_hash: md5(name),
    size,
    modified_us: modifiedUs,
    changed_us: changedUs,
    inode,
    device,
    is_folder: isFolder,
  }
}

export const newFile = (at: string) => ({
  state: 'present' as const,
  analysis: 'pending' as const,
  wanted_at: '',
  fault_code: null,
  fault_message: null,
  fault_at: null,
  crashes: 0,
  warnings: null,
  file_hash: null,
  content_hash: null,
  pages_hash: null,
  koreader_hash: null,
  created_at: at,
  updated_at: at,
})

export const newBook = (libraryId: string, at: string) => ({
  library_id: libraryId,
  state: 'present' as const,
  missing_since: null,
  title_sort: null,
  title_sort_text: null,
  summary: null,
  summary_text: null,
  reading_direction: null,
  own_age_rating: null,
  age_rating: null,
  page_count: 0,
  analysed: 0 as const,
  metadata: '{}',
  locks: '[]',
  cover_id: null,
  cover_version: 0,
  placeholder: null,
  created_at: at,
  updated_at: at,
})

/** What is said of known books, so that a move does not forget it. */
const fieldsOfBooks = async (db: ReadDb, bookIds: readonly string[]) => {
  const layers = await readLayers<StoredLayer>(db, bookIds)
  return (bookId: string | undefined) => {
    const own = layers.get(bookId ?? '') ?? []
    const series = shownFields(own.map(seriesPart))
    return { book: { ...shownFields(own.map(bookPart)), decided: decidedNames(own) }, series: series.title }
  }
}
