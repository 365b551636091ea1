import type { GroupedSeries } from '../../../naming/grouping/grouping-policy.ts'
import type { ReadDb } from '../../../database/database.ts'
import type { TaskContext } from '../../../tasks/define-task.ts'
import { readLayers } from '../../../catalogue/metadata/metadata.ts'
import {
  announceRefreshed,
  groupingHints,
  refresh,
  renameSeries,
  selectSeriesAtKeys,
  selectSeriesToFollow,
  groupFile,
  type SeriesToFollow,
  type StoredLayer,
} from '../../../catalogue/shown/shown.ts'
import { recountLibrary } from '../../libraries/libraries.ts'
import type { ScannedLibrary } from '../library.ts'
import { selectDivided, updateScan } from '../queries.ts'
import { selectPresentBooksOf, selectSeriesOfBooks } from './queries.ts'
import { mergeByScan } from '../../merging/merging.ts'
import type { ScanOutcome } from './identify-files.ts'
import { fileAt, type IdentifiedFile } from './identified-file.ts'

export interface SeriesToTrack {
  readonly scanId: string
  readonly library: ScannedLibrary
  readonly outcome: ScanOutcome
  readonly context: TaskContext
}

const booksAtOnce = 500
const seriesAtOnce = 100

/** Where books of one series have gone, and how many. */
export interface SeriesDestination {
  readonly target: GroupedSeries
  books: number
}

export const countDestination = (destinations: Map<string, SeriesDestination>, target: GroupedSeries): void => {
  const destination = destinations.get(target.key) ?? { target, books: 0 }
  destination.books += 1
  destinations.set(target.key, destination)
}

/** What a scan has found of the books of one series. */
interface Tally {
  readonly destinations: Map<string, SeriesDestination>
  /** Books that were missing and are here again. */
  restored: number
  /** Books that were found nowhere. */
  lost: number
}

/**
 * A series keeps its id when its folder is renamed, moved or divided (C23): it goes where most of its books have gone, if
 * there is no other series yet. This comes before the books are put in their places, so that they find it there. It
 * answers the series that have left books behind, which are a series of their own now.
 */
export const followSeries = async (given: SeriesToTrack): Promise<readonly string[]> => {
  const { library, context } = given
  const tallies = await tallyWays(given)
  await countLost(given, tallies)
  const { follows, meetings } = await findFollows(tallies, library, context)
  for (const meeting of meetings) await merge(meeting, given)
  const { exchanged, others } = Object.groupBy(follows, ({ isExchanged }) => (isExchanged ? 'exchanged' : 'others'))
  // No two have one key at any moment: those that take the places of others go at once.
  const divided = new Set(await selectDivided(context.db.read, library.id))
  if (exchanged) await follow(exchanged, divided, given)
  for (let from = 0; from < (others?.length ?? 0); from += seriesAtOnce)
    await follow(others?.slice(from, from + seriesAtOnce) ?? [], divided, given)
  return [...divided]
}

/** Books that a divided series has left behind go where their folder says. */
export const regroupRest = async (seriesIds: readonly string[], context: TaskContext): Promise<void> => {
  for (const seriesId of seriesIds) {
    let after = ''
    for (;;) {
      context.signal.throwIfAborted()
      const books = await selectPresentBooksOf(context.db.readSlowly, seriesId, after, booksAtOnce)
      const last = books.at(-1)
      if (last === undefined) break
      await context.write(async (db) => {
        const now = context.clock()
        await announceRefreshed(db, await refresh(db, { books }, now), now)
      })
      after = last
    }
  }
}

/** The series with books that were found where grouping has another key for them, with where these have gone. */
const tallyWays = async ({ library, outcome, context }: SeriesToTrack): Promise<[string, Tally][]> => {
  const db = context.db.readSlowly
  const tallies = new Map<string, Tally>()
  for await (const identifiedFiles of outcome.identifiedFiles(booksAtOnce)) {
    const filesOfBooks = identifiedFiles.filter(isOfBook)
    if (filesOfBooks.length === 0) continue
    const ids = filesOfBooks.map(({ bookId }) => bookId)
    const seriesOf = await selectSeriesOfBooks(db, ids)
    const layers = await readLayers<StoredLayer>(db, ids)
    for (const { bookId, rootId, walked: file } of filesOfBooks) {
      const book = seriesOf.get(bookId)
      if (!book) continue
      const target = groupFile(library, fileAt(rootId, file), groupingHints(layers.get(bookId) ?? []))
      const tally = tallies.get(book.series_id) ?? { destinations: new Map(), restored: 0, lost: 0 }
      tallies.set(book.series_id, tally)
      countDestination(tally.destinations, target)
      if (book.state !== 'present') tally.restored += 1
    }
  }
  return [...tallies]
}

type FileOfBook = IdentifiedFile & { readonly bookId: string }
const isOfBook = (identifiedFile: IdentifiedFile): identifiedFile is FileOfBook => identifiedFile.bookId !== undefined

const countLost = async ({ outcome, context }: SeriesToTrack, tallies: readonly [string, Tally][]): Promise<void> => {
  const tallyOf = new Map(tallies)
  const lost = outcome.lost()
  for (let from = 0; from < lost.length && tallyOf.size > 0; from += booksAtOnce) {
    const ids = lost.slice(from, from + booksAtOnce).map(({ bookId }) => bookId)
    for (const { series_id } of (await selectSeriesOfBooks(context.db.readSlowly, ids)).values()) {
      const tally = tallyOf.get(series_id)
      if (tally) tally.lost += 1
    }
  }
}

interface Follow {
  readonly series: SeriesToFollow
  readonly target: GroupedSeries
  readonly books: number
  /** Some of its books are where they were. */
  readonly leavesSome: boolean
}

interface FreeFollow extends Follow {
  /** It takes the place of another series that goes elsewhere, or another one takes its. */
  readonly isExchanged: boolean
}

const findFollows = async (
  tallies: readonly [string, Tally][],
  library: ScannedLibrary,
  context: TaskContext,
): Promise<{ readonly follows: readonly FreeFollow[]; readonly meetings: readonly Meeting[] }> => {
  const db = context.db.readSlowly
  const series = new Map<string, SeriesToFollow>()
  const idsByKey = new Map<string, string>()
  for (let from = 0; from < tallies.length; from += seriesAtOnce) {
    const part = tallies.slice(from, from + seriesAtOnce)
    const ids = part.map(([id]) => id)
    for (const row of await selectSeriesToFollow(db, ids)) series.set(row.id, row)
    const keys = [...new Set(part.flatMap(([, { destinations }]) => [...destinations.keys()]))]
    for (const [key, id] of await selectSeriesAtKeys(db, library.id, keys)) idsByKey.set(key, id)
  }
  const follows = tallies.flatMap(([id, tally]) => {
    const row = series.get(id)
    return row ? (wayOf(row, tally, idsByKey) ?? []) : []
  })
  const free = withFreeKeys(oneForEachKey(follows), idsByKey)
  const going = new Set(free.map(({ series: { id } }) => id))
  const newAt = new Map(free.map(({ series: { id }, target: { key } }) => [key, id]))
  const meetings = follows.flatMap((each): Meeting[] => {
    if (!idsByKey.has(each.target.key) && !each.leavesSome) {
      const winner = newAt.get(each.target.key)
      return winner === undefined || winner === each.series.id ? [] : [{ ...each, intoId: winner, isIntoLarger: true }]
    }
    const intoId = idsByKey.get(each.target.key)
    if (intoId === undefined || each.leavesSome || going.has(each.series.id) || going.has(intoId)) return []
    return each.series.library_id === library.id ? [{ ...each, intoId }] : []
  })
  return { follows: free, meetings: await withCounts(db, meetings, new Map(tallies)) }
}

/** A series all of whose books have gone to where another one is and stays. */
interface Meeting extends Follow {
  readonly intoId: string
  /** The other one is larger, or as large and older: it stays. */
  readonly isIntoLarger?: boolean
}

const withCounts = async (
  db: ReadDb,
  meetings: readonly Meeting[],
  tallies: ReadonlyMap<string, Tally>,
): Promise<readonly Meeting[]> => {
  const others = await selectSeriesToFollow(db, [...new Set(meetings.map(({ intoId }) => intoId))])
  const bookCount = new Map(others.map(({ id, book_count }) => [id, book_count - (tallies.get(id)?.lost ?? 0)]))
  return meetings.map((each) => {
    if (each.isIntoLarger) return each
    const there = bookCount.get(each.intoId) ?? 0
    return { ...each, isIntoLarger: there > each.books || (there === each.books && each.intoId < each.series.id) }
  })
}

/** The one that stays goes by the name of the folder that they share. */
const merge = async (
  { series, target, intoId, isIntoLarger = true }: Meeting,
  { library, context }: SeriesToTrack,
): Promise<void> => {
  const [fromId, stays] = isIntoLarger ? [series.id, intoId] : [intoId, series.id]
  await context.write(async (db) => {
    const now = context.clock()
    const isMerged = await mergeByScan(db, { fromId, intoId: stays, now })
    // Its key is kept: it is known by both since they are one, and by its own again when that is taken back.
    const { id, key } = series
    if (isMerged && !isIntoLarger) await renameSeries(db, library.id, [{ id, oldKey: key, target: { ...target, key } }])
  })
}

/** Where a series goes: to the one place where more of its books are than in any other, than have stayed and than are lost. */
const wayOf = (series: SeriesToFollow, tally: Tally, idsByKey: ReadonlyMap<string, string>): Follow | undefined => {
  const elsewhere = [...tally.destinations].filter(([key]) => idsByKey.get(key) !== series.id)
  const [most, ...others] = elsewhere
    .map(([, destination]) => destination)
    .sort((one, other) => other.books - one.books)
  if (!most) return undefined
  const gone = elsewhere.reduce((sum, [, { books }]) => sum + books, 0)
  const stayed = series.book_count + tally.restored - tally.lost - gone
  const next = Math.max(stayed, tally.lost, others[0]?.books ?? 0)
  return most.books > next ? { series, target: most.target, books: most.books, leavesSome: stayed > 0 } : undefined
}

/** Where two series have gone to one place, the one with more books has it; with as many, the older one. */
const oneForEachKey = (follows: readonly Follow[]): readonly Follow[] => {
  const fewestFirst = follows.toSorted(
    (one, other) => one.books - other.books || (one.series.id > other.series.id ? -1 : 1),
  )
  return [...new Map(fewestFirst.map((each) => [each.target.key, each])).values()]
}

/** It keeps those that go where there is no other series, or where that one goes away itself and leaves nothing. */
const withFreeKeys = (follows: readonly Follow[], idsByKey: ReadonlyMap<string, string>): readonly FreeFollow[] => {
  const leaving = new Set(follows.filter(({ leavesSome }) => !leavesSome).map(({ series: { id } }) => id))
  const free = follows.filter(({ target }) => {
    const holder = idsByKey.get(target.key)
    return holder === undefined || leaving.has(holder)
  })
  if (free.length < follows.length) return withFreeKeys(free, idsByKey)
  const taken = new Set(free.map(({ target }) => idsByKey.get(target.key)))
  return free.map((each) => ({ ...each, isExchanged: idsByKey.has(each.target.key) || taken.has(each.series.id) }))
}

const follow = (
  follows: readonly Follow[],
  divided: Set<string>,
  { scanId, library, context }: SeriesToTrack,
): Promise<void> =>
  context.write(async (db) => {
    for (const { series, leavesSome } of follows) if (leavesSome) divided.add(series.id)
    // Whatever happens to this scan, the next one knows of them.
    await updateScan(db, scanId, { divided: divided.size === 0 ? null : JSON.stringify([...divided]) })
    const renames = follows.map(({ series: { id, key }, target }) => ({ id, oldKey: key, target }))
    await renameSeries(db, library.id, renames)
    const left = new Set(follows.map(({ series: { library_id } }) => library_id).filter((id) => id !== library.id))
    for (const libraryId of left) await recountLibrary(db, libraryId, context.clock().toISOString())
  })
