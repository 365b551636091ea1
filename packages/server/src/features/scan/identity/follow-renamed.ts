import type { ReadDb } from '../../../database/database.ts'
import { readLayers } from '../../../catalogue/metadata/metadata.ts'
import {
  groupingHints,
  insertRenames,
  type Rename,
  selectKeysOfParts,
  selectKnownKeys,
  selectMergeTargets,
  type FileInRoot,
  groupFile,
  type StoredLayer,
} from '../../../catalogue/shown/shown.ts'
import type { ScannedLibrary } from '../library.ts'
import { fileAt } from './identified-file.ts'
import { selectAllBookPaths } from './queries.ts'
import type { FollowContext } from './follow-context.ts'

const booksAtOnce = 500
const seriesAtOnce = 100

/**
 * A folder that was made part of a series and has another name now is part of it still: when all of its books have gone
 * the same way, to where there was no series yet. One book that is moved elsewhere is another matter.
 */
export const followRenamed = async ({ library, findings, outcome, context }: FollowContext): Promise<void> => {
  if (findings.vanished.length === 0) return
  const targets = await selectMergeTargets(context.db.readSlowly, library.id)
  if (targets.length === 0) return
  const gone = new Set(findings.vanished.map(({ stored: [bookId] }) => bookId))
  const left = await findLeft(context.db.readSlowly, library, targets, gone)
  if (left.size === 0) return
  const ways = new Map<string, Map<string, Rename>>()
  for await (const identifiedFiles of outcome.identifiedFiles(booksAtOnce)) {
    const moved = identifiedFiles.flatMap(({ bookId, rootId, walked: file }) => {
      const from = left.get(bookId ?? '')
      return from && bookId !== undefined ? [{ from, bookId, file: fileAt(rootId, file) }] : []
    })
    const seriesOf = await readGrouping(
      context.db.readSlowly,
      library,
      moved.map(({ bookId }) => bookId),
    )
    for (const { from, bookId, file } of moved) {
      const { key, title, path } = seriesOf(bookId, file)
      const way = ways.get(from.key) ?? new Map<string, Rename>()
      ways.set(from.key, way.set(key, { ...from, oldKey: from.key, newKey: key, name: title, path }))
    }
  }
  const wholeRenames = [...ways.values()].flatMap((way) => (way.size === 1 ? [...way.values()] : []))
  const newKeys = wholeRenames.map(({ newKey }) => newKey)
  const existingKeys = await selectKnownKeys(context.db.readSlowly, library.id, newKeys)
  const renames = wholeRenames.filter(({ newKey }) => !existingKeys.has(newKey))
  if (renames.length > 0)
    await context.write((db) => insertRenames(db, library.id, renames, context.clock().toISOString()))
}

interface Left {
  readonly key: string
  readonly seriesId: string
}

/**
 * Books that have gone from where no other of their part of the series has stayed, with what that part goes by. Who merges by
 * hand puts each book into the series: of such books only the folders count that were merged with it.
 */
const findLeft = async (
  db: ReadDb,
  library: ScannedLibrary,
  seriesIds: readonly string[],
  gone: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Left>> => {
  const left = new Map<string, Left>()
  const stayed = new Set<string>()
  const merged = new Set((await selectKeysOfParts(db, seriesIds)).map((row) => partOf(row.into_series_id, row.key)))
  for await (const books of booksOf(db, seriesIds)) {
    const seriesOf = await readGrouping(
      db,
      library,
      books.map(({ id }) => id),
    )
    for (const { id, series_id, rootId, folder, name, isByHand } of books) {
      const { key } = seriesOf(id, { rootId, folder, name })
      if (!gone.has(id)) stayed.add(key)
      else if (isByHand === 0 || merged.has(partOf(series_id, key))) left.set(id, { key, seriesId: series_id })
    }
  }
  return new Map([...left].filter(([, { key }]) => !stayed.has(key)))
}

const partOf = (seriesId: string, key: string): string => `${seriesId} ${key}`

async function* booksOf(db: ReadDb, seriesIds: readonly string[]) {
  for (let from = 0; from < seriesIds.length; from += seriesAtOnce) {
    const part = seriesIds.slice(from, from + seriesAtOnce)
    let after = ''
    for (;;) {
      const books = await selectAllBookPaths(db, part, after, booksAtOnce)
      const last = books.at(-1)
      if (!last) break
      yield books
      after = last.id
    }
  }
}

/** It says which series a book of these would belong to by itself, lying there. */
const readGrouping = async (db: ReadDb, library: ScannedLibrary, bookIds: readonly string[]) => {
  const layers = await readLayers<StoredLayer>(db, bookIds)
  return (bookId: string, file: FileInRoot) => {
    return groupFile(library, file, groupingHints(layers.get(bookId) ?? []))
  }
}
