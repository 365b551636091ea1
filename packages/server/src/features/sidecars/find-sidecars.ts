import { opendir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ReadDb } from '../../database/database.ts'
import type { Entity } from '../../catalogue/metadata/metadata.ts'
import { type BookLocation, parseSidecar, type Sidecar, sidecarBytesMax, sidecarSuffix } from './document.ts'
import { type LocatedBook, selectBooksAt } from './queries.ts'

interface SidecarFile {
  readonly path: string
  readonly sidecar: Sidecar
}

/** So many are looked up and written at once: a write is over within milliseconds. */
const batchSize = 20
/** Sidecars with many pictures come in smaller batches. */
const batchBytesMax = sidecarBytesMax

async function* sidecarsIn(
  folder: string,
  kind: Entity,
  onUnreadable: () => void,
): AsyncGenerator<readonly SidecarFile[]> {
  let batch: SidecarFile[] = []
  let room = batchBytesMax
  for await (const path of sidecarsBelow(folder)) {
    const { sidecar, size } = await sidecarAt(path)
    if (!sidecar) onUnreadable()
    if (sidecar?.kind !== kind) continue
    batch.push({ path, sidecar })
    room -= size
    if (batch.length < batchSize && room > 0) continue
    yield batch
    batch = []
    room = batchBytesMax
  }
  if (batch.length > 0) yield batch
}

const depthMax = 64

/** Links are not followed. */
async function* sidecarsBelow(folder: string, depth = 0): AsyncGenerator<string> {
  if (depth > depthMax) return
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* sidecarsBelow(path, depth + 1)
    else if (entry.isFile() && entry.name.endsWith(sidecarSuffix)) yield path
  }
}

export const sidecarAt = async (path: string): Promise<{ readonly sidecar?: Sidecar | undefined; size: number }> => {
  const { size } = await stat(path)
  return size > sidecarBytesMax ? { size } : { size, sidecar: parseSidecar(await readFile(path, 'utf8')) }
}

export interface AboutBook extends SidecarFile {
  /** What it is about, or a book of the series that it is about. Undefined: nothing here. */
  readonly book: LocatedBook | undefined
  /** It lies where the sidecar says, and is not only the same by its content. */
  readonly isThere: boolean
}

/**
 * What sidecars are about: first what lies where they say, for older ones, of where it lay before, may name the same by
 * its content. Only where there are others are all read again.
 */
export async function* aboutBooksIn(
  db: ReadDb,
  {
    folder,
    libraryId,
    kind,
  }: { readonly folder: string; readonly libraryId: string | undefined; readonly kind: Entity },
  onUnreadable: () => void,
): AsyncGenerator<readonly AboutBook[]> {
  let areOthers = false
  for await (const files of sidecarsIn(folder, kind, onUnreadable)) {
    const books = await findBooks(db, files, libraryId)
    const there = books.filter(({ isThere }) => isThere)
    areOthers ||= there.length < books.length
    yield there
  }
  if (!areOthers) return
  for await (const files of sidecarsIn(folder, kind, () => undefined))
    yield (await findBooks(db, files, libraryId)).filter(({ isThere }) => !isThere)
}

/** What each of them is about. */
const findBooks = async (
  db: ReadDb,
  files: readonly SidecarFile[],
  libraryId: string | undefined,
): Promise<readonly AboutBook[]> => {
  const locations = files.flatMap(({ sidecar }) => sidecar.books)
  const books = locations.length === 0 ? [] : await selectBooksAt(db, locations, libraryId)
  return files.map((file) => {
    const [first] = file.sidecar.books.flatMap((location) => bookAt(books, location) ?? [])
    return { ...file, book: first?.book, isThere: first?.isThere === true }
  })
}

/** The book at that very place; else the only one with that content. */
const bookAt = (books: readonly LocatedBook[], { root, path, contentHash }: BookLocation) => {
  const there = books.find((book) => book.root === root && book.folder + book.name === path)
  if (there) return { book: there, isThere: true }
  const [same, another] = contentHash === null ? [] : books.filter((book) => book.content_hash === contentHash)
  return same && !another ? { book: same, isThere: false } : undefined
}
