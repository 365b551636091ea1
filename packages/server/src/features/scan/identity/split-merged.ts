import { readLayers } from '../../../catalogue/metadata/metadata.ts'
import {
  type FileInRoot,
  groupingHints,
  selectSeriesToFollow,
  groupFile,
  type StoredLayer,
} from '../../../catalogue/shown/shown.ts'
import type { GroupedSeries } from '../../../naming/grouping/grouping-policy.ts'
import { listScanMerges, type ScanMerge, undoMergeByScan } from '../../merging/merging.ts'
import { AppError } from '../../../platform/errors.ts'

import { countDestination, type SeriesDestination, type SeriesToTrack } from './follow-series.ts'
import { fileAt } from './identified-file.ts'
import { selectBookPaths, selectSeriesOfBooks } from './queries.ts'

const booksAtOnce = 500

/**
 * Two series became one when their folders did (C23). When the books of each lie apart again they are two again, each with
 * what was its own: whoever moves files back takes the merge back.
 */
export const splitMerged = async (given: SeriesToTrack): Promise<void> => {
  const { library, context } = given
  const list = () => listScanMerges(context.db.readSlowly, library.id)
  let open = await list()
  if (open.length === 0) return
  const lookup = await findSeries(given)
  while (await splitFirst(given, open, lookup)) open = await list()
}

/** Others that had become part of the same series are merged anew when one is taken back, and then they are looked at again. */
const splitFirst = async (
  given: SeriesToTrack,
  open: readonly ScanMerge[],
  { seriesIds, paths }: PresentSeries,
): Promise<boolean> => {
  for (const merge of open) if (seriesIds.has(merge.intoId) && (await splitOne(given, merge, paths))) return true
  return false
}

const splitOne = async (
  given: SeriesToTrack,
  merge: ScanMerge,
  paths: ReadonlyMap<string, FileInRoot>,
): Promise<boolean> => {
  const { library, context } = given
  const [own, rest] = [new Map<string, SeriesDestination>(), new Map<string, SeriesDestination>()]
  for (const [bookId, target] of await readSeriesOfBooks(given, merge.intoId, paths))
    countDestination(merge.bookIds.has(bookId) ? own : rest, target)
  const [goesTo] = own.values()
  const [most] = [...rest.values()].sort((one, other) => other.books - one.books)
  if (own.size !== 1 || !goesTo || !most || rest.has(goesTo.target.key)) return false
  try {
    return await context.write(async (db) => {
      const [into] = await selectSeriesToFollow(db, [merge.intoId])
      if (!into) return false
      // While they were one it went by the folder that they shared, which may be that of the other one.
      const { target } = rest.get(into.key) ?? most
      const staysAt = rest.size === 1 || target.key !== into.key ? { oldKey: into.key, grouped: target } : undefined
      const now = context.clock()
      await undoMergeByScan(db, merge, { libraryId: library.id, goesTo: goesTo.target, staysAt, now })
      return true
    })
  } catch (error) {
    // Nothing of it has happened; people can take it back.
    if (error instanceof AppError && error.code === 'conflict') return false
    throw error
  }
}

interface PresentSeries {
  /** The series of books that this scan has found somewhere. */
  readonly seriesIds: ReadonlySet<string>
  readonly paths: ReadonlyMap<string, FileInRoot>
}

const findSeries = async ({ outcome, context }: SeriesToTrack): Promise<PresentSeries> => {
  const seriesIds = new Set<string>()
  const paths = new Map<string, FileInRoot>()
  for await (const identifiedFiles of outcome.identifiedFiles(booksAtOnce)) {
    for (const { bookId, rootId, walked: file } of identifiedFiles)
      if (bookId !== undefined) paths.set(bookId, fileAt(rootId, file))
    const ids = identifiedFiles.flatMap(({ bookId }) => bookId ?? [])
    for (const { series_id } of (await selectSeriesOfBooks(context.db.readSlowly, ids)).values())
      seriesIds.add(series_id)
  }
  return { seriesIds, paths }
}

/** It returns for each book of a series where it belongs from now on. */
const readSeriesOfBooks = async (
  { library, context }: SeriesToTrack,
  seriesId: string,
  files: ReadonlyMap<string, FileInRoot>,
): Promise<ReadonlyMap<string, GroupedSeries>> => {
  const db = context.db.readSlowly
  const seriesOf = new Map<string, GroupedSeries>()
  let after = ''
  for (;;) {
    context.signal.throwIfAborted()
    const books = await selectBookPaths(db, [seriesId], after, booksAtOnce)
    const last = books.at(-1)
    if (!last) return seriesOf
    const layers = await readLayers<StoredLayer>(
      db,
      books.map(({ id }) => id),
    )
    for (const { id, rootId, folder, name } of books)
      seriesOf.set(
        id,
        groupFile(library, files.get(id) ?? { rootId, folder, name }, groupingHints(layers.get(id) ?? [])),
      )
    after = last.id
  }
}
