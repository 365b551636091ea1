import { movedBooksMax } from '@carrel/api'
import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { AppError } from '../../platform/errors.ts'
import { selectOverridesOfBooks, selectSeriesOfKeys, storeSeriesByHand } from '../../catalogue/shown/shown.ts'
import type { CoverStore } from '../covers/covers.ts'
import { putBooksBack } from '../merging/merging.ts'
import { type SeriesItself, timeIn } from './document.ts'
import { type AboutBook, sidecarAt } from './find-sidecars.ts'
import { readToSay, sayAgain, type ToSay } from './say-again.ts'

interface PutBook {
  readonly bookId: string
  readonly libraryId: string
  /** By its id on the server that has written it. */
  readonly series: string
  readonly at: string
  readonly folder: string | undefined
}

interface WrittenSeries extends SeriesItself {
  readonly path: string
  /** What it is here. Undefined: by its books nobody knows. */
  readonly existing: { readonly seriesId: string; readonly libraryId: string } | undefined
}

/** What sidecars say of where people have put books: read with the books, and done once all series are known. */
export interface HandWork {
  readonly books: Map<string, PutBook>
  /** Series that books name. */
  readonly named: Set<string>
  readonly series: Map<string, WrittenSeries>
}

export const noteBooks = ({ books, named }: HandWork, aboutBooks: readonly AboutBook[], now: Date): void => {
  for (const { sidecar, book } of aboutBooks) {
    const { byHand } = sidecar
    if (!book || !byHand || books.has(book.id)) continue
    const { series, folder } = byHand
    named.add(series)
    const at = timeIn(byHand.at) ?? now.toISOString()
    books.set(book.id, { bookId: book.id, libraryId: book.library_id, series, at, folder })
  }
}

export const noteSeries = ({ series }: HandWork, aboutBooks: readonly AboutBook[]): void => {
  for (const { path, sidecar, book } of aboutBooks) {
    if (!sidecar.series || series.get(sidecar.series.id)?.existing) continue
    const existing = book && { seriesId: book.series_id, libraryId: book.library_id }
    series.set(sidecar.series.id, { ...sidecar.series, path, existing })
  }
}

export interface PutAgain {
  /** Books that are where people had put them. */
  readonly put: number
  /** Series that became known by it, and of which something is said now. */
  readonly applied: number
  /** Books that stay: together with the others they would show something to people who could not see it. */
  readonly left: number
  /** Series that are only named. */
  readonly unknown: number
}

interface Putting {
  readonly store: CoverStore
  readonly now: Date
  readonly signal?: AbortSignal | undefined
}

/** Books go where people had put them, unless somebody has put them anywhere here; into series that are made where there are none. */
export const putAgain = async (
  db: Pick<Database, 'write'>,
  { books, series }: HandWork,
  { store, now, signal }: Putting,
): Promise<PutAgain> => {
  const count = { put: 0, applied: 0, left: 0, unknown: 0 }
  const bySeries = Map.groupBy(books.values(), (each) => each.series)
  const following = [...series.values()].filter(({ folders }) => folders.length > 0).map(({ id }) => id)
  const ids = new Set([...bySeries.keys(), ...following])
  const existing = [...ids].flatMap((id) => series.get(id) ?? [])
  count.unknown = ids.size - existing.length
  for (const written of existing)
    for (const part of await partsOf(written, bySeries.get(written.id) ?? [], { store, now })) {
      signal?.throwIfAborted()
      const done = await putPart(db, part)
      count.put += done?.put ?? 0
      count.applied += done?.applied ?? 0
      if (!done) count.left += part.books.length
    }
  return count
}

interface Part {
  readonly written: WrittenSeries
  /** What its sidecar says, where that was not said yet: by its books nobody knew it. */
  readonly toSay: ToSay | undefined
  readonly libraryId: string
  readonly books: readonly PutBook[]
  readonly now: Date
}

/** What goes into a series, by the libraries that its books are of here, as many at once as are moved at once. */
const partsOf = async (
  written: WrittenSeries,
  books: readonly PutBook[],
  { store, now }: Pick<Putting, 'store' | 'now'>,
): Promise<readonly Part[]> => {
  const sidecar = written.existing ? undefined : (await sidecarAt(written.path)).sidecar
  const toSay = sidecar && (await readToSay(sidecar, store, now))
  const shared = { written, toSay, now }
  // Nothing but its folders.
  if (books.length === 0) return written.existing ? [{ ...shared, libraryId: written.existing.libraryId, books }] : []
  const byLibrary = [...Map.groupBy(books, ({ libraryId }) => libraryId)]
  return byLibrary.flatMap(([libraryId, all]) =>
    Array.from({ length: Math.ceil(all.length / movedBooksMax) }, (_, at) => ({
      ...shared,
      libraryId,
      books: all.slice(at * movedBooksMax, (at + 1) * movedBooksMax),
    })),
  )
}

const putPart = (db: Pick<Database, 'write'>, part: Part) => {
  const { toSay, now } = part
  return allowed(() =>
    db.write(async (db) => {
      const seriesId = await seriesFor(db, part)
      if (seriesId === undefined) return { applied: 0, put: 0 }
      // Before books come into it, so that it is called and rated as it was when they did.
      const applied = toSay ? await sayAgain(db, 'series', new Map([[seriesId, toSay]]), now) : 0
      return { applied, put: await putBooksBack(db, toPutBack(part, seriesId), now) }
    }),
  )
}

/** Undefined: it would show something to people who could not see it. */
const allowed = async <Answer>(work: () => Promise<Answer>): Promise<Answer | undefined> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return undefined
    throw error
  }
}

/**
 * The one that its own books are in; that into which some of these have been put by sidecars before; that which the grouping knows
 * so; a new one. Undefined: there is nothing to put into it.
 */
const seriesFor = async (db: WriteDb, { written, libraryId, books, now }: Part): Promise<string | undefined> => {
  if (written.existing?.libraryId === libraryId) return written.existing.seriesId
  const overrides = await selectOverridesOfBooks(
    db,
    libraryId,
    books.map(({ bookId }) => bookId),
  )
  const before = overrides.find(({ by_user_id }) => by_user_id === null)
  if (before) return before.series_id
  const byKey = await seriesOfKey(db, libraryId, written.key)
  if (byKey !== undefined || overrides.length === books.length) return byKey
  return storeSeriesByHand(db, { libraryId, title: written.name }, now)
}

const seriesOfKey = async (db: ReadDb, libraryId: string, key: string | null): Promise<string | undefined> =>
  key === null ? undefined : (await selectSeriesOfKeys(db, libraryId, [key])).get(key)

const toPutBack = ({ written, libraryId, books, now }: Part, seriesId: string) => {
  const followed = new Map(written.folders.map(({ folder, at }) => [folder, timeIn(at) ?? now.toISOString()]))
  for (const { folder, at } of books) if (folder !== undefined && !followed.has(folder)) followed.set(folder, at)
  return {
    libraryId,
    seriesId,
    books: books.map(({ bookId: id, at }) => ({ id, at })),
    folders: [...followed].map(([folder, at]) => ({ folder, at })),
  }
}
