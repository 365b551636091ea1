import type { ReadCompletion, ReadCompletionChange, ReadHistory, SeriesReadHistory } from '@carrel/api'
import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { full, invalid, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { lockUser } from '../../database/lock-user.ts'
import { forReader } from '../../database/whom-it-concerns.ts'
import { readerOf, type Viewer } from '../../catalogue/visibility/visibility.ts'
import { requireReadBook } from './progress/progress.ts'
import {
  countCompletions,
  insertStatedCompletion,
  isSeriesSeen,
  removeCompletions,
  selectCompletion,
  selectCompletions,
  selectFinishedBooks,
  selectReadThroughs,
  selectSeriesCompletions,
  selectTimesRead,
} from './completions/queries.ts'
import { countAgain, type Stretch } from './reading-sessions/count.ts'

/** Nobody has read one book more often; and each takes time when the book is counted. */
const completionsMax = 1000
const aheadMax = 5 * 60 * 1000

export const readCompletions = async (db: ReadDb, viewer: Viewer, bookId: string): Promise<ReadHistory> => {
  await requireReadBook(db, viewer, bookId)
  return selectCompletions(db, viewer.userId, bookId)
}

interface ReadThroughs {
  readonly readCount: number
  readonly lastCompletedAt: string | null
}

/** The caller has checked that the viewer sees the book. */
export const readThroughsOfBook = (db: ReadDb, viewer: Viewer, bookId: string): Promise<ReadThroughs> =>
  selectReadThroughs(db, readerOf(viewer), bookId)

/** The caller has checked that the viewer sees the series. */
export const readThroughsOfSeries = async (db: ReadDb, viewer: Viewer, seriesId: string): Promise<ReadThroughs> => {
  const [last] = await selectTimesRead(db, viewer, seriesId, 1)
  return { readCount: last?.time ?? 0, lastCompletedAt: last?.completedAt ?? null }
}

interface CompletionInput {
  readonly startedAt?: string | undefined
  readonly completedAt: string
}

const writeForReader = <Result>(
  db: Database,
  { userId }: Viewer,
  work: (db: WriteDb) => Promise<Result>,
): Promise<Result> => db.write((db) => forReader(userId, () => work(db)))

/** The book was read elsewhere, or long ago. The reader's position stays as it is. */
export const addCompletion = (
  db: Database,
  { viewer, now }: { readonly viewer: Viewer; readonly now: Date },
  bookId: string,
  input: CompletionInput,
): Promise<ReadCompletion> =>
  writeForReader(db, viewer, async (db) => {
    const book = await requireReadBook(db, viewer, bookId)
    await lockUser(db, viewer.userId)
    if ((await countCompletions(db, viewer.userId, bookId)) >= completionsMax)
      throw full(completionsMax, `The history of a book takes up to ${completionsMax} entries.`)
    const entry = entryFrom(input, now)
    await insertStatedCompletion(db, viewer.userId, book, entry)
    await countAgain(db, viewer.userId, touched([{ bookId, at: entry.completedAt }]), { now })
    return entry
  })

/** It is replaced by one that states what the user says, under another id. */
export const changeCompletion = (
  db: Database,
  { viewer, now }: { readonly viewer: Viewer; readonly now: Date },
  bookId: string,
  { completionId, change }: { readonly completionId: string; readonly change: ReadCompletionChange },
): Promise<ReadCompletion> =>
  writeForReader(db, viewer, async (db) => {
    const book = await requireReadBook(db, viewer, bookId)
    await lockUser(db, viewer.userId)
    const completion = await selectCompletion(db, viewer.userId, bookId, completionId.toLowerCase())
    if (!completion) throw notFound('entry in the history of this book')
    const completedAt = change.completedAt ?? completion.completedAt
    const movedBefore = change.completedAt !== undefined && change.startedAt === undefined
    const startedAt =
      movedBefore && completion.startedAt > completedAt ? completedAt : (change.startedAt ?? completion.startedAt)
    const entry = entryFrom({ startedAt, completedAt }, now)
    await removeCompletions(db, viewer.userId, [bookId], completion.id)
    await insertStatedCompletion(db, viewer.userId, book, entry)
    await countAgain(
      db,
      viewer.userId,
      touched([completion.completedAt, entry.completedAt].map((at) => ({ bookId, at }))),
      {
        now,
      },
    )
    return entry
  })

/** The reader's position stays as it is. */
export const forgetCompletions = (
  db: Database,
  { viewer, now }: { readonly viewer: Viewer; readonly now: Date },
  bookId: string,
  completionId?: string,
): Promise<undefined> =>
  writeForReader(db, viewer, async (db) => {
    await requireReadBook(db, viewer, bookId)
    await lockUser(db, viewer.userId)
    const removed = await removeCompletions(db, viewer.userId, [bookId], completionId?.toLowerCase())
    if (completionId !== undefined && removed.length === 0) throw notFound('entry in the history of this book')
    await countAgain(db, viewer.userId, touched(removed), { now })
    return undefined
  })

export const readSeriesCompletions = async (
  db: ReadDb,
  viewer: Viewer,
  seriesId: string,
): Promise<SeriesReadHistory> => {
  if (!(await isSeriesSeen(db, viewer, seriesId))) throw notFound('series')
  return selectSeriesCompletions(db, viewer, seriesId)
}

/** Books in one transaction: others wait for it. */
const booksAtOnce = 25

/** A second run, also after an interruption, does what is left. */
export const forgetSeriesCompletions = async (
  db: Database,
  { viewer, now }: { readonly viewer: Viewer; readonly now: Date },
  seriesId: string,
): Promise<undefined> => {
  if (!(await isSeriesSeen(db.read, viewer, seriesId))) throw notFound('series')
  for (let afterId = ''; ;) {
    const bookIds = await selectFinishedBooks(db.readSlowly, viewer, { seriesId, afterId, limit: booksAtOnce })
    if (bookIds.length > 0)
      await db.write(async (db) => {
        await lockUser(db, viewer.userId)
        const removed = await removeCompletions(db, viewer.userId, bookIds)
        await countAgain(db, viewer.userId, touched(removed), { now })
      })
    if (bookIds.length < booksAtOnce) return undefined
    afterId = bookIds.at(-1) ?? ''
  }
}

/** It returns one stretch for each book that covers everything touched. */
const touched = (moments: readonly { readonly bookId: string; readonly at: string }[]): Stretch[] =>
  [...Map.groupBy(moments, ({ bookId }) => bookId)].map(([bookId, own]) => {
    const times = own.map(({ at }) => at).sort()
    return { bookId, from: times[0] ?? '', to: times.at(-1) ?? '' }
  })

const entryFrom = ({ startedAt, completedAt }: CompletionInput, now: Date): ReadCompletion => {
  const completed = timeOf(completedAt, '/completedAt')
  const started = startedAt === undefined ? completed : timeOf(startedAt, '/startedAt')
  if (completed > now.getTime() + aheadMax)
    throw invalid('/completedAt', 'This is still to come.', { reason: 'time_to_come' })
  if (started > completed)
    throw invalid('/startedAt', 'A book is begun before it is finished.', { reason: 'begun_after_end' })
  return {
    id: newId(now.getTime()),
    startedAt: new Date(started).toISOString(),
    completedAt: new Date(completed).toISOString(),
  }
}

const timeOf = (text: string, path: string): number => {
  const at = Date.parse(text)
  if (at >= 0) return at
  throw invalid(path, `"${text}" is not a time such as 2026-11-21T10:00:00.000Z.`, { reason: 'time_wrong' })
}
