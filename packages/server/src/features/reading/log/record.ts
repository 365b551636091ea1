import type { Fact as Announced } from '@carrel/api'
import type { WriteDb } from '../../../database/database.ts'
import { flag } from '../../../database/flag.ts'
import { announce } from '../../../events/outbox.ts'
import { lockUser } from '../../../database/lock-user.ts'
import type { ReadBook } from '../book.ts'
import { isAtEnd, positionIn } from '../position.ts'
import { type ReaderState, recountProgress, saveDevices, selectReaderState } from '../queries.ts'
import { countAgain, type Stretch } from '../sittings/count.ts'
import { toCountedFact } from '../sittings/queries.ts'
import type { CountedFact } from '../sittings/sittings.ts'
import type { ReadingTables } from '../table.ts'
import { type Completion, inOrder, isLater, nothingRead, type Position, type ReadingState, step } from './fold.ts'
import {
  deleteCompletions,
  type FactRow,
  type Head,
  insertCompletions,
  insertFacts,
  type Pair,
  raiseLastRead,
  saveHeads,
  saveSnapshots,
  saveStandings,
  selectHeads,
  selectKnownIds,
  type Snapshot,
  toFact,
} from './queries.ts'
import { type Refolded, refoldFrom, snapshotEvery } from './refold.ts'

/** It is a user's action that is not yet in the log. */
export interface NewFact extends Position {
  readonly id: string
  readonly book: ReadBook
  readonly kind: ReadingTables['reading_session']['kind']
  readonly source: ReadingTables['reading_session']['source']
  /** It is the client's clock, in milliseconds; null means now, after everything that is known. */
  readonly time: { readonly started: number; readonly ended: number } | null
  readonly deviceId: string
  /** It is the name the device gives itself now; null or absent when it gave none. */
  readonly deviceName?: string | null
  /** It says whether the fact finishes the book; undefined means that the position decides. */
  readonly finishes?: boolean | undefined
  readonly outright?: boolean
  readonly activeMs?: number | null
  readonly pagesRead?: number | null
  readonly locator?: string | null
}

export interface Outcome {
  readonly state: ReadingState
  /** New facts that were held back. */
  readonly held: ReadonlySet<string>
}

const aheadMax = 5 * 60 * 1000

/**
 * It adds facts of one user to the log and brings everything that follows from it up to date, in one transaction. A
 * fact whose id is in the log already is there already. It returns for each book named.
 */
export const record = async (
  db: WriteDb,
  userId: string,
  facts: readonly NewFact[],
  now: Date,
): Promise<ReadonlyMap<string, Outcome>> => {
  if (facts.length === 0) return new Map()
  await lockUser(db, userId)
  const books = new Map(facts.map(({ book }) => [book.id, book]))
  const heads = await selectHeads(db, userId, [...books.keys()])
  const ids = facts.filter(({ source }) => source === 'session').map(({ id }) => id)
  const known = await selectKnownIds(db, userId, ids)
  const { zone, devices } = await noteDevices(db, userId, facts, now)
  const rows = timed(
    userId,
    facts
      .filter(({ id }) => !known.has(id))
      .map((fact) => ({ ...fact, deviceId: devices.get(fact.deviceId)?.mergedInto ?? fact.deviceId })),
    heads,
    now,
  )
  await insertFacts(db, rows)

  const projected: Projected[] = []
  const perBook = Map.groupBy(rows, ({ book_id }) => book_id)
  for (const [bookId, added] of perBook) projected.push(await project(db, { userId, bookId }, heads.get(bookId), added))
  const recounted = await save(db, userId, projected)
  await countAgain(db, userId, touchedBy(rows, recounted), {
    now,
    zone,
    latest: latestOf(perBook, heads),
  })
  const changed = projected.filter(({ before, after }) => whatShows(before) !== whatShows(after))
  await countSeries(db, userId, changed, books)
  await announce(
    db,
    changed.flatMap(({ bookId, after }) => {
      const book = books.get(bookId)
      return book
        ? [
            {
              fact: progressUpdated(book, after),
              to: { userId, permission: 'progress:read' as const, libraryId: book.libraryId },
            },
          ]
        : []
    }),
    now,
  )
  const outcomes = new Map(projected.map(({ bookId, after, held }) => [bookId, { state: after, held }]))
  return new Map(
    [...books.keys()].map((id) => [id, outcomes.get(id) ?? { state: stateOf(heads.get(id)), held: new Set() }]),
  )
}

/** It serves books with one new fact that is later than all before: pages are mostly turned one after the other. */
const latestOf = (
  perBook: ReadonlyMap<string, readonly FactRow[]>,
  heads: ReadonlyMap<string, Head>,
): Map<string, CountedFact> =>
  new Map(
    [...perBook].flatMap(([bookId, [row, ...more]]) => {
      const head = heads.get(bookId)
      return row && more.length === 0 && head && isLater(row, head.place) ? [[bookId, toCountedFact(row)] as const] : []
    }),
  )

const noteDevices = async (db: WriteDb, userId: string, facts: readonly NewFact[], now: Date): Promise<ReaderState> => {
  const devices = facts.map(({ deviceId: id, deviceName: name = null }) => ({ id, name }))
  const state = await selectReaderState(db, userId, [...new Set(devices.map(({ id }) => id))])
  await saveDevices(db, userId, { devices, known: state.devices }, now.toISOString())
  return state
}

const progressUpdated = ({ id, seriesId, libraryId }: ReadBook, { standing }: ReadingState): Announced => ({
  type: 'progress_updated',
  bookId: id,
  seriesId,
  libraryId,
  ...(standing === null && { isUnread: true }),
})

const whatShows = ({ standing, startedAt, completedAt, isRereading }: ReadingState): string =>
  JSON.stringify([standing, startedAt, completedAt, isRereading])

const stateOf = (head: Snapshot | undefined): ReadingState =>
  head ? (JSON.parse(head.state) as ReadingState) : nothingRead

/**
 * It sets the time of each fact: a client's time as it is, one too far ahead becomes the time of arrival, in the order
 * they were sent.
 */
const timed = (userId: string, facts: readonly NewFact[], heads: ReadonlyMap<string, Head>, now: Date): FactRow[] => {
  const arrival = now.getTime()
  const latest = new Map([...heads].map(([bookId, { place }]) => [bookId, Date.parse(place.at)]))
  const ahead = facts
    .flatMap(({ id, time }) => (time && time.ended > arrival + aheadMax ? [{ id, ended: time.ended }] : []))
    .toSorted((one, other) => one.ended - other.ended)
  const rankOf = new Map(ahead.map(({ id }, rank) => [id, rank]))
  return facts.map((fact) => {
    const { time, book, id } = fact
    const rank = rankOf.get(id)
    const afterAll = Math.max(arrival, (latest.get(book.id) ?? 0) + 1)
    const at = time === null ? afterAll : rank === undefined ? time.ended : arrival + rank
    if (time === null) latest.set(book.id, at)
    const started = time === null ? at : Math.max(0, at - (time.ended - time.started))
    return toRow(fact, { userId, at, started, recordedAt: now.toISOString() })
  })
}

const toRow = (
  fact: NewFact,
  { userId, at, started, recordedAt }: { userId: string; at: number; started: number; recordedAt: string },
): FactRow => {
  const { book, kind, time } = fact
  const finishes = kind !== 'reset' && (fact.finishes ?? (kind === 'completed' || isAtEnd(book.pageCount, fact)))
  const saysNothing = fact.page === null && fact.percentage === null
  const position = positionIn(book.pageCount, finishes && saysNothing ? { page: null, percentage: 1 } : fact)
  return {
    user_id: userId,
    id: fact.id,
    book_id: book.id,
    series_id: book.seriesId,
    series_name: book.seriesName,
    library_id: book.libraryId,
    format: book.format,
    kind,
    source: fact.source,
    started_at: new Date(started).toISOString(),
    at: new Date(at).toISOString(),
    said_at: time === null || time.ended === at ? null : new Date(time.ended).toISOString(),
    recorded_at: recordedAt,
    device_id: fact.deviceId,
    active_ms: fact.activeMs ?? null,
    pages_read: fact.pagesRead ?? null,
    page: position.page,
    percentage: position.percentage,
    page_count: book.pageCount === 0 ? null : book.pageCount,
    finishes: flag(finishes),
    outright: flag(fact.outright ?? false),
    locator: fact.locator ?? null,
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
  /** Completions were counted again from one place to another. */
  readonly refolded?: Refolded
}

const project = async (
  db: WriteDb,
  pair: Pair,
  head: Head | undefined,
  rows: readonly FactRow[],
): Promise<Projected> => {
  const facts = inOrder(rows.map((row) => toFact(row)))
  const [first] = facts
  const last = facts.at(-1)
  if (!first || !last) throw new Error('There is nothing to project')
  const { bookId } = pair
  const before = stateOf(head)
  if (head && !isLater(first, head.place)) {
    const refolded = await refoldFrom(db, pair, first, last)
    const { state, place, unsaved, snapshots, completions, held, convergedAt } = refolded
    const now = convergedAt ? { after: before, head } : { after: state, head: headAt(place, unsaved, state) }
    return { bookId, before, ...now, held, snapshots, completions, refolded }
  }
  return { bookId, before, ...stepOn(head, before, facts) }
}

export const headAt = (place: Head['place'], unsaved: number, state: ReadingState): Head => ({
  place: { at: place.at, id: place.id },
  unsaved,
  state: JSON.stringify(state),
})

const stepOn = (head: Head | undefined, before: ReadingState, facts: readonly ReturnType<typeof toFact>[]) => {
  let after = before
  let place = { at: '', id: '' }
  const held = new Set<string>()
  const completions: Completion[] = []
  for (const fact of facts) {
    const { state, isHeld, released, completion } = step(after, fact)
    after = state
    place = fact
    if (isHeld) held.add(fact.id)
    for (const id of released) held.delete(id)
    if (completion) completions.push(completion)
  }
  const unsaved = (head?.unsaved ?? 0) + facts.length
  const isFull = unsaved >= snapshotEvery
  const next = headAt(place, isFull ? 0 : unsaved, after)
  return { after, head: next, held, completions, snapshots: isFull ? [next] : [] }
}

/**
 * It returns where something that is counted has changed: around new facts, and where completions differ from before.
 */
const touchedBy = (rows: readonly FactRow[], moments: readonly Moment[]): Stretch[] => {
  const stretches = [
    ...rows.map(({ book_id, started_at, at }) => ({ bookId: book_id, from: started_at, to: at })),
    ...moments.map(({ bookId, at }) => ({ bookId, from: at, to: at })),
  ]
  return [...Map.groupBy(stretches, ({ bookId }) => bookId)].map(([bookId, own]) => ({
    bookId,
    from: own.reduce((least, { from }) => (from < least ? from : least), own[0]?.from ?? ''),
    to: own.reduce((most, { to }) => (to > most ? to : most), ''),
  }))
}

interface Moment {
  readonly bookId: string
  readonly at: string
}

/** It returns the times of completions that have come or gone. */
const save = async (db: WriteDb, userId: string, projected: readonly Projected[]): Promise<Moment[]> => {
  if (projected.length === 0) return []
  await saveHeads(db, userId, projected)
  await saveSnapshots(
    db,
    userId,
    projected.flatMap(({ bookId, snapshots }) => snapshots.map((snapshot) => ({ bookId, snapshot }))),
  )
  const moments: Moment[] = []
  for (const { bookId, refolded, completions } of projected) {
    if (!refolded) continue
    const gone = await deleteCompletions(db, { userId, bookId }, { after: refolded.after, upTo: refolded.convergedAt })
    const come = new Set(completions.map(({ factId }) => factId))
    const went = new Set(gone.map(({ id }) => id))
    moments.push(
      ...gone.filter(({ id }) => !come.has(id)).map(({ at }) => ({ bookId, at })),
      ...completions.filter(({ factId }) => !went.has(factId)).map(({ completedAt }) => ({ bookId, at: completedAt })),
    )
  }
  await insertCompletions(
    db,
    userId,
    projected.flatMap(({ bookId, completions }) => completions.map((completion) => ({ bookId, completion }))),
  )
  await saveStandings(
    db,
    userId,
    projected.map(({ bookId, after }) => ({ bookId, state: after })),
  )
  return moments
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
