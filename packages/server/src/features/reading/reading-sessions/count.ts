import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { flag } from '../../../database/flag.ts'
import { enqueue } from '../../../tasks/queue.ts'
import type { Pair } from '../log/queries.ts'
import { applyChange, type Change, textOf } from './apply.ts'
import { type Coverage, addCoverage, nothingCovered, type PageClaim } from './coverage.ts'
import {
  type Completions,
  emptyLogPart,
  type FigureZone,
  type LogPart,
  type Neighbours,
  selectLogWithin,
  selectNeighbours,
  selectSessionsAfter,
  selectSessionsOfBooks,
  type SessionRow,
  type Stretch,
} from './queries.ts'
import { inOrder } from '../log/fold.ts'
import { inferredUntil, sessionGoingOn, sessionLeftOff } from './extend.ts'
import { adjoinMs, type ReadingSession, sessionsOf } from './reading-sessions.ts'
import { recountFigures } from './tasks.ts'

export type { Stretch } from './queries.ts'

/** More books in one statement make it no faster. */
const booksAtOnce = 100

interface CountContext {
  readonly now: Date
  /** The zone was read while the user is locked. */
  readonly zone?: FigureZone
}

/**
 * It brings sessions and sums up to date, within the transaction of the change and while the user is locked: what
 * happened near to what has changed is put together again from the log, and nothing else. One stretch for each book.
 */
export const countAgain = async (
  db: WriteDb,
  userId: string,
  touched: readonly Stretch[],
  { now, zone: givenZone }: CountContext,
): Promise<void> => {
  const changes: Change[] = []
  for (let from = 0; from < touched.length; from += booksAtOnce)
    changes.push(await changeNear(db, userId, touched.slice(from, from + booksAtOnce)))
  const change = { gone: changes.flatMap(({ gone }) => gone), come: changes.flatMap(({ come }) => come) }
  const zone = await applyChange(db, userId, change, givenZone)
  const hasMoved = zone && zone.storedZone !== null && zone.storedZone !== zone.own && zone.builtTo === null
  if (hasMoved) await enqueue(db, recountFigures, { userId }, { now })
}

/**
 * It counts all sessions of these books again, from their whole logs. `completionsByBook` holds the completions of books that are gone.
 */
export const countBooksAgain = async (
  db: WriteDb,
  userId: string,
  bookIds: readonly string[],
  completionsByBook: ReadonlyMap<string, Completions>,
): Promise<void> => {
  const gone = await selectSessionsOfBooks(db, userId, bookIds)
  const come = await sessionsOfBooks(db, userId, bookIds, completionsByBook)
  await applyChange(db, userId, { gone, come })
}

export const sessionsOfBooks = async (
  db: ReadDb,
  userId: string,
  bookIds: readonly string[],
  completionsByBook: ReadonlyMap<string, Completions>,
): Promise<SessionRow[]> => {
  const log = await selectLogWithin(
    db,
    userId,
    bookIds.map((bookId) => ({ bookId, from: '', to: '~' })),
  )
  return bookIds.flatMap((bookId) => {
    const { entries, completions, resets } = log.get(bookId) ?? emptyLogPart
    const { derived, stated } = completionsByBook.get(bookId) ?? completions
    return withPages({ userId, bookId }, sessionsOf(entries, derived, stated), resets, undefined)
  })
}

const changeNear = async (db: WriteDb, userId: string, seeds: readonly Stretch[]): Promise<Change> => {
  const neighbourhoods = await withNeighbours(db, userId, seeds)
  const leftOff = new Map(
    neighbourhoods.flatMap((neighbourhood) => {
      const session = sessionLeftOff(neighbourhood, neighbourhood.seed.from)
      return session ? [[neighbourhood, session] as const] : []
    }),
  )
  const log = await selectLogWithin(
    db,
    userId,
    neighbourhoods.map((neighbourhood) => {
      const from = leftOff.get(neighbourhood)?.ended_at
      return from === undefined ? neighbourhood.stretch : { ...neighbourhood.stretch, from }
    }),
  )
  const gone: SessionRow[] = []
  const come: SessionRow[] = []
  for (const neighbourhood of neighbourhoods) {
    const part = log.get(neighbourhood.stretch.bookId) ?? emptyLogPart
    const session = leftOff.get(neighbourhood)
    const longer = session && longerBy(neighbourhood, session, part)
    const change = longer ?? (await putTogether(db, userId, neighbourhood, session ? undefined : part))
    gone.push(...change.gone)
    come.push(...change.come)
  }
  return { gone, come }
}

/** One session goes on. Undefined: more has changed than its end. */
const longerBy = (
  { seed, touching, before, hasLater }: Settled,
  session: SessionRow,
  { entries, completions, resets }: LogPart,
): Change | undefined => {
  if (completions.derived.size > 0 || completions.stated.length > 0) return undefined
  if (resets.some((at) => at >= session.started_at)) return undefined
  const others = touching.filter((each) => each !== session)
  const added = inOrder(entries.filter(({ startedAt }) => startedAt >= seed.from))
  const endingAt = Map.groupBy(entries, ({ at }) => at)
  const claims = session.claims === null ? [] : (JSON.parse(session.claims) as PageClaim[])
  let longer = session
  for (const entry of added) {
    if (sessionGoingOn({ touching: [...others, longer], hasLater }, entry) !== longer) return undefined
    const { pagesRead, page: toPage, pageCount, activeMs, at: ended_at } = entry
    if (pagesRead !== null) claims.push({ pagesRead, toPage, pageCount })
    longer = {
      ...longer,
      ended_at,
      measured_ms: activeMs === null ? longer.measured_ms : (longer.measured_ms ?? 0) + activeMs,
      inferred_ms: longer.inferred_ms + inferredUntil(longer, endingAt.get(longer.ended_at) ?? [], entry),
    }
  }
  if (longer === session) return undefined
  const earlier = latestOf(others)?.coverage ?? before
  const claimed = { endedAt: longer.ended_at, claims, finishes: false }
  const { progress, pages } = advance(progressFrom(earlier), resets, claimed)
  const row: SessionRow = {
    ...longer,
    claims: claims.length === 0 ? null : JSON.stringify(claims),
    pages,
    coverage: JSON.stringify(progress),
  }
  return { gone: [session], come: [row] }
}

/** It is built from all entries of a stretch. */
const putTogether = async (
  db: WriteDb,
  userId: string,
  { stretch, touching, before, hasLater }: Settled,
  logPart: LogPart | undefined,
): Promise<Change> => {
  const { bookId, to } = stretch
  const part = logPart ?? (await selectLogWithin(db, userId, [stretch])).get(bookId) ?? emptyLogPart
  const { entries, completions, resets } = part
  const pair = { userId, bookId }
  const rows = withPages(
    pair,
    sessionsOf(entries, completions.derived, completions.stated),
    resets,
    progressFrom(before),
  )
  if (!hasLater) return { gone: touching, come: rows }
  const reached = progressFrom(rows.at(-1)?.coverage ?? before)
  const later = await laterPages(db, pair, { resets, after: to, reached })
  return { gone: [...touching, ...later.gone], come: [...rows, ...later.come] }
}

const shifted = (at: string, ms: number): string => new Date(Math.max(0, Date.parse(at) + ms)).toISOString()

/** A stretch that nothing adjoins, with what is in it and around it. */
interface Settled {
  /** What it was asked about. */
  readonly seed: Stretch
  readonly stretch: Stretch
  readonly touching: readonly SessionRow[]
  /** It says which pages had been read when it began. */
  readonly before: string | null
  readonly hasLater: boolean
}

/** This much around a stretch is read at once: what adjoins it, what adjoins that, and so on, is mostly in it. */
const aroundMs = 4 * 60 * 60 * 1000

const wider = ({ bookId, from, to }: Stretch, ms: number): Stretch => ({
  bookId,
  from: shifted(from, -ms),
  to: shifted(to, ms),
})

/** Stretches together with all sessions that might adjoin what is in them, and those that might adjoin these. */
const withNeighbours = async (db: ReadDb, userId: string, seeds: readonly Stretch[]): Promise<Settled[]> => {
  const settled: Settled[] = []
  let open = seeds.map((seed) => ({ seed, from: seed }))
  while (open.length > 0) {
    const seen = open.map(({ from }) => wider(from, aroundMs))
    const neighbours = await selectNeighbours(db, userId, seen)
    const grown: typeof open = []
    for (const [index, { seed, from }] of open.entries()) {
      const around = neighbours.get(from.bookId)
      const stretch = around ? grownBy(from, around.touching) : from
      const reach = wider(stretch, adjoinMs)
      const limits = seen[index] ?? reach
      // Sessions beyond these limits were not read.
      if (reach.from < limits.from || reach.to > limits.to) grown.push({ seed, from: stretch })
      else settled.push(settledIn(seed, stretch, around))
    }
    open = grown
  }
  return settled
}

const isTouching = ({ started_at, ended_at }: SessionRow, { from, to }: Stretch): boolean =>
  ended_at >= from && started_at <= to

const grownBy = (stretch: Stretch, sessions: readonly SessionRow[]): Stretch => {
  let { from, to } = stretch
  for (;;) {
    const own = sessions.filter((each) => isTouching(each, wider({ ...stretch, from, to }, adjoinMs)))
    const first = own.reduce((least, { started_at }) => (started_at < least ? started_at : least), from)
    const last = own.reduce((most, { ended_at }) => (ended_at > most ? ended_at : most), to)
    if (first === from && last === to) return { ...stretch, from, to }
    from = first
    to = last
  }
}

const settledIn = (seed: Stretch, stretch: Stretch, around: Neighbours | undefined): Settled => {
  const { touching = [], before, hasLater = false } = around ?? {}
  const earlier = [...(before ? [before] : []), ...touching].filter(({ started_at }) => started_at < stretch.from)
  return {
    seed,
    stretch,
    touching: touching.filter((each) => isTouching(each, wider(stretch, adjoinMs))),
    before: latestOf(earlier)?.coverage ?? null,
    hasLater: hasLater || touching.some(({ started_at }) => started_at > stretch.to),
  }
}

const latestOf = (sessions: readonly SessionRow[]): SessionRow | undefined =>
  sessions.reduce<SessionRow | undefined>((latest, each) => {
    const isLater = !latest || each.started_at > latest.started_at
    return isLater || (each.started_at === latest.started_at && each.id > latest.id) ? each : latest
  }, undefined)

/** It says which pages are read, and since which reset. */
interface PageProgress extends Coverage {
  readonly since: string
}

const progressFrom = (text: string | null): PageProgress | undefined =>
  text === null ? undefined : (JSON.parse(text) as PageProgress)

const advance = (
  progress: PageProgress | undefined,
  resets: readonly string[],
  session: Pick<ReadingSession, 'endedAt' | 'claims' | 'finishes'>,
): { readonly progress: PageProgress; readonly pages: number | null } => {
  const since = resets.findLast((at) => at <= session.endedAt) ?? ''
  const covered = progress?.since === since ? progress : nothingCovered
  const { coverage, pages } = addCoverage(covered, session.claims, session.finishes)
  const { ranges, unplaced, isFinished } = coverage
  return { progress: { since, ranges, unplaced, isFinished }, pages }
}

const withPages = (
  { userId, bookId }: Pair,
  sessions: readonly ReadingSession[],
  resets: readonly string[],
  reached: PageProgress | undefined,
): SessionRow[] => {
  let progress = reached
  return sessions.map((session) => {
    const begins = flag(progress === undefined)
    const advanced = advance(progress, resets, session)
    progress = advanced.progress
    return {
      user_id: userId,
      id: session.id,
      book_id: bookId,
      series_id: session.about.seriesId,
      series_name: session.about.seriesName,
      format: session.about.format,
      device_id: session.deviceId,
      started_at: session.startedAt,
      ended_at: session.endedAt,
      is_session: flag(session.isSession),
      finishes: flag(session.finishes),
      begins,
      measured_ms: session.measuredMs,
      inferred_ms: session.inferredMs,
      claims: session.claims.length === 0 ? null : JSON.stringify(session.claims),
      pages: advanced.pages,
      coverage: JSON.stringify(advanced.progress),
      completions: session.completions,
    }
  })
}

const laterAtOnce = 100

/** Pages that were counted later may have been read before by now, or the other way round: until it makes no difference. */
const laterPages = async (
  db: ReadDb,
  pair: Pair,
  from: { readonly resets: readonly string[]; readonly after: string; readonly reached: PageProgress | undefined },
): Promise<Change> => {
  const gone: SessionRow[] = []
  const come: SessionRow[] = []
  let progress = from.reached
  let cursor = { startedAt: from.after, id: '~' }
  for (;;) {
    const rows = await selectSessionsAfter(db, pair, cursor, laterAtOnce)
    for (const row of rows) {
      const { claims, finishes, ended_at: endedAt } = row
      const claimed = {
        endedAt,
        claims: claims === null ? [] : (JSON.parse(claims) as PageClaim[]),
        finishes: finishes === 1,
      }
      const advanced = advance(progress, from.resets, claimed)
      const coverage = JSON.stringify(advanced.progress)
      const next = { ...row, begins: flag(progress === undefined), pages: advanced.pages, coverage }
      if (textOf(next) === textOf(row)) return { gone, come }
      gone.push(row)
      come.push(next)
      progress = advanced.progress
      cursor = { startedAt: row.started_at, id: row.id }
    }
    if (rows.length < laterAtOnce) return { gone, come }
  }
}
