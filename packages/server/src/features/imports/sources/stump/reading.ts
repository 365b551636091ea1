import { type ForeignRecord, type Position, recordLimits } from '../../records.ts'
import { atCfi, nowhere } from '../positions.ts'
import { begunAnew } from '../passes.ts'
import type { StoreRow } from '../sqlite.ts'
import { instantOf, numberOf, textOf, truthOf, wholeOf } from '../values.ts'
import type { OpenStore } from './open-store.ts'
import {
  selectAnnotations,
  selectBookmarks,
  selectFinished,
  selectProgress,
  selectReadingLists,
  selectReviews,
} from './queries.ts'

const pagesMax = 10_000_000
const secondsMax = 366 * 86_400

const millisecondsOf = (seconds: unknown): number | null => {
  const wholeSeconds = wholeOf(seconds, 1, secondsMax)
  return wholeSeconds === null ? null : wholeSeconds * 1000
}

const positionOf = (row: StoreRow): Position => ({
  ...atCfi(textOf(row['cfi']), numberOf(row['fraction'], 0, 1)),
  page: wholeOf(row['page'], 1, pagesMax),
})

const isNowhere = ({ page, fraction, locator }: Position): boolean =>
  page === null && fraction === null && locator === null

const ids = (row: StoreRow): { user: string; book: string } | undefined => {
  const [user, book] = [textOf(row['user']), textOf(row['book'])]
  return user === null || book === null || !truthOf(row['isThere']) ? undefined : { user, book }
}

/** What is being read: a row per user and book, which goes when the book is finished. */
export function* progressIn({ db, passed }: OpenStore): Generator<ForeignRecord> {
  for (const row of selectProgress(db)) {
    const of = ids(row)
    const position = positionOf(row)
    if (of === undefined || isNowhere(position)) {
      passed.add('progress of nobody, in nothing, or on no page', 'invalid', textOf(row['id']))
      continue
    }
    const [at, startedAt] = [timeOf(row), instantOf(row['startedAt'])]
    const pages = wholeOf(row['pages'], 1, pagesMax)
    yield { type: 'progress', ...of, position, pages, isCompleted: false, startedAt, at, completedAt: null }
    // A book that was finished before has a log already, and what a log tells is not asked of a state: the log tells this too.
    if (at !== null)
      yield {
        type: 'session',
        id: `active ${textOf(row['id'])}`,
        ...of,
        kind: 'progress',
        position,
        pages,
        startedAt,
        at,
        activeMs: millisecondsOf(row['seconds']),
        pagesRead: null,
        device: textOf(row['device']),
      }
  }
}

/** What is being read was begun after the book was finished last, though both may be written at the very time. */
const timeOf = (row: StoreRow): string | null => {
  const [at, finishedAt] = [instantOf(row['updatedAt']), instantOf(row['finishedAt'])]
  return at === null || finishedAt === null || finishedAt < at ? at : new Date(Date.parse(finishedAt) + 1).toISOString()
}

export function* finishedIn({ db, passed }: OpenStore): Generator<ForeignRecord> {
  for (const row of selectFinished(db)) {
    const [id, of] = [textOf(row['id']), ids(row)]
    const at = instantOf(row['completedAt'])
    if (of === undefined || id === null || at === null) {
      passed.add('books finished by nobody, or at no time', 'invalid', id)
      continue
    }
    const finishedBefore = instantOf(row['finishedBefore'])
    // Each row is a reading of its own: what is being read has another table.
    if (finishedBefore !== null && isAnotherTime(finishedBefore, at)) yield begunAnew({ id, ...of }, finishedBefore)
    yield {
      type: 'session',
      id,
      ...of,
      kind: 'completed',
      position: nowhere,
      pages: wholeOf(row['pages'], 1, pagesMax),
      startedAt: instantOf(row['startedAt']),
      at,
      activeMs: millisecondsOf(row['seconds']),
      pagesRead: null,
      device: textOf(row['device']),
    }
  }
}

/** Two applications that tell of the same end do it within moments. */
const isAnotherTime = (before: string, at: string): boolean => Date.parse(at) - Date.parse(before) >= 60_000

const stars = 5

export function* reviewsIn({ db, passed }: OpenStore): Generator<ForeignRecord> {
  for (const row of selectReviews(db)) {
    const of = ids(row)
    const rating = wholeOf(row['rating'], 1, stars)
    const review = textOf(row['review'], recordLimits.prose)
    if (of === undefined || (rating === null && review === null)) {
      passed.add('reviews of nobody, of nothing, or that say nothing', 'invalid', review)
      continue
    }
    if (review !== null && !truthOf(row['isPrivate']))
      passed.add('reviews shown to others, which become notes', 'no_such_thing')
    yield {
      type: 'rating',
      user: of.user,
      of: { book: of.book },
      rating: rating === null ? null : (rating * 100) / stars,
      review,
      at: null,
    }
  }
}

export function* bookmarksIn({ db, passed }: OpenStore): Generator<ForeignRecord> {
  for (const row of selectBookmarks(db)) {
    const [of, position] = [ids(row), positionOf(row)]
    if (of === undefined || isNowhere(position)) passed.add('bookmarks of nobody, in nothing, or on no page', 'invalid')
    else yield { type: 'bookmark', ...of, position, note: textOf(row['note'], recordLimits.prose), at: null }
  }
}

export function* annotationsIn({ db, passed }: OpenStore): Generator<ForeignRecord> {
  for (const row of selectAnnotations(db)) {
    const of = ids(row)
    const [quote, note] = [textOf(row['quote'], recordLimits.prose), textOf(row['note'], recordLimits.prose)]
    if (of === undefined || (quote === null && note === null))
      passed.add('annotations of nobody, in nothing, or of nothing', 'invalid', quote)
    else
      yield { type: 'annotation', ...of, position: positionOf(row), quote: quote ?? '', note, colour: null, at: null }
  }
}

export function* readListsIn(store: OpenStore): Generator<ForeignRecord> {
  let row: StoreRow | undefined
  let books = new Set<string>()
  let tooMany = 0
  for (const next of selectReadingLists(store.db)) {
    if (row?.['list'] !== next['list']) {
      if (row !== undefined) yield* readListOf(store, row, books)
      row = next
      books = new Set()
    }
    const member = textOf(next['member'])
    if (member === null) continue
    if (books.size < recordLimits.members) books.add(member)
    else tooMany += 1
  }
  if (row !== undefined) yield* readListOf(store, row, books)
  if (tooMany > 0)
    yield {
      type: 'passedOver',
      what: `members of lists beyond ${recordLimits.members}`,
      reason: 'too_much',
      count: tooMany,
    }
}

function* readListOf({ passed }: OpenStore, row: StoreRow, books: ReadonlySet<string>): Generator<ForeignRecord> {
  const [id, owner, name] = [textOf(row['id']), textOf(row['owner']), textOf(row['name'])]
  if (id === null || owner === null || name === null) {
    passed.add('reading lists of nobody, or without a name', 'invalid', name)
    return
  }
  yield {
    type: 'readList',
    id,
    name,
    summary: textOf(row['summary'], recordLimits.prose),
    isOrdered: true,
    owner,
    isShared: textOf(row['visibility']) !== 'PRIVATE',
    books: [...books],
  }
}
