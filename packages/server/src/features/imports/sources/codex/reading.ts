import { type ForeignRecord, type Position, recordLimits, type SessionRecord } from '../../records.ts'
import { isObject, objectOf } from '../json-lists.ts'
import { atFraction, nowhere, onPage } from '../positions.ts'
import { begunAnew } from '../passes.ts'
import type { StoreRow } from '../sqlite.ts'
import { instantOf, numberOf, textOf, truthOf, wholeOf } from '../values.ts'
import { uuidOf } from './ids.ts'
import type { OpenStore } from './open-store.ts'
import { selectCompletions, selectProgress, selectRatings, selectSessions, selectWants } from './queries.ts'

const pagesMax = 10_000_000

/** What a Readium application sent: a locator, or a locator with who sent it and when. */
const locatorOf = (json: unknown): Readonly<Record<string, unknown>> | null => {
  const sent = objectOf(json)
  const locator = isObject(sent?.['locator']) ? sent['locator'] : sent
  return typeof locator?.['href'] === 'string' ? locator : null
}

const totalProgressionOf = (locator: Position['locator']): number | null => {
  const locations = locator?.['locations']
  return isObject(locations) ? numberOf(locations['totalProgression'], 0, 1) : null
}

/** The pages of an EPUB are a count of Codex's own, so that only how far one is means something elsewhere. */
const positionOf = (row: StoreRow): Position => {
  const locator = locatorOf(row['progression'])
  const page = wholeOf(row['page'], 0, pagesMax)
  const fraction = numberOf(row['fraction'], 0, 1) ?? totalProgressionOf(locator)
  if (textOf(row['format'])?.toLowerCase() !== 'epub') return { ...onPage(page === 0 ? 1 : page), fraction, locator }
  const pages = wholeOf(row['pages'], 1, pagesMax)
  const byPages = page === null || pages === null ? null : Math.min(1, page / pages)
  return { ...atFraction(fraction ?? byPages), locator }
}

const pagesOf = (row: StoreRow): number | null => wholeOf(row['pages'], 1, pagesMax)

export function* progressIn({ db, passed }: OpenStore): Generator<ForeignRecord> {
  for (const row of selectProgress(db)) {
    const [user, book] = [uuidOf(row['user']), uuidOf(row['book'])]
    const isCompleted = truthOf(row['isCompleted'])
    const position = positionOf(row)
    if (user === null || book === null || (!isCompleted && position.page === null && position.fraction === null)) {
      passed.add('progress of nobody, in nothing, or on no page', 'invalid', uuidOf(row['id']))
      continue
    }
    const completedAt = isCompleted ? instantOf(row['completedAt']) : null
    const at = instantOf(row['lastReadAt']) ?? completedAt ?? instantOf(row['updatedAt'])
    const startedAt = instantOf(row['startedAt'])
    yield { type: 'progress', user, book, position, pages: pagesOf(row), isCompleted, startedAt, at, completedAt }
  }
}

const kinds: ReadonlySet<string> = new Set(['progress', 'completed', 'reset'] satisfies SessionRecord['kind'][])
const isKind = (text: string | null): text is SessionRecord['kind'] => text !== null && kinds.has(text)

export function* sessionsIn({ db, passed }: OpenStore): Generator<ForeignRecord> {
  for (const row of selectSessions(db)) {
    const [id, user, book] = [uuidOf(row['id']), uuidOf(row['user']), uuidOf(row['book'])]
    const kind = textOf(row['kind'])
    const at = instantOf(row['endedAt'])
    if (id === null || user === null || book === null || at === null || !isKind(kind)) {
      passed.add('reading sessions of nobody, in nothing, of no kind or without a time', 'invalid', id)
      continue
    }
    const isMeasured = textOf(row['durationSource']) === 'measured'
    yield {
      type: 'session',
      id,
      user,
      book,
      kind,
      position: kind === 'reset' ? nowhere : positionOf(row),
      pages: pagesOf(row),
      startedAt: instantOf(row['startedAt']),
      at,
      activeMs: isMeasured ? wholeOf(row['activeMs'], 0, 366 * 86_400_000) : null,
      pagesRead: wholeOf(row['pagesRead'], 0, pagesMax),
      device: textOf(row['device']),
    }
  }
}

export function* completionsIn({ db, passed }: OpenStore): Generator<ForeignRecord> {
  for (const row of selectCompletions(db)) {
    const [id, user, book] = [uuidOf(row['id']), uuidOf(row['user']), uuidOf(row['book'])]
    const at = instantOf(row['completedAt'])
    if (id === null || user === null || book === null || at === null)
      passed.add('books finished by nobody, or at no time', 'invalid', id)
    else {
      const finishedBefore = instantOf(row['finishedBefore'])
      if (finishedBefore !== null && finishedBefore < at) yield begunAnew({ id, user, book }, finishedBefore)
      yield { type: 'completion', id, user, book, startedAt: instantOf(row['startedAt']), at }
    }
  }
}

export function* ratingsIn({ db, passed }: OpenStore): Generator<ForeignRecord> {
  for (const row of selectRatings(db)) {
    const [user, series] = [uuidOf(row['user']), uuidOf(row['series'])]
    const rating = wholeOf(row['rating'], 1, 100)
    const review = textOf(row['review'], recordLimits.prose)
    if (user === null || series === null || (rating === null && review === null))
      passed.add('ratings of nobody, of nothing, or that say nothing', 'invalid', review)
    else yield { type: 'rating', user, of: { series }, rating, review, at: instantOf(row['updatedAt']) }
  }
}

export function* wantsIn({ db, passed }: OpenStore): Generator<ForeignRecord> {
  for (const row of selectWants(db)) {
    const [user, series, book] = [uuidOf(row['user']), uuidOf(row['series']), uuidOf(row['book'])]
    const of = series === null ? (book === null ? undefined : { book }) : { series }
    if (user === null || of === undefined) passed.add('wishes to read of nobody or for nothing', 'invalid')
    else {
      const position = wholeOf(row['position'], 0, Number.MAX_SAFE_INTEGER)
      yield { type: 'want', user, of, position, at: instantOf(row['addedAt']) }
    }
  }
}
