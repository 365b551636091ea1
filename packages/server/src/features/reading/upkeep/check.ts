import type { ListAnswer, ReadingRepair } from '@carrel/api'
import type { Database, ReadDb, WriteDb } from '../../../database/database.ts'
import { flag } from '../../../database/flag.ts'
import { newId } from '../../../platform/ids.ts'
import type { Log } from '../../../platform/log.ts'
import type { Paging } from '../../../platform/paging.ts'
import { lockUser } from '../../../database/lock-user.ts'
import { completionsOfBooks } from '../log/completions-of-books.ts'
import type { ReadingState } from '../log/fold.ts'
import {
  deleteUnfounded,
  type Pair,
  progressRow,
  selectBooksWithEntries,
  selectExisting,
  selectPairsAfter,
  selectProjections,
  selectReadersAfter,
} from '../log/queries.ts'
import { type Refolded, refoldAll } from '../log/refold.ts'
import {
  areSeriesCounted,
  countRepairs,
  deleteRepairsBefore,
  insertRepair,
  recountProgress,
  selectRepairs,
} from '../queries.ts'
import { rebuildBooks } from './rebuild.ts'
import { requireZone, textOf } from '../reading-sessions/apply.ts'
import { sessionsOfBooks } from '../reading-sessions/count.ts'
import { countWithin } from '../reading-sessions/count-later.ts'
import { addUp } from '../reading-sessions/figures.ts'
import {
  type FigureRow,
  selectFigures,
  selectFigureZone,
  selectSessionsAfter,
  selectSessionsOfBooks,
} from '../reading-sessions/queries.ts'
import { recount } from '../reading-sessions/recount.ts'

const usersAtOnce = 100
const booksAtOnce = 50
const sessionsAtOnce = 2000
const repairsKeptMs = 365 * 24 * 60 * 60 * 1000

interface CheckContext {
  readonly db: Pick<Database, 'readSlowly'>
  write<Result>(work: (db: WriteDb) => Promise<Result>): Promise<Result>
  readonly log: Log
  readonly signal: AbortSignal
  readonly clock: () => Date
}

export interface Checked {
  readonly users: number
  readonly books: number
  /** Users of whom something was not as their log has it. */
  readonly repaired: number
}

/** It compares everything stored beside the logs with what the logs give; what differs is made again, and reported. */
export const checkReading = async (context: CheckContext): Promise<Checked> => {
  let [users, books, repaired] = [0, 0, 0]
  let afterId = ''
  for (;;) {
    const some = await selectReadersAfter(context.db.readSlowly, afterId, usersAtOnce)
    for (const userId of some) {
      const result = await checkUser(context, userId)
      users += 1
      books += result.books
      if (result.wrong === 0 && !result.figures) continue
      repaired += 1
      await report(context, userId, result)
    }
    afterId = some.at(-1) ?? ''
    if (some.length < usersAtOnce) break
  }
  const oldest = new Date(context.clock().getTime() - repairsKeptMs)
  await context.write((db) => deleteRepairsBefore(db, oldest.toISOString()))
  return { users, books, repaired }
}

interface CheckResult {
  readonly books: number
  readonly wrong: number
  readonly figures: boolean
}

const report = async (
  { write, log, clock }: CheckContext,
  userId: string,
  { wrong, figures }: CheckResult,
): Promise<void> => {
  const now = clock()
  log.error({ userId, books: wrong, figures }, 'What was kept of reading was not what the log says: it was made again')
  const row = { id: newId(now.getTime()), at: now.toISOString(), user_id: userId, books: wrong, figures: flag(figures) }
  await write((db) => insertRepair(db, row))
}

const checkUser = async (context: CheckContext, userId: string): Promise<CheckResult> => {
  let [books, wrong] = [0, 0]
  let afterBookId = ''
  for (;;) {
    context.signal.throwIfAborted()
    const pairs = await selectPairsAfter(context.db.readSlowly, { userId, afterBookId }, booksAtOnce)
    const ids = pairs.map(({ bookId }) => bookId)
    for (const bookId of await wrongAmong(context.db.readSlowly, userId, ids))
      wrong += await repair(context, userId, bookId)
    books += pairs.length
    afterBookId = ids.at(-1) ?? ''
    if (pairs.length < booksAtOnce) break
  }
  wrong += await repairRest(context, userId)
  return { books, wrong, figures: await repairFigures(context, userId) }
}

/** Somebody may have read on between the two reads: nobody can while the user is locked. */
const repair = ({ write, clock }: CheckContext, userId: string, bookId: string): Promise<number> =>
  write(async (db) => {
    await lockUser(db, userId)
    await countWithin(db, userId, clock())
    if ((await wrongAmong(db, userId, [bookId])).length === 0) return 0
    await rebuildBooks(db, userId, [bookId])
    return 1
  })

const repairRest = ({ write }: CheckContext, userId: string): Promise<number> =>
  write(async (db) => {
    await lockUser(db, userId)
    const unfounded = await deleteUnfounded(db, userId)
    const areCounted = await areSeriesCounted(db, userId)
    if (!areCounted) await recountProgress(db, { userId })
    return unfounded > 0 || !areCounted ? 1 : 0
  })

/** It returns those of these books whose stored projection differs from what the log gives. */
const wrongAmong = async (db: ReadDb, userId: string, bookIds: readonly string[]): Promise<string[]> => {
  if (bookIds.length === 0) return []
  const existing = await selectExisting(db, bookIds)
  const told = new Set(await selectBooksWithEntries(db, userId, bookIds))
  const projections = await selectProjections(db, userId, bookIds)
  const folded = new Map<string, Refolded | undefined>()
  const snapshots = Map.groupBy(projections.snapshots, ({ book_id }) => book_id)
  for (const bookId of bookIds) {
    const entryIds = new Set(snapshots.get(bookId)?.map(({ entry_id }) => entry_id))
    folded.set(bookId, told.has(bookId) ? await refoldAll(db, { userId, bookId }, entryIds) : undefined)
  }
  const completions = await completionsOfBooks(
    db,
    userId,
    new Map([...folded].map(([bookId, refolded]) => [bookId, refolded?.completions ?? []])),
  )
  const wrong = new Set<string>()
  for (const [bookId, refolded] of folded) {
    const { rows = [] } = completions.get(bookId) ?? {}
    const isRight = existing.has(bookId)
      ? textsOf(projections, bookId) === textsOf(shouldBe({ userId, bookId }, refolded, [...rows]), bookId) &&
        areSnapshotsRight(snapshots.get(bookId) ?? [], refolded)
      : textsOf({ ...projections, heads: [] }, bookId) === ''
    if (!isRight) wrong.add(bookId)
  }
  const completionsByBook = new Map([...completions].map(([bookId, { counted }]) => [bookId, counted]))
  const right = await sessionsOfBooks(db, userId, bookIds, completionsByBook)
  const stored = await selectSessionsOfBooks(db, userId, bookIds)
  const byBook = (rows: typeof stored) => Map.groupBy(rows, ({ book_id }) => book_id)
  const [keptSessions, rightSessions] = [byBook(stored), byBook(right)]
  for (const bookId of bookIds) {
    const texts = (rows: typeof stored | undefined) => (rows ?? []).map(textOf).sort().join('\n')
    if (texts(keptSessions.get(bookId)) !== texts(rightSessions.get(bookId))) wrong.add(bookId)
  }
  return [...wrong]
}

type Projections = Awaited<ReturnType<typeof selectProjections>>

/** The age of a snapshot does not matter. */
const textsOf = ({ heads, standings, completions }: Omit<Projections, 'snapshots'>, bookId: string): string =>
  [
    ...heads.map((head) => ({ ...head, unsaved: 0, uncounted_from: null, uncounted_to: null, untold: null })),
    ...standings,
    ...completions,
  ]
    .filter(({ book_id }) => book_id === bookId)
    .map(textOf)
    .sort()
    .join('\n')

/** Their number does not matter either, but each must equal what the log gives at its position. */
const areSnapshotsRight = (stored: Projections['snapshots'], refolded: Refolded | undefined): boolean => {
  const states = new Map(refolded?.snapshots.map(({ position: { at, id }, state }) => [`${at} ${id}`, state]))
  return stored.every(({ at, entry_id, state }) => states.get(`${at} ${entry_id}`) === state)
}

const shouldBe = (
  { userId, bookId }: Pair,
  refolded: Refolded | undefined,
  completions: Projections['completions'],
): Omit<Projections, 'snapshots'> => {
  const state: ReadingState | undefined = refolded?.state
  const standing = state && progressRow(userId, bookId, state)
  return {
    heads: refolded
      ? [
          {
            user_id: userId,
            book_id: bookId,
            at: refolded.position.at,
            entry_id: refolded.position.id,
            unsaved: 0,
            state: JSON.stringify(refolded.state),
            uncounted_from: null,
            uncounted_to: null,
            untold: null,
          },
        ]
      : [],
    standings: standing ? [standing] : [],
    completions,
  }
}

/** It returns whether sums were wrong. That somebody has moved, or that a count was cut short, is nothing wrong. */
const repairFigures = async (context: CheckContext, userId: string): Promise<boolean> => {
  const { db, write, signal, clock } = context
  let state = await stateOfFigures(db.readSlowly, userId, signal)
  // Something may have been counted between the two reads: nothing is while the user is locked.
  if (state === 'wrong')
    state = await write(async (db) => {
      await lockUser(db, userId)
      await countWithin(db, userId, clock())
      return stateOfFigures(db, userId, signal)
    })
  if (state === 'right') return false
  await recount(context, userId)
  return state === 'wrong'
}

const beginning = { startedAt: '', id: '' }

const stateOfFigures = async (
  db: ReadDb,
  userId: string,
  signal: AbortSignal,
): Promise<'right' | 'wrong' | 'unfinished'> => {
  const { storedZone, builtTo, own } = await selectFigureZone(db, userId)
  if (storedZone === null)
    return (await selectSessionsAfter(db, { userId }, beginning, 1)).length === 0 ? 'right' : 'unfinished'
  if (storedZone !== own || builtTo !== null) return 'unfinished'
  const sums = new Map<string, FigureRow>()
  for (let cursor = beginning; ;) {
    signal.throwIfAborted()
    const rows = await selectSessionsAfter(db, { userId }, cursor, sessionsAtOnce)
    addUp(sums, userId, requireZone(storedZone), { rows, sign: 1 })
    const last = rows.at(-1)
    if (!last || rows.length < sessionsAtOnce) break
    cursor = { startedAt: last.started_at, id: last.id }
  }
  // The last name of a series depends on what came last.
  const texts = (rows: Iterable<FigureRow>) =>
    [...rows]
      .map((row) => textOf({ ...row, name: null }))
      .sort()
      .join('\n')
  return texts(await selectFigures(db, userId)) === texts(sums.values()) ? 'right' : 'wrong'
}

export const listRepairs = async (db: ReadDb, paging: Paging): Promise<ListAnswer<ReadingRepair>> => {
  const total = await countRepairs(db)
  return { total, data: paging.offset < total ? await selectRepairs(db, paging) : [] }
}
