import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { flag } from '../../../database/flag.ts'
import { enqueue } from '../../../tasks/queue.ts'
import type { Pair } from '../log/queries.ts'
import { applyChange, type Change, textOf } from './apply.ts'
import { type Coverage, cover, nothingCovered, type PageClaim } from './coverage.ts'
import {
  selectCompletionsWithin,
  selectCountedFacts,
  selectResets,
  selectSittingBefore,
  selectSittingsAfter,
  selectSittingsOfBooks,
  selectTouching,
  type SittingRow,
  type Stretch,
} from './queries.ts'
import { adjoinMs, type CountedFact, type Sitting, sittingsOf, type StatedCompletion } from './sittings.ts'
import { recountFigures } from './tasks.ts'

/** A book of which something has changed in its log or among its completions, and when that was. */
export interface Touched extends Stretch {
  readonly bookId: string
}

/**
 * Brings sittings and sums up to date, within the transaction of the change and while the user is locked: what happened
 * near it is put together again from the log, and nothing else.
 */
export const countAgain = async (
  db: WriteDb,
  userId: string,
  touched: readonly Touched[],
  now: Date,
): Promise<void> => {
  const changes: Change[] = []
  for (const { bookId, ...stretch } of touched) changes.push(await changeNear(db, { userId, bookId }, stretch))
  const zone = await applyChange(db, userId, {
    gone: changes.flatMap(({ gone }) => gone),
    come: changes.flatMap(({ come }) => come),
  })
  const hasMoved = zone && zone.kept !== null && zone.kept !== zone.own && zone.builtTo === null
  if (hasMoved) await enqueue(db, recountFigures, { userId }, { now })
}

/** All sittings of these books, from the whole of their logs. */
export const countBooksAgain = async (
  db: WriteDb,
  userId: string,
  books: readonly { readonly bookId: string; readonly completions?: Completions | undefined }[],
): Promise<void> => {
  const gone = await selectSittingsOfBooks(
    db,
    userId,
    books.map(({ bookId }) => bookId),
  )
  const come: SittingRow[] = []
  for (const { bookId, completions } of books) come.push(...(await sittingsOfBook(db, { userId, bookId }, completions)))
  await applyChange(db, userId, { gone, come })
}

export interface Completions {
  readonly found: ReadonlySet<string>
  readonly stated: readonly StatedCompletion[]
}

const always: Stretch = { from: '', to: '~' }

export const sittingsOfBook = async (db: ReadDb, pair: Pair, known?: Completions): Promise<SittingRow[]> => {
  const facts = await selectCountedFacts(db, pair)
  const { found, stated } = known ?? (await selectCompletionsWithin(db, pair, always))
  return withPages(pair, sittingsOf(facts, found, stated), resetsIn(facts), undefined)
}

const resetsIn = (facts: readonly CountedFact[]): string[] =>
  facts
    .filter(({ kind }) => kind === 'reset')
    .map(({ at }) => at)
    .sort()

const changeNear = async (db: WriteDb, pair: Pair, seed: Stretch): Promise<Change> => {
  const { stretch, touching } = await withNeighbours(db, pair, seed)
  const facts = await selectCountedFacts(db, pair, stretch)
  const { found, stated } = await selectCompletionsWithin(db, pair, stretch)
  const resets = await selectResets(db, pair)
  const before = await selectSittingBefore(db, pair, stretch.from)
  const come = withPages(pair, sittingsOf(facts, found, stated), resets, before && progressFrom(before.coverage))
  const last = come.at(-1)?.coverage ?? before?.coverage
  const later = await laterPages(db, pair, { resets, after: stretch.to, reached: last && progressFrom(last) })
  return { gone: [...touching, ...later.gone], come: [...come, ...later.come] }
}

const shifted = (at: string, ms: number): string => new Date(Math.max(0, Date.parse(at) + ms)).toISOString()

/** A stretch together with all sittings that might adjoin what is in it, and those that might adjoin them. */
const withNeighbours = async (
  db: ReadDb,
  pair: Pair,
  seed: Stretch,
): Promise<{ readonly stretch: Stretch; readonly touching: readonly SittingRow[] }> => {
  let stretch = seed
  for (;;) {
    const { from, to } = stretch
    const touching = await selectTouching(db, pair, { from: shifted(from, -adjoinMs), to: shifted(to, adjoinMs) })
    const next = {
      from: touching.reduce((least, { started_at }) => (started_at < least ? started_at : least), from),
      to: touching.reduce((most, { ended_at }) => (ended_at > most ? ended_at : most), to),
    }
    if (next.from === from && next.to === to) return { stretch, touching }
    stretch = next
  }
}

/** Which pages are read, and since which reset. */
interface PageProgress extends Coverage {
  readonly since: string
}

const progressFrom = (text: string): PageProgress => JSON.parse(text) as PageProgress

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
      const said = { endedAt, claims: claims === null ? [] : (JSON.parse(claims) as PageClaim[]), finishes: finishes === 1 }
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
