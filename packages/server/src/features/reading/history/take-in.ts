import { type ReadingImport, unmatchedShownMax } from '@carrel/api'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { sha256 } from '../../../platform/secrets/tokens.ts'
import { lockUser } from '../../../database/lock-user.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import type { ReadBook } from '../book.ts'
import { selectExistingIds } from '../log/queries.ts'
import { type NewLogEntry, record } from '../log/record.ts'
import { insertStatedCompletion, selectExistingStated } from '../completions/queries.ts'
import { selectReadBooks } from '../queries.ts'
import { countAgain } from '../reading-sessions/count.ts'
import type { BadEntry, HistoryEntry } from './entries.ts'
import { type Match, matchEntries } from './match.ts'
import { deleteParts, type ImportRow, updateImport } from './queries.ts'

/** One transaction imports this many: others wait for it. */
const entriesAtOnce = 25

export type Report = Pick<ReadingImport, 'matchedBy' | 'added' | 'known' | 'unmatched' | 'examples'>

export const emptyReport: Report = {
  matchedBy: { hash: 0, path: 0, title: 0 },
  added: 0,
  known: 0,
  unmatched: 0,
  examples: [],
}

interface ImportContext {
  readonly db: { readonly readSlowly: ReadDb }
  write<Result>(work: (db: WriteDb) => Promise<Result>): Promise<Result>
  readonly now: Date
  readonly signal?: AbortSignal
  readonly onEntries?: (done: number) => void
}

/** It continues where it was left; the entries and the progress of the import are written in one transaction. */
export const takeInEntries = async (
  { db, write, now, signal, onEntries }: ImportContext,
  { viewer, row, entries }: { viewer: Viewer; row: ImportRow; entries: readonly (HistoryEntry | BadEntry)[] },
): Promise<Report> => {
  let report = JSON.parse(row.report) as Report
  for (let from = row.done; from < entries.length; from += entriesAtOnce) {
    signal?.throwIfAborted()
    const part = entries.slice(from, from + entriesAtOnce)
    const good = part.filter((each) => 'at' in each)
    const matches = await matchEntries(db.readSlowly, viewer, good)
    const byEntry = new Map(good.map((each, index) => [each, matches[index]]))
    const before = report
    report = await write(async (db) => {
      const next = await takeIn(db, { viewer, now, before }, part, byEntry)
      await updateImport(db, row.id, { report: JSON.stringify(next), done: from + part.length })
      return next
    })
    onEntries?.(from + part.length)
  }
  await write(async (db) => {
    await deleteParts(db, row.id)
    await updateImport(db, row.id, { completed_at: now.toISOString(), total: entries.length })
  })
  return report
}

interface MatchedEntry {
  readonly entry: HistoryEntry
  readonly book: ReadBook
  readonly id: string
}

const takeIn = async (
  db: WriteDb,
  { viewer, now, before }: { readonly viewer: Viewer; readonly now: Date; readonly before: Report },
  part: readonly (HistoryEntry | BadEntry)[],
  matches: ReadonlyMap<HistoryEntry, Match | undefined>,
): Promise<Report> => {
  const { userId } = viewer
  await lockUser(db, userId)
  const bookIds = [...matches.values()].flatMap((match) => (match && 'bookId' in match ? match.bookId : []))
  const books = await selectReadBooks(db, viewer, [...new Set(bookIds)])
  const matched: MatchedEntry[] = []
  const matchedBy = { ...before.matchedBy }
  const examples = [...before.examples]
  let unmatched = before.unmatched
  for (const entry of part) {
    const match = 'at' in entry ? matches.get(entry) : undefined
    const book = match && 'bookId' in match ? books.get(match.bookId) : undefined
    if ('at' in entry && match && 'by' in match && book) {
      matchedBy[match.by] += 1
      matched.push({ entry, book, id: idOf(entry, book) })
      continue
    }
    unmatched += 1
    const reason = 'fault' in entry ? 'invalid' : match && 'reason' in match ? match.reason : 'no_book'
    if (examples.length < unmatchedShownMax) examples.push({ place: entry.position, reason, what: whatIs(entry) })
  }
  const added = await addMatched(db, userId, matched, now)
  return {
    matchedBy,
    unmatched,
    examples,
    added: before.added + added,
    known: before.known + matched.length - added,
  }
}

const whatIs = (entry: HistoryEntry | BadEntry): string => {
  if ('fault' in entry) return entry.fault
  const { series, title, path, fileHash } = entry
  const name = title === null ? (path ?? fileHash ?? '') : series === null ? title : `${series} / ${title}`
  return name.slice(0, 300)
}

/** The same entry of the same book has the same id whenever it comes, so that it is taken in once. */
const idOf = ({ id, at, kind, page, percentage, completed, source }: HistoryEntry, book: ReadBook): string => {
  if (id !== null) return id
  const digits = sha256(['reading history', book.id, at, kind, page, percentage, completed, source].join(' '))
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}

/** It returns how many were new. */
const addMatched = async (
  db: WriteDb,
  userId: string,
  matched: readonly MatchedEntry[],
  now: Date,
): Promise<number> => {
  const once = [...new Map(matched.map((each) => [each.id, each])).values()]
  const ids = once.map(({ id }) => id)
  const existing = new Set([
    ...(await selectExistingIds(db, userId, ids)),
    ...(await selectExistingStated(db, userId, ids)),
  ])
  const fresh = once.filter(({ id }) => !existing.has(id))
  const stated = fresh.filter(({ entry }) => entry.source === 'stated')
  for (const { entry, book, id } of stated) {
    const startedAt = new Date(entry.startedAt).toISOString()
    await insertStatedCompletion(db, userId, book, { id, startedAt, completedAt: new Date(entry.at).toISOString() })
  }
  const logEntries = fresh.flatMap(({ entry, book, id }) => logEntryFrom(entry, book, id) ?? [])
  await record(db, userId, logEntries, { now })
  const stretches = [...Map.groupBy(stated, ({ book }) => book.id)].map(([bookId, own]) => ({
    bookId,
    from: new Date(Math.min(...own.map(({ entry }) => entry.at))).toISOString(),
    to: new Date(Math.max(...own.map(({ entry }) => entry.at))).toISOString(),
  }))
  await countAgain(db, userId, stretches, { now })
  return fresh.length
}

const logEntryFrom = (entry: HistoryEntry, book: ReadBook, id: string): NewLogEntry | undefined =>
  entry.source === 'stated'
    ? undefined
    : {
        id,
        book,
        kind: entry.kind,
        source: entry.source,
        page: entry.page,
        percentage: entry.percentage,
        time: { started: entry.startedAt, ended: entry.at },
        deviceId: entry.device,
        deviceName: entry.deviceName,
        finishes: entry.completed ?? undefined,
        outright: entry.source === 'restore',
        activeMs: entry.activeMs === null ? null : Math.min(entry.activeMs, entry.at - entry.startedAt),
        pagesRead: entry.pagesRead,
      }
