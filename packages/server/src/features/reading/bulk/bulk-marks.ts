import type { BooksMarked, StandingBefore } from '@carrel/api'
import type { Database, WriteDb } from '../../../database/database.ts'
import { notFound } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import { type NewLogEntry, record } from '../log/record.ts'
import { beginning, ending, type Reader, standingAgain } from '../progress/progress.ts'
import { selectReadBooks } from '../queries.ts'
import { selectIdsUpTo, selectPointsById, selectStandings } from './queries.ts'

/** Books in one transaction: others wait for it. */
const booksAtOnce = 200

/** A second run, also after an interruption, does what is left. */
export const markBooks = async (
  db: Database,
  reader: Reader,
  bookIds: readonly string[],
  as: 'read' | 'unread',
): Promise<BooksMarked> => {
  const before: StandingBefore[] = []
  for (const ids of inParts(bookIds.map((id) => id.toLowerCase()))) {
    before.push(...(await db.write((db) => markSome(db, reader, ids, as))))
  }
  return { count: before.length, before }
}

/** Whoever comes from elsewhere says once where they are. */
export const markReadUpTo = async (db: Database, reader: Reader, bookId: string): Promise<BooksMarked> => {
  const ids = await selectIdsUpTo(db.read, reader.viewer, bookId)
  if (ids.length === 0) throw notFound('book')
  return markBooks(db, reader, ids, 'read')
}

const markSome = async (
  db: WriteDb,
  reader: Reader,
  ids: readonly string[],
  as: 'read' | 'unread',
): Promise<StandingBefore[]> => {
  const { viewer } = reader
  const books = await selectReadBooks(db, viewer, ids)
  const standings = await selectStandings(db, viewer.userId, ids)
  const changing = [...books.values()].filter(({ id }) =>
    as === 'read' ? standings.get(id)?.isRead !== true : standings.has(id),
  )
  const saying = as === 'read' ? ending : beginning
  await recordEntries(
    db,
    reader,
    changing.map((book) => saying(reader, book)),
  )
  return changing.map(({ id }) => ({ bookId: id, historyId: standings.get(id)?.historyId ?? null }))
}

/** Books that are gone, and points without a position, are left out: the others are restored all the same. */
export const restoreBooks = async (
  db: Database,
  reader: Reader,
  points: readonly StandingBefore[],
): Promise<undefined> => {
  for (const some of inParts(points)) await db.write((db) => restoreSome(db, reader, some))
  return undefined
}

const restoreSome = async (db: WriteDb, reader: Reader, points: readonly StandingBefore[]): Promise<void> => {
  const { viewer } = reader
  const historyIdOf = new Map(
    points.map(({ bookId, historyId }) => [bookId.toLowerCase(), historyId?.toLowerCase() ?? null]),
  )
  const books = await selectReadBooks(db, viewer, [...historyIdOf.keys()])
  const historyIds = [...historyIdOf.values()].filter((id) => id !== null)
  const rows = historyIds.length === 0 ? [] : await selectPointsById(db, viewer.userId, historyIds)
  const pointOf = new Map(rows.map((row) => [row.id, row]))
  const entries = [...books.values()].flatMap((book) => {
    const historyId = historyIdOf.get(book.id)
    if (historyId === null) return [beginning(reader, book)]
    const point = historyId === undefined ? undefined : pointOf.get(historyId)
    return point?.book_id === book.id ? (standingAgain(reader, book, point) ?? []) : []
  })
  await recordEntries(db, reader, entries)
}

const recordEntries = async (
  db: WriteDb,
  { viewer, now }: Reader,
  entries: readonly Omit<NewLogEntry, 'id'>[],
): Promise<void> => {
  if (entries.length === 0) return
  const named = entries.map((entry) => ({ ...entry, id: newId(now.getTime()) }))
  await record(db, viewer.userId, named, { now })
}

const inParts = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / booksAtOnce) }, (_, part) =>
    items.slice(part * booksAtOnce, (part + 1) * booksAtOnce),
  )
