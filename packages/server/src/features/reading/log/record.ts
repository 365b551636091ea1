import type { WriteDb } from '../../../database/database.ts'
import { flag } from '../../../database/flag.ts'
import { lockUser } from '../../../database/lock-user.ts'
import { wakeAfterCommit } from '../../../database/transaction.ts'
import { forReader } from '../../../database/whom-it-concerns.ts'
import type { ReadBook } from '../book.ts'
import { announceProgress } from '../news.ts'
import { isAtEnd, positionIn } from '../progress/position.ts'
import { type ReaderState, recountProgress, saveDevices, selectReaderState } from '../queries.ts'
import { countAgain, type Stretch } from '../reading-sessions/count.ts'
import type { ReadingTables } from '../table.ts'
import { type Completion, inOrder, isLater, nothingRead, type Position, type ReadingState, step } from './fold.ts'
import { type Head, saveHeads, selectHeads, type Uncounted } from './heads/queries.ts'
import {
  deleteCompletions,
  type LogEntryRow,
  insertCompletions,
  insertEntries,
  type Pair,
  raiseLastRead,
  saveSnapshots,
  saveStandings,
  selectExistingIds,
  type Snapshot,
  toEntry,
} from './queries.ts'
import { type Refolded, refoldFrom, snapshotEvery } from './refold.ts'

/** It is a user's action that is not yet in the log. */
export interface NewLogEntry extends Position {
  readonly id: string
  readonly book: ReadBook
  readonly kind: ReadingTables['reading_log']['kind']
  readonly source: ReadingTables['reading_log']['source']
  /** It is the client's clock, in milliseconds; null means now, after everything that is known. */
  readonly time: ClientTime | null
  readonly deviceId: string
  /** It is the name the device gives itself now; null or absent when it gave none. */
  readonly deviceName?: string | null
  /** It says whether the entry finishes the book; undefined means that the position decides. */
  readonly finishes?: boolean | undefined
  readonly outright?: boolean
  readonly activeMs?: number | null
  readonly pagesRead?: number | null
  readonly locator?: string | null
}

interface ClientTime {
  readonly started: number
  readonly ended: number
  /** It is after everything that is known, whatever that clock says. */
  readonly isLatest?: boolean
}

export interface Outcome {
  readonly state: ReadingState
  /** New entries that were held back. */
  readonly held: ReadonlySet<string>
}

const aheadMax = 5 * 60 * 1000

interface Recording {
  readonly now: Date
  /** Sessions and figures follow a moment later, or as soon as somebody asks for them, and events with them (decision 067). */
  readonly countsLater?: boolean
  /** A whole series is marked, which its reader hears besides what becomes of each book. */
  readonly marksSeries?: boolean | undefined
  /** What has been read already of these books and devices, while the user is locked. */
  readonly preloaded?: PreloadedState | undefined
}

interface PreloadedState {
  readonly heads: ReadonlyMap<string, Head>
  readonly devices: ReaderState['devices']
}

/**
 * It adds entries of one user to the log and brings everything that follows from it up to date, in one transaction. An
 * entry whose id is in the log already is there already. It returns for each book named.
 */
export const record = (
  db: WriteDb,
  userId: string,
  entries: readonly NewLogEntry[],
  recording: Recording,
): Promise<ReadonlyMap<string, Outcome>> => forReader(userId, () => recordFor(db, userId, entries, recording))

const recordFor = async (
  db: WriteDb,
  userId: string,
  entries: readonly NewLogEntry[],
  { now, countsLater = false, preloaded, marksSeries }: Recording,
): Promise<ReadonlyMap<string, Outcome>> => {
  if (entries.length === 0) return new Map()
  if (!preloaded) await lockUser(db, userId)
  const books = new Map(entries.map(({ book }) => [book.id, book]))
  const heads = preloaded?.heads ?? (await selectHeads(db, userId, [...books.keys()]))
  const ids = entries.filter(({ source }) => source === 'session').map(({ id }) => id)
  const knownIds = await selectExistingIds(db, userId, ids)
  const { zone, devices } = await noteDevices(db, userId, entries, { now, preloaded })
  const rows = setTimes(
    userId,
    entries
      .filter(({ id }) => !knownIds.has(id))
      .map((entry) => ({ ...entry, deviceId: devices.get(entry.deviceId)?.mergedInto ?? entry.deviceId })),
    heads,
    now,
  )
  await insertEntries(db, rows)

  const projected: Projected[] = []
  const perBook = Map.groupBy(rows, ({ book_id }) => book_id)
  for (const [bookId, added] of perBook) projected.push(await project(db, { userId, bookId }, heads.get(bookId), added))
  const touched = stretchesOf(rows, await saveCompletions(db, userId, projected))
  const changed = projected.filter(({ before, after }) => shownKey(before) !== shownKey(after))
  if (countsLater) {
    await saveStates(db, userId, withUncounted(projected, touched, { heads, changed: new Set(changed) }))
    if (projected.length > 0) wakeAfterCommit(db, 'uncounted')
  } else {
    await saveStates(db, userId, projected)
    await countAgain(db, userId, touched, { now, ...(zone && { zone }) })
    await tell(db, userId, changed, { books, now, marksSeries })
  }
  await countSeries(db, userId, changed, books)
  const outcomes = new Map(projected.map(({ bookId, after, held }) => [bookId, { state: after, held }]))
  return new Map(
    [...books.keys()].map((id) => [id, outcomes.get(id) ?? { state: stateOf(heads.get(id)), held: new Set() }]),
  )
}

const tell = (
  db: WriteDb,
  userId: string,
  changed: readonly Projected[],
  { books, ...how }: { readonly books: ReadonlyMap<string, ReadBook> } & Pick<Recording, 'now' | 'marksSeries'>,
): Promise<void> =>
  announceProgress(
    db,
    userId,
    changed.flatMap(({ bookId, after }) => {
      const book = books.get(bookId)
      return book ? [{ ...book, bookId, isUnread: after.standing === null }] : []
    }),
    how,
  )

/** What has still to be counted in a book reaches over all that has come to it since it was counted last. */
const withUncounted = (
  projected: readonly Projected[],
  touched: readonly Stretch[],
  { heads, changed }: { readonly heads: ReadonlyMap<string, Head>; readonly changed: ReadonlySet<Projected> },
): Projected[] => {
  const stretches = new Map(touched.map((stretch) => [stretch.bookId, stretch]))
  return projected.map((each) => {
    const { bookId, head } = each
    const before = heads.get(bookId)?.uncounted
    const parts = [stretches.get(bookId), before].filter((part) => part !== undefined)
    const isUntold = changed.has(each) || before?.isUntold === true
    return { ...each, head: { ...head, uncounted: { ...spanOf(parts), isUntold } } }
  })
}

const noteDevices = async (
  db: WriteDb,
  userId: string,
  entries: readonly NewLogEntry[],
  { now, preloaded }: Pick<Recording, 'now' | 'preloaded'>,
): Promise<Partial<ReaderState> & Pick<ReaderState, 'devices'>> => {
  const devices = entries.map(({ deviceId: id, deviceName: name = null }) => ({ id, name }))
  const state = preloaded ?? (await selectReaderState(db, userId, [...new Set(devices.map(({ id }) => id))]))
  await saveDevices(db, userId, { devices, states: state.devices }, now.toISOString())
  return state
}

const shownKey = ({ standing, startedAt, completedAt, isRereading }: ReadingState): string =>
  JSON.stringify([standing, startedAt, completedAt, isRereading])

const stateOf = (head: Snapshot | undefined): ReadingState =>
  head ? (JSON.parse(head.state) as ReadingState) : nothingRead

/**
 * It sets the time of each entry: a client's time as it is, one too far ahead becomes the time of arrival, in the order
 * they were sent.
 */
const setTimes = (
  userId: string,
  entries: readonly NewLogEntry[],
  heads: ReadonlyMap<string, Head>,
  now: Date,
): LogEntryRow[] => {
  const arrival = now.getTime()
  const latest = new Map([...heads].map(([bookId, { position }]) => [bookId, Date.parse(position.at)]))
  const ahead = entries
    .flatMap(({ id, time }) => (time && time.ended > arrival + aheadMax ? [{ id, ended: time.ended }] : []))
    .toSorted((one, other) => one.ended - other.ended)
  const rankOf = new Map(ahead.map(({ id }, rank) => [id, rank]))
  return entries.map((entry) => {
    const { time, book, id } = entry
    const rank = rankOf.get(id)
    const afterAll = Math.max(arrival, (latest.get(book.id) ?? 0) + 1)
    const isBehind = time?.isLatest === true && time.ended < (latest.get(book.id) ?? 0)
    const at = time === null || isBehind ? afterAll : rank === undefined ? time.ended : arrival + rank
    if (time === null || isBehind) latest.set(book.id, at)
    const started = time === null ? at : Math.max(0, at - (time.ended - time.started))
    return toRow(entry, { userId, at, started, recordedAt: now.toISOString() })
  })
}

const toRow = (
  entry: NewLogEntry,
  { userId, at, started, recordedAt }: { userId: string; at: number; started: number; recordedAt: string },
): LogEntryRow => {
  const { book, kind, time } = entry
  const finishes = kind !== 'reset' && (entry.finishes ?? (kind === 'completed' || isAtEnd(book.pageCount, entry)))
  const saysNothing = entry.page === null && entry.percentage === null
  const position = positionIn(book.pageCount, finishes && saysNothing ? { page: null, percentage: 1 } : entry)
  return {
    user_id: userId,
    id: entry.id,
    book_id: book.id,
    series_id: book.seriesId,
    series_name: book.seriesName,
    library_id: book.libraryId,
    format: book.format,
    kind,
    source: entry.source,
    started_at: new Date(started).toISOString(),
    at: new Date(at).toISOString(),
    said_at: time === null || time.ended === at ? null : new Date(time.ended).toISOString(),
    recorded_at: recordedAt,
    device_id: entry.deviceId,
    active_ms: entry.activeMs ?? null,
    pages_read: entry.pagesRead ?? null,
    page: position.page,
    percentage: position.percentage,
    page_count: book.pageCount === 0 ? null : book.pageCount,
    finishes: flag(finishes),
    outright: flag(entry.outright ?? false),
    locator: entry.locator ?? null,
  }
}

interface Projected {
  readonly bookId: string
  readonly before: ReadingState
  readonly after: ReadingState
  readonly head: Head
  readonly held: ReadonlySet<string>
  readonly snapshots: readonly Snapshot[]
  readonly completions: readonly Completion[]
  /** Completions were counted again from one position to another. */
  readonly refolded?: Refolded
}

const project = async (
  db: WriteDb,
  pair: Pair,
  head: Head | undefined,
  rows: readonly LogEntryRow[],
): Promise<Projected> => {
  const entries = inOrder(rows.map((row) => toEntry(row)))
  const [first] = entries
  const last = entries.at(-1)
  if (!first || !last) throw new Error('There is nothing to project')
  const { bookId } = pair
  const before = stateOf(head)
  if (head && !isLater(first, head.position)) {
    const refolded = await refoldFrom(db, pair, first, last)
    const { state, position, unsaved, snapshots, completions, held, convergedAt } = refolded
    const now = convergedAt
      ? { after: before, head: { ...head, uncounted: undefined } }
      : { after: state, head: headAt(position, unsaved, state) }
    return { bookId, before, ...now, held, snapshots, completions, refolded }
  }
  return { bookId, before, ...stepOn(head, before, entries) }
}

export const headAt = (position: Head['position'], unsaved: number, state: ReadingState): Head => ({
  position: { at: position.at, id: position.id },
  unsaved,
  state: JSON.stringify(state),
})

const stepOn = (head: Head | undefined, before: ReadingState, entries: readonly ReturnType<typeof toEntry>[]) => {
  let after = before
  let position = { at: '', id: '' }
  const held = new Set<string>()
  const completions: Completion[] = []
  for (const entry of entries) {
    const { state, isHeld, released, completion } = step(after, entry)
    after = state
    position = entry
    if (isHeld) held.add(entry.id)
    for (const id of released) held.delete(id)
    if (completion) completions.push(completion)
  }
  const unsaved = (head?.unsaved ?? 0) + entries.length
  const isFull = unsaved >= snapshotEvery
  const next = headAt(position, isFull ? 0 : unsaved, after)
  return { after, head: next, held, completions, snapshots: isFull ? [next] : [] }
}

/**
 * It returns where something that is counted has changed: around new entries, and where completions differ from before.
 */
const stretchesOf = (rows: readonly LogEntryRow[], moments: readonly Moment[]): Stretch[] => {
  const stretches = [
    ...rows.map(({ book_id, started_at, at }) => ({ bookId: book_id, from: started_at, to: at })),
    ...moments.map(({ bookId, at }) => ({ bookId, from: at, to: at })),
  ]
  return [...Map.groupBy(stretches, ({ bookId }) => bookId)].map(([bookId, own]) => ({ bookId, ...spanOf(own) }))
}

/** From the beginning of the first to the end of the last. */
const spanOf = (parts: readonly Omit<Uncounted, 'isUntold'>[]): Omit<Uncounted, 'isUntold'> => ({
  from: parts.reduce((least, { from }) => (from < least ? from : least), parts[0]?.from ?? ''),
  to: parts.reduce((most, { to }) => (to > most ? to : most), ''),
})

interface Moment {
  readonly bookId: string
  readonly at: string
}

/** It returns the times of completions that have come or gone where they were counted again. */
const saveCompletions = async (db: WriteDb, userId: string, projected: readonly Projected[]): Promise<Moment[]> => {
  const moments: Moment[] = []
  for (const { bookId, refolded, completions } of projected) {
    if (!refolded) continue
    const gone = await deleteCompletions(db, { userId, bookId }, { after: refolded.after, upTo: refolded.convergedAt })
    const come = new Set(completions.map(({ entryId }) => entryId))
    const went = new Set(gone.map(({ id }) => id))
    moments.push(
      ...gone.filter(({ id }) => !come.has(id)).map(({ at }) => ({ bookId, at })),
      ...completions
        .filter(({ entryId }) => !went.has(entryId))
        .map(({ completedAt }) => ({ bookId, at: completedAt })),
    )
  }
  await insertCompletions(
    db,
    userId,
    projected.flatMap(({ bookId, completions }) => completions.map((completion) => ({ bookId, completion }))),
  )
  return moments
}

const saveStates = async (db: WriteDb, userId: string, projected: readonly Projected[]): Promise<void> => {
  await saveHeads(db, userId, projected)
  await saveSnapshots(
    db,
    userId,
    projected.flatMap(({ bookId, snapshots }) => snapshots.map((snapshot) => ({ bookId, snapshot }))),
  )
  await saveStandings(
    db,
    userId,
    projected.map(({ bookId, after }) => ({ bookId, state: after })),
  )
}

/** Turning a page changes no count. Whatever does is counted again, for all series at once. */
const countSeries = async (
  db: WriteDb,
  userId: string,
  changed: readonly Projected[],
  books: ReadonlyMap<string, ReadBook>,
): Promise<void> => {
  const [only] = changed
  const book = only && books.get(only.bookId)
  if (only && book && changed.length === 1 && isReadingOn(only)) {
    if (book.isPresent) await raiseLastRead(db, userId, book.seriesId, only.after.standing?.at ?? '')
    return
  }
  const seriesIds = new Set(changed.flatMap(({ bookId }) => books.get(bookId)?.seriesId ?? []))
  await recountProgress(db, { seriesIds: [...seriesIds], userId })
}

const isReadingOn = ({ before, after }: Projected): boolean =>
  before.standing !== null &&
  after.standing !== null &&
  (before.completedAt === null) === (after.completedAt === null) &&
  before.isRereading === after.isRereading &&
  after.standing.at >= before.standing.at
