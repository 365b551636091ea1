import { readLayers } from '../../../catalogue/metadata/metadata.ts'
import {
  type FilePath,
  groupingHints,
  selectSeriesToFollow,
  groupFile,
  type StoredLayer,
} from '../../../catalogue/shown/shown.ts'
import type { GroupedSeries } from '../../../naming/grouping/grouping-policy.ts'
import { AppError } from '../../../platform/errors.ts'
import type { MergeFound } from './findings.ts'
import type { SeriesToTrack } from './follow-series.ts'
import { selectPlacesOf, selectSeriesOfBooks } from './queries.ts'

const booksAtOnce = 500

/**
 * Two series became one when their folders did (C23). When the books of each lie apart again they are two again, each with
 * what was its own: whoever moves files back takes the merge back.
 */
export const partMerged = async (given: SeriesToTrack): Promise<void> => {
  const { library, context, mergesFound } = given
  const list = async () => (await mergesFound?.list(context.db.readSlowly, library.id)) ?? []
  let open = await list()
  if (open.length === 0) return
  const found = await findPlaces(given)
  while (await partOne(given, open, found)) open = await list()
}

/** Others that had become part of the same series are merged anew when one is taken back, and then they are looked at again. */
const partOne = async (
  given: SeriesToTrack,
  open: readonly MergeFound[],
  { seriesIds, places }: FoundSeries,
): Promise<boolean> => {
  for (const merge of open) if (seriesIds.has(merge.intoId) && (await part(given, merge, places))) return true
  return false
}

const part = async (
  given: SeriesToTrack,
  merge: MergeFound,
  places: ReadonlyMap<string, FilePath>,
): Promise<boolean> => {
  const { library, context, mergesFound } = given
  const [own, rest] = [new Map<string, Way>(), new Map<string, Way>()]
  for (const [bookId, place] of await placesOf(given, merge.intoId, places))
    countWay(merge.bookIds.has(bookId) ? own : rest, place)
  const [goesTo] = own.values()
  const [most] = [...rest.values()].sort((one, other) => other.books - one.books)
  if (own.size !== 1 || !goesTo || !most || rest.has(goesTo.place.key)) return false
  try {
    return await context.write(async (db) => {
      const [into] = await selectSeriesToFollow(db, [merge.intoId])
      if (!into) return false
      // While they were one it went by the folder that they shared, which may be that of the other one.
      const { place } = rest.get(into.key) ?? most
      const staysAt = rest.size === 1 || place.key !== into.key ? { oldKey: into.key, place } : undefined
      const now = context.clock()
      await mergesFound?.takeBack(db, merge, { libraryId: library.id, goesTo: goesTo.place, staysAt, now })
      return true
    })
  } catch (error) {
    // Nothing of it has happened; people can take it back.
    if (error instanceof AppError && error.code === 'conflict') return false
    throw error
  }
}

interface Way {
  readonly place: GroupedSeries
  books: number
}

const countWay = (ways: Map<string, Way>, place: GroupedSeries): void => {
  const way = ways.get(place.key) ?? { place, books: 0 }
  way.books += 1
  ways.set(place.key, way)
}

interface FoundSeries {
  /** The series of books that this scan has found somewhere. */
  readonly seriesIds: ReadonlySet<string>
  readonly places: ReadonlyMap<string, FilePath>
}

const findPlaces = async ({ found, context }: SeriesToTrack): Promise<FoundSeries> => {
  const seriesIds = new Set<string>()
  const places = new Map<string, FilePath>()
  for await (const placements of found.placements(booksAtOnce)) {
    for (const { bookId, found: file } of placements)
      if (bookId !== undefined) places.set(bookId, { folder: file[0], name: file[1] })
    const ids = placements.flatMap(({ bookId }) => bookId ?? [])
    for (const { series_id } of (await selectSeriesOfBooks(context.db.readSlowly, ids)).values())
      seriesIds.add(series_id)
  }
  return { seriesIds, places }
}

/** It returns for each book of a series where it belongs from now on. */
const placesOf = async (
  { library, context }: SeriesToTrack,
  seriesId: string,
  found: ReadonlyMap<string, FilePath>,
): Promise<ReadonlyMap<string, GroupedSeries>> => {
  const db = context.db.readSlowly
  const places = new Map<string, GroupedSeries>()
  let after = ''
  for (;;) {
    context.signal.throwIfAborted()
    const books = await selectPlacesOf(db, [seriesId], after, booksAtOnce)
    const last = books.at(-1)
    if (!last) return places
    const layers = await readLayers<StoredLayer>(
      db,
      books.map(({ id }) => id),
    )
    for (const { id, folder, name } of books)
      places.set(id, groupFile(library, found.get(id) ?? { folder, name }, groupingHints(layers.get(id) ?? [])))
    after = last.id
  }
}
