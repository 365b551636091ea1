import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { flag } from '../../../database/flag.ts'
import { enqueue } from '../../../tasks/queue.ts'
import type { Pair } from '../log/queries.ts'
import { applyChange, type Change, textOf } from './apply.ts'
import { type Coverage, cover, nothingCovered, type PageClaim } from './coverage.ts'
import {
  type Completions,
  selectAround,
  selectCompletionsWithin,
  selectCountedFacts,
  selectResets,
  selectSittingsAfter,
  selectSittingsOfBooks,
  selectTouching,
  type SittingRow,
  type Stretch,
} from './queries.ts'
import { adjoinMs, type CountedFact, type Sitting, sittingsOf } from './sittings.ts'
import { recountFigures } from './tasks.ts'

export type { Stretch } from './queries.ts'

/** More in one statement make it no faster. */
const booksAtOnce = 100

/**
 * Brings sittings and sums up to date, within the transaction of the change and while the user is locked: what happened
 * near to what has changed is put together again from the log, and nothing else. One stretch for each book.
 */
export const countAgain = async (
  db: WriteDb,
  userId: string,
  touched: readonly Stretch[],
  now: Date,
): Promise<void> => {
  const changes: Change[] = []
  for (let from = 0; from < touched.length; from += booksAtOnce)
    changes.push(await changeNear(db, userId, touched.slice(from, from + booksAtOnce)))
  const zone = await applyChange(db, userId, {
    gone: changes.flatMap(({ gone }) => gone),
    come: changes.flatMap(({ come }) => come),
  })
  const hasMoved = zone && zone.kept !== null && zone.kept !== zone.own && zone.builtTo === null
  if (hasMoved) await enqueue(db, recountFigures, { userId }, { now })
}

/** All sittings of these books, from the whole of their logs. `known`: completions of those that are gone. */
export const countBooksAgain = async (
  db: WriteDb,
  userId: string,
  bookIds: readonly string[],
  known: ReadonlyMap<string, Completions>,
): Promise<void> => {
  const gone = await selectSittingsOfBooks(db, userId, bookIds)
  const come = await sittingsOfBooks(db, userId, bookIds, known)
  await applyChange(db, userId, { gone, come })
}

const nothingCompleted: Completions = { found: new Set(), stated: [] }

export const sittingsOfBooks = async (
  db: ReadDb,
  userId: string,
  bookIds: readonly string[],
  known: ReadonlyMap<string, Completions>,
): Promise<SittingRow[]> => {
  const always = bookIds.map((bookId) => ({ bookId, from: '', to: '~' }))
  const facts = await selectCountedFacts(db, userId, always)
  const completions = await selectCompletionsWithin(db, userId, always)
  return bookIds.flatMap((bookId) => {
    const own = facts.get(bookId) ?? []
    const { found, stated } = known.get(bookId) ?? completions.get(bookId) ?? nothingCompleted
    return withPages({ userId, bookId }, sittingsOf(own, found, stated), resetsIn(own), undefined)
  })
}

const resetsIn = (facts: readonly CountedFact[]): string[] =>
  facts
    .filter(({ kind }) => kind === 'reset')
    .map(({ at }) => at)
    .sort()

const changeNear = async (db: WriteDb, userId: string, seeds: readonly Stretch[]): Promise<Change> => {
  const { stretches, touching } = await withNeighbours(db, userId, seeds)
  const facts = await selectCountedFacts(db, userId, stretches)
  const completions = await selectCompletionsWithin(db, userId, stretches)
  const resets = await selectResets(
    db,
    userId,
    stretches.map(({ bookId }) => bookId),
  )
  const around = await selectAround(db, userId, stretches)
  const gone: SittingRow[] = [...touching]
  const come: SittingRow[] = []
  for (const { bookId, to } of stretches) {
    const pair = { userId, bookId }
    const { before = null, isLast = true } = around.get(bookId) ?? {}
    const { found, stated } = completions.get(bookId) ?? nothingCompleted
    const own = resets.get(bookId) ?? []
    const rows = withPages(pair, sittingsOf(facts.get(bookId) ?? [], found, stated), own, progressFrom(before))
    come.push(...rows)
    if (isLast) continue
    const reached = progressFrom(rows.at(-1)?.coverage ?? before)
    const later = await laterPages(db, pair, { resets: own, after: to, reached })
    gone.push(...later.gone)
    come.push(...later.come)
  }
  return { gone, come }
}

const shifted = (at: string, ms: number): string => new Date(Math.max(0, Date.parse(at) + ms)).toISOString()

/** Stretches together with all sittings that might adjoin what is in them, and those that might adjoin these. */
const withNeighbours = async (
  db: ReadDb,
  userId: string,
  seeds: readonly Stretch[],
): Promise<{ readonly stretches: readonly Stretch[]; readonly touching: readonly SittingRow[] }> => {
  const settled: Stretch[] = []
  const touching: SittingRow[] = []
  let open = seeds
  while (open.length > 0) {
    const wider = open.map(({ bookId, from, to }) => ({
      bookId,
      from: shifted(from, -adjoinMs),
      to: shifted(to, adjoinMs),
    }))
    const found = Map.groupBy(await selectTouching(db, userId, wider), ({ book_id }) => book_id)
    const grown: Stretch[] = []
    for (const stretch of open) {
      const own = found.get(stretch.bookId) ?? []
      const next = {
        bookId: stretch.bookId,
        from: own.reduce((least, { started_at }) => (started_at < least ? started_at : least), stretch.from),
        to: own.reduce((most, { ended_at }) => (ended_at > most ? ended_at : most), stretch.to),
      }
      if (next.from !== stretch.from || next.to !== stretch.to) grown.push(next)
      else {
        settled.push(stretch)
        touching.push(...own)
      }
    }
    open = grown
  }
  return { stretches: settled, touching }
}

/** Which pages are read, and since which reset. */
interface PageProgress extends Coverage {
  readonly since: string
}

const progressFrom = (text: string | null): PageProgress | undefined =>
  text === null ? undefined : (JSON.parse(text) as PageProgress)

const advance = (
  progress: PageProgress | undefined,
  resets: readonly string[],
  sitting: Pick<Sitting, 'endedAt' | 'claims' | 'finishes'>,
): { readonly progress: PageProgress; readonly pages: number | null } => {
  const since = resets.findLast((at) => at <= sitting.endedAt) ?? ''
  const known = progress?.since === since ? progress : nothingCovered
  const { coverage, pages } = cover(known, sitting.claims, sitting.finishes)
  const { ranges, unplaced, isFinished } = coverage
  return { progress: { since, ranges, unplaced, isFinished }, pages }
}

const withPages = (
  { userId, bookId }: Pair,
  sittings: readonly Sitting[],
  resets: readonly string[],
  reached: PageProgress | undefined,
): SittingRow[] => {
  let progress = reached
  return sittings.map((sitting) => {
    const advanced = advance(progress, resets, sitting)
    progress = advanced.progress
    return {
      user_id: userId,
      id: sitting.id,
      book_id: bookId,
      series_id: sitting.about.seriesId,
      series_name: sitting.about.seriesName,
      format: sitting.about.format,
      device_id: sitting.deviceId,
      started_at: sitting.startedAt,
      ended_at: sitting.endedAt,
      is_sitting: flag(sitting.isSitting),
      finishes: flag(sitting.finishes),
      measured_ms: sitting.measuredMs,
      inferred_ms: sitting.inferredMs,
      claims: sitting.claims.length === 0 ? null : JSON.stringify(sitting.claims),
      pages: advanced.pages,
      coverage: JSON.stringify(advanced.progress),
      completions: sitting.completions,
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
  const gone: SittingRow[] = []
  const come: SittingRow[] = []
  let progress = from.reached
  let place = { startedAt: from.after, id: '~' }
  for (;;) {
    const rows = await selectSittingsAfter(db, pair, place, laterAtOnce)
    for (const row of rows) {
      const { claims, finishes, ended_at: endedAt } = row
      const said = {
        endedAt,
        claims: claims === null ? [] : (JSON.parse(claims) as PageClaim[]),
        finishes: finishes === 1,
      }
      const advanced = advance(progress, from.resets, said)
      const next = { ...row, pages: advanced.pages, coverage: JSON.stringify(advanced.progress) }
      if (textOf(next) === textOf(row)) return { gone, come }
      gone.push(row)
      come.push(next)
      progress = advanced.progress
      place = { startedAt: row.started_at, id: row.id }
    }
    if (rows.length < laterAtOnce) return { gone, come }
  }
}
