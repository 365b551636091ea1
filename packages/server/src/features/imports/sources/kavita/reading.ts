import type { ForeignRecord, Position } from '../../records.ts'
import { objectOf } from '../json-lists.ts'
import { begunAnew } from '../passes.ts'
import { atSpineItem, nowhere, onPage } from '../positions.ts'
import type { StoreRow } from '../sqlite.ts'
import { idText, instantOf, textOf, truthOf, wholeOf } from '../values.ts'
import { bookAt, booksOf, type OpenStore } from './open-store.ts'
import { selectProgress, selectSessions } from './queries.ts'

const pagesMax = 10_000_000
const pageOf = (value: unknown): number | null => wholeOf(value, 0, pagesMax)

/** `MangaFile.Format` of an EPUB, whose pages are the items of its spine. */
const epub = 3

/** The place on a page counted from 0. */
export const positionOf = (row: StoreRow, page: number): Position =>
  row['format'] === epub ? atSpineItem(page, pageOf(row['pages'])) : onPage(page + 1)

export const pointsNowhere = (row: StoreRow): boolean => row['user'] === null || row['chapter'] === null

/**
 * `PagesRead` is how many pages are left behind, so the page on the screen counted from 0. All of them is the end. None of them is either the
 * first page or "marked as unread", and Kavita shows both as unread.
 */
export function* progressIn(store: OpenStore): Generator<ForeignRecord> {
  for (const row of selectProgress(store.db)) {
    const pagesRead = pageOf(row['pagesRead'])
    if (pointsNowhere(row) || pagesRead === null) {
      store.passed.add('progress of nobody, in nothing, or on no page', 'invalid', idText(row['id']))
      continue
    }
    yield* earlierReadings(store, row, pagesRead)
    if (pagesRead === 0) yield* unread(store, row)
    else yield* progressOf(store, row, pagesRead)
  }
}

/** Where something is known of earlier, that no longer counts as a position. */
function* unread(store: OpenStore, row: StoreRow): Generator<ForeignRecord> {
  const times = [row['lastSessionAt'], row['modifiedAt']].flatMap((each) => instantOf(each) ?? [])
  const last = times.toSorted().at(-1)
  const isKnownOf = row['lastSessionAt'] !== null || (wholeOf(row['totalReads'], 1, pagesMax) ?? 0) > 0
  if (last === undefined || !isKnownOf) {
    store.passed.add('books that are marked as unread', 'no_such_thing')
    return
  }
  // The session in which it happened ends at the very time.
  const at = new Date(Date.parse(last) + 1).toISOString()
  for (const book of booksOf(store, row['chapter']))
    yield {
      type: 'session',
      id: `unread ${idText(row['id'])} ${book}`,
      user: idText(row['user']),
      book,
      kind: 'reset',
      position: nowhere,
      pages: null,
      startedAt: null,
      at,
      activeMs: null,
      pagesRead: null,
      device: null,
    }
}

const isFinished = (row: StoreRow, pagesRead: number): boolean => {
  const pages = pageOf(row['pages'])
  return pages !== null && pages > 0 && pagesRead >= pages
}

interface State {
  readonly book: string
  readonly position: Position
  readonly pages: number | null
  readonly isCompleted: boolean
}

function* progressOf(store: OpenStore, row: StoreRow, pagesRead: number): Generator<ForeignRecord> {
  const startedAt = instantOf(row['createdAt'])
  const at = instantOf(row['modifiedAt'])
  const user = idText(row['user'])
  for (const state of statesOf(store, row, pagesRead)) {
    const { isCompleted, ...reading } = state
    yield { type: 'progress', user, ...reading, isCompleted, startedAt, at, completedAt: isCompleted ? at : null }
    if (at !== null && isUntoldBySessions(row, at, isCompleted))
      yield {
        type: 'session',
        id: `state ${idText(row['id'])}`,
        user,
        ...reading,
        kind: isCompleted ? 'completed' : 'progress',
        startedAt: null,
        at,
        activeMs: null,
        pagesRead: null,
        device: null,
      }
  }
}

/** What a log tells of a book is not asked of its state. Sessions are younger than progress there, and can have ended before it. */
const isUntoldBySessions = (row: StoreRow, at: string, isCompleted: boolean): boolean => {
  const lastSessionAt = instantOf(row['lastSessionAt'])
  if (lastSessionAt === null) return false
  return lastSessionAt < at || (isCompleted && (wholeOf(row['knownReads'], 0, pagesMax) ?? 0) === 0)
}

function* statesOf(store: OpenStore, row: StoreRow, pagesRead: number): Generator<State> {
  const isAll = isFinished(row, pagesRead)
  const parts = store.parts.get(idText(row['chapter']))
  if (parts === undefined) {
    const position = isAll ? nowhere : positionOf(row, pagesRead)
    yield { book: idText(row['chapter']), position, pages: wholeOf(row['pages'], 1, pagesMax), isCompleted: isAll }
    return
  }
  const open = bookAt(store, row['chapter'], pagesRead)
  for (const { book, pages } of parts) {
    if (!isAll && book === open.book) {
      yield { book, position: onPage(open.page + 1), pages, isCompleted: false }
      return
    }
    yield { book, position: nowhere, pages, isCompleted: true }
  }
}

/**
 * `TotalReads` counts how often a book was finished, also when it is being read again. The sessions say when, where there are any; of
 * the others Kavita has kept no date. One of them is dated to when the book was first opened, for else it would no longer be known to have been
 * read; the rest are counted.
 */
function* earlierReadings(store: OpenStore, row: StoreRow, pagesRead: number): Generator<ForeignRecord> {
  const readCount = Math.max(wholeOf(row['knownReads'], 0, pagesMax) ?? 0, isFinished(row, pagesRead) ? 1 : 0)
  const undated = (wholeOf(row['totalReads'], 0, pagesMax) ?? 0) - readCount
  if (undated <= 0) return
  const at = instantOf(row['createdAt']) ?? instantOf(row['modifiedAt'])
  const isToldHere = readCount === 0 && at !== null
  if (isToldHere)
    for (const book of booksOf(store, row['chapter']))
      yield {
        type: 'completion',
        id: `progress ${idText(row['id'])} ${book}`,
        user: idText(row['user']),
        book,
        startedAt: null,
        at,
      }
  if (undated > 1 || !isToldHere)
    store.passed.add('books read several times, of which not every date is known', 'not_in_store')
}

/** `EndPage` counts as `PagesRead` does. */
export function* sessionsIn(store: OpenStore): Generator<ForeignRecord> {
  for (const row of selectSessions(store.db)) {
    const endPage = pageOf(row['endPage'])
    const startedAt = instantOf(row['startedAt'])
    const at = instantOf(row['endedAt']) ?? startedAt
    if (pointsNowhere(row) || endPage === null || at === null) {
      store.passed.add('reading sessions of nobody, in nothing, or without a time', 'invalid', idText(row['id']))
      continue
    }
    const pages = wholeOf(row['totalPages'], 1, pagesMax)
    const isEnd = pages !== null && endPage >= pages
    const { book, page } = bookAt(store, row['chapter'], isEnd ? endPage - 1 : endPage)
    const one = { id: idText(row['id']), user: idText(row['user']), book, at }
    if (truthOf(row['isGenerated'])) {
      // "Mark as read" leaves such a session behind: the book was finished, but nobody read in that time.
      if (isEnd) yield { type: 'completion', ...one, startedAt: null }
      else store.passed.add('reading sessions that Kavita has made up', 'not_a_persons_word', one.id)
      continue
    }
    const pagesRead = wholeOf(row['pagesRead'], 0, pagesMax)
    const finishedBefore = instantOf(row['finishedBefore'])
    // Who looks at the last page once more has not read it again; who has read most of it in one sitting has.
    if (isEnd && finishedBefore !== null && (pagesRead ?? 0) * 2 >= pages) yield begunAnew(one, finishedBefore)
    yield {
      type: 'session',
      ...one,
      kind: isEnd ? 'completed' : 'progress',
      position: isEnd ? nowhere : positionOf(row, page),
      pages,
      startedAt,
      activeMs: null,
      pagesRead,
      device: deviceOf(row),
    }
  }
}

const deviceOf = (row: StoreRow): string | null => {
  const named = textOf(row['device'])
  const client = named === null ? objectOf(row['clientInfo']) : undefined
  const words = client === undefined ? [] : ['Browser', 'Platform'].flatMap((key) => textOf(client[key], 100) ?? [])
  return named ?? (words.length === 0 ? null : words.join(', '))
}
