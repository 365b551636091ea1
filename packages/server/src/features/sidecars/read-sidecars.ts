import { opendir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../../database/database.ts'
import type { Entity, LayersBySource } from '../../catalogue/metadata/metadata.ts'
import { changeMetadata, readStates } from '../editing/editing.ts'
import { parseSidecar, type BookLocation, type Sidecar, sidecarBytesMax, sidecarSuffix, wordsIn } from './document.ts'
import { type FoundBook, selectBooksAt } from './queries.ts'

export interface ReadSidecars {
  /** Books and series of which something is said now that nobody had said here. */
  readonly applied: number
  /** Here something is said already, or there is nothing to say. */
  readonly left: number
  /** Nothing here is what they are about. */
  readonly unknown: number
  /** Files with the ending of ours that are none, or are damaged. */
  readonly unreadable: number
}

interface ReadOptions {
  readonly folder: string
  /** Absent: whichever library they are of. */
  readonly libraryId?: string
  readonly now: Date
  readonly signal?: AbortSignal
  readonly onDone?: (done: number) => void
}

type Reach = Pick<Database, 'readSlowly' | 'write'>

/** So many are looked up and written at once: a write is over within milliseconds. */
const batchSize = 20

/**
 * What sidecars say is said here too, of books and series of which nobody has said anything yet: nothing that was said here
 * is written over, and a second run changes nothing. Books are known by where they lie, or by their content.
 */
export const readSidecars = async (
  db: Reach,
  { folder, libraryId, now, signal, onDone }: ReadOptions,
): Promise<ReadSidecars> => {
  const count = { applied: 0, left: 0, unknown: 0, unreadable: 0 }
  const told = (): void => onDone?.(count.applied + count.left + count.unknown + count.unreadable)
  // Books first: how a series is called may follow from what is said of its books.
  for (const kind of ['book', 'series'] as const)
    for await (const sidecars of batchesIn(folder, kind, () => (count.unreadable += kind === 'book' ? 1 : 0))) {
      signal?.throwIfAborted()
      const { applied, left, unknown } = await applyAll(db, { kind, libraryId, now }, sidecars)
      count.applied += applied
      count.left += left
      count.unknown += unknown
      told()
    }
  return count
}

async function* batchesIn(folder: string, kind: Entity, onUnreadable: () => void): AsyncGenerator<Sidecar[]> {
  let batch: Sidecar[] = []
  for await (const path of sidecarsBelow(folder)) {
    const sidecar = await sidecarAt(path)
    if (!sidecar) onUnreadable()
    if (sidecar?.kind !== kind) continue
    batch.push(sidecar)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
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

const sidecarAt = async (path: string): Promise<Sidecar | undefined> => {
  const { size } = await stat(path)
  return size > sidecarBytesMax ? undefined : parseSidecar(await readFile(path, 'utf8'))
}

interface Application {
  readonly kind: Entity
  readonly libraryId: string | undefined
  readonly now: Date
}

const applyAll = async (db: Reach, { kind, libraryId, now }: Application, sidecars: readonly Sidecar[]) => {
  const found = await selectBooksAt(
    db.readSlowly,
    sidecars.flatMap(({ books }) => books),
    libraryId,
  )
  const words = new Map<string, LayersBySource>()
  let unknown = 0
  for (const sidecar of sidecars) {
    const book = sidecar.books.map((place) => bookAt(found, place)).find((each) => each !== undefined)
    const id = book && (kind === 'book' ? book.id : book.series_id)
    const said = wordsIn(sidecar, now)
    if (id === undefined) unknown += 1
    // There may be two of them, an older one and one of a server that knew nothing yet.
    else if (!isSilent(said) && !words.has(id)) words.set(id, said)
  }
  const applied = words.size === 0 ? 0 : await say(db, kind, words, now)
  return { applied, unknown, left: sidecars.length - unknown - applied }
}

/** The book at that very place; else the only one with that content. */
const bookAt = (found: readonly FoundBook[], { root, path, contentHash }: BookLocation): FoundBook | undefined => {
  const there = found.find((book) => book.root === root && book.folder + book.name === path)
  if (there || contentHash === null) return there
  const [same, another] = found.filter((book) => book.content_hash === contentHash)
  return another ? undefined : same
}

const say = (db: Reach, kind: Entity, words: ReadonlyMap<string, LayersBySource>, now: Date): Promise<number> =>
  db.write(async (db) => {
    const subjects = await readStates(db, kind, [...words.keys()], now)
    const decide = (id: string) => (state: { readonly words: LayersBySource }) =>
      isSilent(state.words) ? (words.get(id) ?? state.words) : state.words
    const lines = await changeMetadata(db, kind, { subjects, decide }, { by: null, reason: 'bulk', now })
    return lines.size
  })

const isSilent = (words: LayersBySource): boolean =>
  Object.values(words).every((spoken) => Object.keys(spoken).length === 0)
