import {
  locatorBytesMax,
  type ReadingSession,
  type ReadiumLocator,
  type RecordedReadingSessions,
  type RejectionReason,
} from '@carrel/api'
import type { Database } from '../../database/database.ts'
import type { NamedWrite } from '../../database/named-write.ts'
import type { ReadBook } from './book.ts'
import { cleanDeviceText, type ReadingDevice } from './device.ts'
import type { Position } from './log/fold.ts'
import { type NewLogEntry, record } from './log/record.ts'
import { type Reader, progressFrom } from './progress/progress.ts'
import { selectReadBooks } from './queries.ts'

const pageMax = 10_000_000
const day = 24 * 60 * 60 * 1000

type Verdict = { readonly entry: NewLogEntry } | { readonly reason: RejectionReason }

interface SessionsToRecord {
  readonly reader: Reader
  readonly sessions: readonly ReadingSession[]
}

/** Valid sessions are stored, whatever is wrong with the others. */
export const recordedSessions: NamedWrite<SessionsToRecord, RecordedReadingSessions> = {
  name: 'reading sessions',
  lockedUser: ({ reader }) => reader.viewer.userId,
  work: async (db, { reader, sessions }) => {
    const { viewer, now } = reader
    const books = await selectReadBooks(db, viewer, [...new Set(sessions.map(({ bookId }) => bookId.toLowerCase()))])
    const seen = new Set<string>()
    const judged = sessions.map((session) => {
      const id = session.id.toLowerCase()
      const isRepeated = seen.has(id)
      seen.add(id)
      const verdict: Verdict = isRepeated
        ? { reason: 'duplicate_in_batch' }
        : judge(session, reader, books.get(session.bookId.toLowerCase()))
      return { id: session.id, verdict }
    })
    const taken = judged.flatMap(({ id, verdict }) => ('entry' in verdict ? [{ id, ...verdict }] : []))
    const entries = taken.map(({ entry }) => entry)
    const outcomes = await record(db, viewer.userId, entries, { now, countsLater: true })
    return {
      accepted: taken.map(({ id }) => id),
      rejected: judged.flatMap(({ id, verdict }) => ('reason' in verdict ? [{ id, reason: verdict.reason }] : [])),
      progress: [...outcomes].flatMap(([bookId, outcome]) => {
        const book = books.get(bookId)
        const isHeld = entries.some(({ id, book }) => book.id === bookId && outcome.held.has(id))
        return (book && progressFrom(viewer.userId, book, outcome, isHeld)) ?? []
      }),
    }
  },
}

export const recordSessions = (
  db: Database,
  reader: Reader,
  sessions: readonly ReadingSession[],
): Promise<RecordedReadingSessions> => db.writeNamed(recordedSessions, { reader, sessions })

const judge = (session: ReadingSession, { device }: Reader, book: ReadBook | undefined): Verdict => {
  if (!book) return { reason: 'book_not_found' }
  const started = Date.parse(session.clientStartedAt)
  const ended = Date.parse(session.clientEndedAt)
  // The contract lets leap seconds through that no clock of ours knows: then it is no number.
  if (!(started >= 0 && started <= ended)) return { reason: 'invalid_time_range' }
  const { toPercentage: percentage = null, toPage: page = null } = session
  if (percentage !== null && !(percentage >= 0 && percentage <= 1)) return { reason: 'invalid_percentage' }
  const activeMs = measured(session.activeDurationMs, day * 31)
  const pagesRead = measured(session.pagesRead, pageMax)
  if (activeMs === undefined || pagesRead === undefined || !isCount(page)) return { reason: 'invalid_measurement' }
  const source = deviceOf(session, device)
  if (!source) return { reason: 'invalid_measurement' }
  const progression = progressionOf(session.r2Progression ?? null)
  if (!progression) return { reason: 'invalid_progression' }
  const { locator, position } = progression
  const entry: NewLogEntry = {
    id: session.id.toLowerCase(),
    book,
    source: 'session',
    kind: session.kind,
    deviceId: source.id,
    deviceName: source.name,
    page: page ?? position.page,
    percentage: percentage ?? (page === null ? position.percentage : null),
    time: { started, ended },
    activeMs: activeMs === null ? null : Math.min(activeMs, ended - started),
    pagesRead,
    locator,
  }
  return { entry }
}

const isCount = (value: number | null): boolean =>
  value === null || (Number.isInteger(value) && value >= 0 && value <= pageMax)

/** Rounded; undefined when nobody can have measured it. */
const measured = (value: number | null | undefined, max: number): number | null | undefined => {
  if (value == null) return null
  return value >= 0 && value <= max ? Math.round(value) : undefined
}

const deviceOf = ({ deviceId, deviceName }: ReadingSession, otherwise: ReadingDevice): ReadingDevice | undefined => {
  try {
    const id = deviceId == null ? '' : cleanDeviceText(deviceId, '/deviceId')
    const name = deviceName == null ? null : cleanDeviceText(deviceName, '/deviceName') || null
    return id === '' ? { ...otherwise, name: name ?? otherwise.name } : { id, name }
  } catch {
    return undefined
  }
}

const nowhere: Position = { page: null, percentage: null }

/** A locator, or a progression with one in it; undefined when it is neither. */
const progressionOf = (text: string | null): { locator: string | null; position: Position } | undefined => {
  if (text === null) return { locator: null, position: nowhere }
  if (Buffer.byteLength(text) > locatorBytesMax) return undefined
  try {
    const parsed = JSON.parse(text) as { locator?: unknown } | null
    const locator = (parsed?.locator ?? parsed) as ReadiumLocator | null
    if (typeof locator !== 'object' || locator === null || typeof locator.href !== 'string') return undefined
    return { locator: JSON.stringify(locator), position: positionIfSane(locator) }
  } catch {
    return undefined
  }
}

const positionIfSane = ({ locations }: ReadiumLocator): Position => {
  const { position, totalProgression } = (locations ?? {}) as { position?: unknown; totalProgression?: unknown }
  return {
    page: typeof position === 'number' && isCount(position) ? position : null,
    percentage:
      typeof totalProgression === 'number' && totalProgression >= 0 && totalProgression <= 1 ? totalProgression : null,
  }
}
