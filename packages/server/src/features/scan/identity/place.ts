import { type PlacedBooks, placeBooks } from '../../../catalogue/shown/shown.ts'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import type { Analysis } from '../../../decoders/analyse.ts'
import type { Fault } from '../../../formats/book-format.ts'
import { newId } from '../../../platform/ids.ts'
import { md5 } from '../../../platform/tokens.ts'
import { applyAnalyses, type ReadBooks } from '../analysis/apply-analysis.ts'
import { guessedFormat } from '../extensions.ts'
import type { ScannedLibrary } from '../library.ts'
import { selectParts } from '../merged/queries.ts'
import { insertFiles, updateFiles } from '../files/queries.ts'
import { selectPresentAtPaths } from './queries.ts'
import type { WalkedFile } from '../walker/messages.ts'

/** What has become of one file: the book it is, and where it lies now. */
export interface Placement {
  readonly rootId: string
  readonly found: WalkedFile
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

export interface PlacedFiles extends Pick<PlacedBooks, 'bookIds' | 'newBookIds' | 'seriesCreated'> {
  readonly touched: ReadBooks & { readonly placed: PlacedBooks }
}

/** Writes down where books are, in a transaction of the caller's. `refresh` is due for what it has touched. */
export const placeFiles = async (
  db: WriteDb,
  library: ScannedLibrary,
  given: readonly Placement[],
  now: Date,
): Promise<PlacedFiles> => {
  const at = now.toISOString()
  await clearPaths(db, given)
  const { placements, parts } = await asideFromParts(db, given)
  await moveFiles(db, library, parts, at)
  const placed = await placeBooks(
    db,
    library,
    placements.map(({ bookId, found: [folder, name, size, , , , , isFolder] }) => ({
      bookId,
      folder,
      name,
      size,
      format: guessedFormat({ name, isFolder: isFolder === 1 }),
    })),
    now,
  )
  const rows = placements.map((placement, index) => ({ placement, bookId: placed.bookIds[index] ?? '' }))
  await addNewFiles(
    db,
    library,
    rows.filter(({ placement }) => placement.bookId === undefined),
    now,
  )
  await moveFiles(
    db,
    library,
    rows.filter(({ placement }) => placement.bookId !== undefined),
    at,
  )
  const read = await applyAnalyses(
    db,
    rows.flatMap(({ placement: { analysed }, bookId }) => (analysed ? [{ bookId, ...analysed }] : [])),
    now,
  )
  return { ...placed, touched: { placed, ...read } }
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
    await updateFiles(
      db,
      ['state'],
      bookIds.map((book_id) => ({ book_id, state: 'missing' as const })),
    )
  }
}

const addNewFiles = (db: WriteDb, library: ScannedLibrary, fresh: readonly Placing[], now: Date): Promise<void> =>
  insertFiles(
    db,
    fresh.map(({ bookId, placement }) => ({
      ...newFile(now.toISOString()),
      id: newId(now.getTime()),
      book_id: bookId,
      ...whereColumns(library.id, placement),
    })),
  )

const moveFiles = async (db: WriteDb, library: ScannedLibrary, rows: readonly Placing[], at: string): Promise<void> => {
  const moved = rows.map(({ bookId, placement }) => ({
    book_id: bookId,
    ...whereColumns(library.id, placement),
    state: 'present' as const,
    updated_at: at,
  }))
  await updateFiles(db, [...placeColumns, 'state', 'updated_at'], moved)
  const toRead = rows.filter(({ placement }) => placement.isNewContent && !placement.analysed)
  await updateFiles(
    db,
    ['analysis', 'crashes', 'fault_code', 'fault_message', 'fault_at'],
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

const placeColumns = [
  'library_id',
  'root_id',
  'folder',
  'name',
  'name_hash',
  'size',
  'modified_us',
  'changed_us',
  'inode',
  'device',
  'is_folder',
] as const

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
