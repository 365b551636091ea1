import type { ListAnswer, ProgressPoint, ProgressUpdate, ReadProgress } from '@carrel/api'
import type { Database, ReadDb, WriteDb } from '../../../database/database.ts'
import { lockUser } from '../../../database/lock-user.ts'
import type { NamedWrite } from '../../../database/named-write.ts'
import { AppError, invalid, notFound } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import type { Paging } from '../../../platform/paging.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import type { ReadBook } from '../book.ts'
import type { ReadingDevice } from '../device.ts'
import { type LogPosition, progressRow } from '../log/queries.ts'
import { type NewLogEntry, type Outcome, record } from '../log/record.ts'
import { heldAmong } from '../log/verdicts.ts'
import { shownIn } from './position.ts'
import {
  countPoints,
  countProgress,
  selectPoint,
  selectPoints,
  selectProgress,
  selectProgressOf,
  selectBookToReadOn,
  selectReadBooks,
  toProgress,
} from '../queries.ts'

/** It says who reads, with what, and when. */
export interface Reader {
  readonly viewer: Viewer
  readonly device: ReadingDevice
  readonly now: Date
  /** The protocol it comes by, where that is another than ours. */
  readonly source?: 'compatibility'
}

/** A book that the viewer does not see does not exist for them (HTTP-3). */
export const requireReadBook = async (db: ReadDb, viewer: Viewer, id: string): Promise<ReadBook> => {
  const book = (await selectReadBooks(db, viewer, [id])).get(id)
  if (!book) throw notFound('book')
  return book
}

export const readProgress = async (db: ReadDb, viewer: Viewer, id: string): Promise<ReadProgress | undefined> => {
  await requireReadBook(db, viewer, id)
  return (await selectProgressOf(db, viewer.userId, [id])).get(id)
}

export const listProgress = async (
  db: ReadDb,
  viewer: Viewer,
  completed: boolean | undefined,
  paging: Paging,
): Promise<ListAnswer<ReadProgress>> => {
  const total = await countProgress(db, viewer, completed)
  return { total, data: paging.offset < total ? await selectProgress(db, viewer, completed, paging) : [] }
}

interface ProgressToSave {
  readonly reader: Reader
  readonly bookId: string
  readonly update: Omit<ProgressUpdate, 'at'>
  readonly time: NewLogEntry['time']
  /** Ids are made where all others are, so that they sort in the order of the requests. */
  readonly ids: { readonly reset: string; readonly position: string }
}

export const savedProgress: NamedWrite<ProgressToSave, ReadProgress | undefined> = {
  name: 'reading progress',
  lockedUser: ({ reader }) => reader.viewer.userId,
  work: (db, { reader, bookId, update, time, ids }) =>
    addIn(db, reader, bookId, (book) => {
      const { currentPage, progressPercentage, completed, reset } = update
      const position: NewLogEntry = {
        ...originOf(reader, book),
        id: ids.position,
        kind: completed === true ? 'completed' : 'progress',
        page: currentPage,
        percentage: progressPercentage ?? null,
        finishes: completed,
        time,
      }
      return reset ? [{ ...beginning(reader, book), id: ids.reset, time }, position] : [position]
    }),
}

export const saveProgress = (
  db: Database,
  reader: Reader,
  bookId: string,
  { at, ...update }: ProgressUpdate,
): Promise<ReadProgress | undefined> => {
  const time = at === undefined ? null : momentOf(at, '/at')
  const now = reader.now.getTime()
  const ids = { reset: newId(now), position: newId(now) }
  return db.writeNamed(savedProgress, { reader, bookId, update, time, ids })
}

interface SaidOfBook {
  readonly reader: Reader
  readonly bookId: string
  readonly as: 'read' | 'unread'
  readonly id: string
}

export const markedBook: NamedWrite<SaidOfBook, ReadProgress | undefined> = {
  name: 'book read or unread',
  lockedUser: ({ reader }) => reader.viewer.userId,
  work: (db, { reader, bookId, as, id }) =>
    addIn(db, reader, bookId, (book) => [{ ...(as === 'read' ? ending : beginning)(reader, book), id }]),
}

/** Forgetting where one is, and marking as unread: the same. */
export const resetProgress = async (db: Database, reader: Reader, bookId: string): Promise<undefined> => {
  await db.writeNamed(markedBook, { reader, bookId, as: 'unread', id: newId(reader.now.getTime()) })
  return undefined
}

export const markBookRead = async (db: Database, reader: Reader, bookId: string): Promise<ReadProgress> => {
  const id = newId(reader.now.getTime())
  const progress = await db.writeNamed(markedBook, { reader, bookId, as: 'read', id })
  if (!progress) throw new Error('A book that is read has no progress')
  return progress
}

export const restoreProgress = (
  db: Database,
  reader: Reader,
  bookId: string,
  historyId: string,
): Promise<ReadProgress | undefined> =>
  db.write((db) =>
    addIn(db, reader, bookId, async (book, db) => {
      const point = await selectPoint(db, reader.viewer.userId, bookId, historyId.toLowerCase())
      if (!point) throw notFound('point in the history of this book')
      const entry = standingAgain(reader, book, point)
      if (!entry) throw new AppError('conflict', 'This point does not say where you were. Choose one that does.')
      return [entry]
    }),
  )

type Point = NonNullable<Awaited<ReturnType<typeof selectPoint>>>

/** The entry puts the reader back to an earlier point; it is undefined when that point has no position. */
export const standingAgain = (reader: Reader, book: ReadBook, point: Point): Omit<NewLogEntry, 'id'> | undefined => {
  if (point.kind === 'reset') return beginning(reader, book)
  if (point.page === null && point.percentage === null) return undefined
  const shown = shownIn(book.pageCount, { ...point, pageCount: point.page_count })
  return {
    ...originOf(reader, book),
    source: 'restore',
    kind: point.kind,
    page: shown.currentPage === 0 ? null : shown.currentPage,
    percentage: shown.progressPercentage,
    finishes: point.finishes === 1,
    outright: true,
    locator: point.locator,
  }
}

const originOf = ({ device, source }: Reader, book: ReadBook) =>
  ({ book, deviceId: device.id, deviceName: device.name, source: source ?? 'put', time: null }) as const

/** The entry begins a new reading. */
export const beginning = (reader: Reader, book: ReadBook): Omit<NewLogEntry, 'id'> => ({
  ...originOf(reader, book),
  source: 'mark',
  kind: 'reset',
  page: null,
  percentage: null,
})

export const ending = (reader: Reader, book: ReadBook): Omit<NewLogEntry, 'id'> => ({
  ...originOf(reader, book),
  source: 'mark',
  kind: 'completed',
  page: null,
  percentage: null,
})

type NewEntry = Omit<NewLogEntry, 'id'> & { readonly id?: string }
type EntriesOf = (
  book: ReadBook,
  db: WriteDb,
  /** What is latest in the log of the book. */
  latest: LogPosition | undefined,
) => readonly NewEntry[] | Promise<readonly NewEntry[]>

/** It adds to the log of one book; it returns where its reader stands then. */
export const addIn = async (
  db: WriteDb,
  { viewer, device, now }: Reader,
  bookId: string,
  entriesOf: EntriesOf,
): Promise<ReadProgress | undefined> => {
  await lockUser(db, viewer.userId)
  const bookToReadOn = await selectBookToReadOn(db, viewer, bookId, device.id)
  if (!bookToReadOn) throw notFound('book')
  const { book, head } = bookToReadOn
  const entries = (await entriesOf(book, db, head?.position)).map((entry) => ({
    ...entry,
    id: entry.id ?? newId(now.getTime()),
  }))
  const preloaded = {
    heads: new Map(head && [[book.id, head]]),
    devices: new Map(bookToReadOn.device && [[device.id, bookToReadOn.device]]),
  }
  const outcome = (await record(db, viewer.userId, entries, { now, countsLater: true, preloaded })).get(bookId)
  const isHeld = entries.some(({ id }) => outcome?.held.has(id))
  return outcome && progressFrom(viewer.userId, book, outcome, isHeld)
}

export const progressFrom = (
  userId: string,
  book: ReadBook,
  { state }: Outcome,
  heldBack: boolean,
): ReadProgress | undefined => {
  const row = progressRow(userId, book.id, state)
  return row && { ...toProgress(row, book.pageCount), heldBack }
}

export const listHistory = async (
  db: ReadDb,
  viewer: Viewer,
  bookId: string,
  paging: Paging,
): Promise<ListAnswer<ProgressPoint>> => {
  await requireReadBook(db, viewer, bookId)
  const { userId } = viewer
  const total = await countPoints(db, userId, bookId)
  if (paging.offset >= total) return { total, data: [] }
  const points = await selectPoints(db, userId, bookId, paging)
  const { held, standingId } = await heldAmong(db, { userId, bookId }, points)
  return {
    total,
    data: points.map((point) => ({ ...point, heldBack: held.has(point.id), current: point.id === standingId })),
  }
}

/** A moment by a client's clock. */
export const momentOf = (text: string, path: string): { readonly started: number; readonly ended: number } => {
  const ended = Date.parse(text)
  if (Number.isNaN(ended) || ended < 0)
    throw invalid(path, `"${text}" is not a time such as 2026-11-21T10:00:00.000Z.`, { reason: 'time_wrong' })
  return { started: ended, ended }
}
