import { readLayers } from '../../../catalogue/metadata/metadata.ts'
import {
  type FilePath,
  groupingHints,
  renameSeries,
  selectSeriesToFollow,
  seriesPlaceOf,
  type StoredLayer,
} from '../../../catalogue/shown/shown.ts'
import type { SeriesPlace } from '../../../naming/grouping/grouping-policy.ts'
import type { SeriesToTrack } from './follow-series.ts'
import { selectPlacesOf, selectSeriesOfBooks } from './queries.ts'

const booksAtOnce = 500

/**
 * Two series became one when their folders did (C23). When the books of each lie apart again they are two again, each with
 * what was its own: whoever moves files back takes the merge back.
 */
export const partMerged = async (given: SeriesToTrack): Promise<void> => {
  const { library, context, mergesFound } = given
  const open = (await mergesFound?.list(context.db.readSlowly, library.id)) ?? []
  if (open.length === 0) return
  const { seriesIds, places } = await findPlaces(given)
  for (const merge of open) {
    if (!seriesIds.has(merge.intoId)) continue
    const [own, rest] = [new Map<string, SeriesPlace>(), new Map<string, SeriesPlace>()]
    for (const [bookId, place] of await placesOf(given, merge.intoId, places))
      (merge.bookIds.has(bookId) ? own : rest).set(place.key, place)
    const [stays, ...others] = rest.values()
    if (own.size !== 1 || !stays || [...rest.keys()].some((key) => own.has(key))) continue
    // A book that had left by itself and come back was a series meanwhile: it became part of this one later than its own.
    const later = open.filter(({ id, intoId, bookIds }) => {
      return intoId === merge.intoId && id > merge.id && [...bookIds].every((each) => merge.bookIds.has(each))
    })
    await context.write(async (db) => {
      for (const each of later) await mergesFound?.takeBack(db, each, library.id, context.clock())
      if ((await mergesFound?.takeBack(db, merge, library.id, context.clock())) !== true) return
      // While they were one it went by the folder that they shared.
      const [into] = await selectSeriesToFollow(db, [merge.intoId])
      if (others.length === 0 && into?.key === stays.key)
        await renameSeries(db, library.id, [{ id: into.id, oldKey: stays.key, place: stays }])
    })
  }
}

interface Found {
  /** The series of books that this scan has found somewhere. */
  readonly seriesIds: ReadonlySet<string>
  readonly places: ReadonlyMap<string, FilePath>
}

const findPlaces = async ({ found, context }: SeriesToTrack): Promise<Found> => {
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

/** By book of a series: where it belongs from now on. */
const placesOf = async (
  { library, context }: SeriesToTrack,
  seriesId: string,
  found: ReadonlyMap<string, FilePath>,
): Promise<ReadonlyMap<string, SeriesPlace>> => {
  const db = context.db.readSlowly
  const places = new Map<string, SeriesPlace>()
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
      places.set(id, seriesPlaceOf(library, found.get(id) ?? { folder, name }, groupingHints(layers.get(id) ?? [])))
    after = last.id
  }
}
