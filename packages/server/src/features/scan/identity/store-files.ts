import { bringToWholes, insertHiddenParts, type PlacedBooks, placeBooks } from '../../../catalogue/shown/shown.ts'
import type { WriteDb } from '../../../database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { md5 } from '../../../platform/secrets/tokens.ts'
import { addFormats } from '../../merging/merging.ts'
import { applyAnalyses, type ReadBooks } from '../analysis/apply-analysis.ts'
import { guessedFormat } from '../extensions.ts'
import type { ScannedLibrary } from '../library.ts'
import { selectParts } from '../merged/queries.ts'
import { insertFiles, updateFiles } from '../files/queries.ts'
import { findNewParts, type NewPart } from '../several-files/new-parts.ts'
import { exchangeFiles } from '../several-files/queries.ts'

import type { IdentifiedFile } from './identified-file.ts'
import { selectPresentAtPaths } from './queries.ts'

export interface StoredFiles extends Pick<PlacedBooks, 'bookIds' | 'newBookIds' | 'seriesCreated'> {
  readonly touched: ReadBooks & { readonly placed: PlacedBooks }
  /** What has become of books that were there, their further files left out. */
  readonly knownBooks: readonly IdentifiedFile[]
  /** Books that were there and have got further files. */
  readonly grown: readonly string[]
  /** Books whose file was gone, and that have that of one of their parts. */
  readonly rescued: readonly string[]
}

interface StoringOptions {
  readonly now: Date
  /** Without it none of the files is new. */
  readonly mayBeNew?: boolean
  /** Nothing was known in any folder that was walked. */
  readonly areFoldersNew?: boolean
}

/** Writes down where books are, in a transaction of the caller's. `refresh` is due for what it has touched. */
export const storeFiles = async (
  db: WriteDb,
  library: ScannedLibrary,
  given: readonly IdentifiedFile[],
  { now, mayBeNew = false, areFoldersNew = false }: StoringOptions,
): Promise<StoredFiles> => {
  const at = now.toISOString()
  await clearPaths(db, given)
  const { books, parts, rescued } = await separateParts(db, given)
  await moveFiles(db, library, parts, at)
  const { books: identifiedFiles, parts: newParts } = mayBeNew
    ? await findNewParts(db, library, { identifiedFiles: books, ...(areFoldersNew && { onlyBeside: given[0] }) })
    : { books, parts: [] }
  const assigned = await placeBooks(
    db,
    library,
    identifiedFiles.map((identifiedFile) => ({ bookId: identifiedFile.bookId, ...fileOf(identifiedFile) })),
    now,
  )
  await bringToWholes(
    db,
    parts.map(({ bookId, wholeId }) => ({ partId: bookId, wholeId })),
  )
  const rows = identifiedFiles.map((identifiedFile, index) => ({
    identifiedFile,
    bookId: assigned.bookIds[index] ?? '',
  }))
  const knownBooks = identifiedFiles.filter(({ bookId }) => bookId !== undefined)
  const { added, grown } = await addParts(db, library, { newParts, rows, now })
  await addNewFiles(
    db,
    library,
    [...rows.filter(({ identifiedFile }) => identifiedFile.bookId === undefined), ...added],
    now,
  )
  await moveFiles(
    db,
    library,
    rows.filter(({ identifiedFile }) => identifiedFile.bookId !== undefined),
    at,
  )
  const read = await applyAnalyses(
    db,
    [...rows, ...added, ...parts].flatMap(({ identifiedFile: { analysed }, bookId }) =>
      analysed ? [{ bookId, ...analysed }] : [],
    ),
    now,
  )
  return { ...assigned, touched: { placed: assigned, ...read }, knownBooks, grown, rescued }
}

const fileOf = ({ rootId, walked: [folder, name, size, , , , , isFolder] }: IdentifiedFile) => ({
  rootId,
  folder,
  name,
  size,
  format: guessedFormat({ name, isFolder: isFolder === 1 }),
})

interface AssignedFile {
  readonly bookId: string
  readonly identifiedFile: IdentifiedFile
}

interface NewParts extends StoringOptions {
  readonly newParts: readonly NewPart[]
  /** Where the others have gone. */
  readonly rows: readonly AssignedFile[]
}

const addParts = async (
  db: WriteDb,
  library: ScannedLibrary,
  { newParts, rows, now }: NewParts,
): Promise<{ readonly added: readonly AssignedFile[]; readonly grown: readonly string[] }> => {
  if (newParts.length === 0) return { added: [], grown: [] }
  const idOf = new Map(rows.map(({ identifiedFile, bookId }) => [identifiedFile, bookId]))
  const files = newParts.map(({ identifiedFile, of }) => ({
    ...fileOf(identifiedFile),
    intoId: typeof of === 'string' ? of : (idOf.get(of) ?? ''),
  }))
  const ids = await insertHiddenParts(db, library, files, now)
  const parts = files.map(({ intoId }, index) => ({ intoId, bookId: ids[index] ?? '' }))
  await addFormats(db, { libraryId: library.id, parts, now })
  return {
    added: newParts.map(({ identifiedFile }, index) => ({ identifiedFile, bookId: ids[index] ?? '' })),
    grown: [...new Set(newParts.flatMap(({ of }) => (typeof of === 'string' ? of : [])))],
  }
}

/**
 * Books that have become part of another one keep only their files, in a place of their own. Where that other one has lost
 * its file, this is its file now.
 */
const separateParts = async (db: WriteDb, given: readonly IdentifiedFile[]) => {
  const ids = given.flatMap(({ bookId }) => bookId ?? [])
  const partOf = new Map((await selectParts(db, ids)).map((part) => [part.book_id, part]))
  const taken = new Set(ids)
  const books: IdentifiedFile[] = []
  const parts: (AssignedFile & { readonly wholeId: string })[] = []
  const exchanged: { one: string; other: string }[] = []
  for (const identifiedFile of given) {
    const part = partOf.get(identifiedFile.bookId ?? '')
    if (!part) books.push(identifiedFile)
    else if (part.state === 'present' || taken.has(part.into_book_id))
      parts.push({ identifiedFile, bookId: part.book_id, wholeId: part.into_book_id })
    else {
      taken.add(part.into_book_id)
      exchanged.push({ one: part.book_id, other: part.into_book_id })
      books.push({ ...identifiedFile, bookId: part.into_book_id, change: 'restored', isNewContent: true })
    }
  }
  await exchangeFiles(db, exchanged)
  return { books, parts, rescued: exchanged.map(({ other }) => other) }
}

/** No two files have one path: whoever had it until now is still to be stored itself, or is lost. */
const clearPaths = async (db: WriteDb, identifiedFiles: readonly IdentifiedFile[]): Promise<void> => {
  const taken = identifiedFiles.filter(({ mayBeTaken }) => mayBeTaken)
  for (const [rootId, ofRoot] of Map.groupBy(taken, (each) => each.rootId)) {
    const paths = new Set(ofRoot.map(({ walked: [folder, name] }) => folder + name))
    const folders = [...new Set(ofRoot.map(({ walked: [folder] }) => folder))]
    const there = await selectPresentAtPaths(db, rootId, folders)
    const bookIds = there.filter(({ folder, name }) => paths.has(folder + name)).map(({ book_id }) => book_id)
    await updateFiles(
      db,
      ['state'],
      bookIds.map((book_id) => ({ book_id, state: 'missing' as const })),
    )
  }
}

const addNewFiles = (db: WriteDb, library: ScannedLibrary, fresh: readonly AssignedFile[], now: Date): Promise<void> =>
  insertFiles(
    db,
    fresh.map(({ bookId, identifiedFile }) => ({
      ...newFile(now.toISOString()),
      id: newId(now.getTime()),
      book_id: bookId,
      ...whereColumns(library.id, identifiedFile),
    })),
  )

const moveFiles = async (
  db: WriteDb,
  library: ScannedLibrary,
  rows: readonly AssignedFile[],
  at: string,
): Promise<void> => {
  const moved = rows.map(({ bookId, identifiedFile }) => ({
    book_id: bookId,
    ...whereColumns(library.id, identifiedFile),
    state: 'present' as const,
    updated_at: at,
  }))
  await updateFiles(db, [...pathColumns, 'state', 'updated_at'], moved)
  const toRead = rows.filter(({ identifiedFile }) => identifiedFile.isNewContent && !identifiedFile.analysed)
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

const pathColumns = [
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

export const whereColumns = (libraryId: string, { rootId, walked }: Pick<IdentifiedFile, 'rootId' | 'walked'>) => {
  const [folder, name, size, modifiedUs, changedUs, inode, device, isFolder] = walked
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
