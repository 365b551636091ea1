import { locatorBytesMax } from '@carrel/api'
import type { ReadDb, WriteDb } from '../../../../database/database.ts'
import { bringEntries, type BroughtEntry, selectExistingIds, takeEntriesBack } from '../../../reading/reading.ts'
import { factId } from '../../links.ts'
import { isLocator } from '../locators.ts'
import type { CompletionRecord, Position, ProgressRecord, SessionRecord, SourceKind } from '../../records.ts'
import type { Staged } from '../../staging.ts'
import {
  type Applying,
  type Counts,
  countsOf,
  type Foreseeing,
  seeingAll,
  type Step,
  type Taken,
  type Undoing,
} from '../step.ts'

interface ReadingDone {
  readonly entries: readonly { readonly userId: string; readonly ids: readonly string[] }[]
}

const names: Readonly<Record<SourceKind, string>> = {
  komga: 'Komga',
  kavita: 'Kavita',
  codex: 'Codex',
  stump: 'Stump',
  lanraragi: 'LANraragi',
  calibre: 'calibre',
  mihon: 'Mihon',
}

const deviceOf = (kind: SourceKind) => ({ id: `import:${kind}`, name: names[kind] })

/** What has no time was read before anything that has one. */
const longAgo = '1970-01-01T00:00:01.000Z'

/** An entry of the log takes a few milliseconds with all that follows from it. */
const atOnce = 25

interface ReadingRecord {
  readonly user: string
  readonly book: string
}

const takeEntries = async <Record extends ReadingRecord>(
  db: WriteDb,
  { run, users, books, now }: Applying,
  records: readonly Record[],
  entryOf: (record: Record, bookId: string) => BroughtEntry | undefined,
): Promise<Taken> => {
  const perUser = new Map<string, BroughtEntry[]>()
  let matched = 0
  for (const record of records) {
    const [userId, bookId] = [users.get(record.user), books.get(record.book)]
    const entry = userId === undefined || bookId === undefined ? undefined : entryOf(record, bookId)
    if (userId === undefined || !entry) continue
    matched += 1
    const own = perUser.get(userId)
    if (own) own.push(entry)
    else perUser.set(userId, [entry])
  }
  const entries: { userId: string; ids: readonly string[] }[] = []
  for (const [userId, own] of perUser) {
    const ids = await bringEntries(db, { viewer: seeingAll(userId), device: deviceOf(run.kind), now }, own)
    if (ids.length > 0) entries.push({ userId, ids })
  }
  const taken = entries.reduce((sum, { ids }) => sum + ids.length, 0)
  const done: ReadingDone = { entries }
  return { ...(taken > 0 && { done }), counts: countsOf({ progress: taken, progressKnown: matched - taken }) }
}

/** An entry that is here is known by its id; one who is yet to be made has none. */
const foreseeEntries = async <Record extends ReadingRecord>(
  db: ReadDb,
  { users, books }: Foreseeing,
  records: readonly Record[],
  entryOf: (record: Record, bookId: string) => BroughtEntry | undefined,
): Promise<Counts> => {
  const perUser = new Map<string | null, Set<string>>()
  for (const record of records) {
    const [userId, bookId] = [users.get(record.user), books.get(record.book)]
    const entry = userId === undefined || bookId === undefined ? undefined : entryOf(record, bookId)
    if (userId === undefined || !entry) continue
    const own = perUser.get(userId)
    if (own) own.add(entry.id)
    else perUser.set(userId, new Set([entry.id]))
  }
  let progress = 0
  for (const [userId, ids] of perUser) {
    const existing = userId === null ? undefined : await selectExistingIds(db, userId, [...ids])
    progress += ids.size - (existing?.size ?? 0)
  }
  return countsOf({ progress })
}

const undo = async (db: WriteDb, { run, now }: Undoing, { entries }: ReadingDone): Promise<void> => {
  for (const { userId, ids } of entries)
    await takeEntriesBack(db, { viewer: seeingAll(userId), device: deviceOf(run.kind), now }, ids)
}

const locatorText = ({ locator }: Position): string | null =>
  isLocator(locator) && JSON.stringify(locator).length <= locatorBytesMax ? JSON.stringify(locator) : null

/** The end of a book is its end, however many pages it has here. */
const positionOf = ({ page, fraction }: Position, isEnd: boolean): Pick<BroughtEntry, 'page' | 'percentage'> =>
  isEnd ? { page: null, percentage: 1 } : { page, percentage: fraction }

const entryOfSession = (record: SessionRecord, bookId: string): BroughtEntry | undefined => {
  const { id, user, book, kind, position, startedAt, at, activeMs, pagesRead } = record
  const isEnd = kind === 'completed'
  if (kind === 'progress' && position.page === null && position.fraction === null) return undefined
  const started = startedAt !== null && startedAt < at ? startedAt : at
  const lasted = Date.parse(at) - Date.parse(started)
  return {
    id: factId('session', user, book, id, at),
    bookId,
    kind,
    ...(kind === 'reset' ? { page: null, percentage: null } : positionOf(position, isEnd)),
    locator: locatorText(position),
    finishes: isEnd,
    startedAt: started,
    at,
    activeMs: activeMs === null ? null : Math.min(activeMs, lasted),
    pagesRead,
  }
}

const entryOfCompletion = (record: CompletionRecord, bookId: string): BroughtEntry => {
  const { id, user, book, startedAt, at } = record
  return {
    id: factId('completion', user, book, id, at),
    bookId,
    kind: 'completed',
    page: null,
    percentage: 1,
    locator: null,
    finishes: true,
    startedAt: startedAt !== null && startedAt < at ? startedAt : at,
    at,
    activeMs: null,
    pagesRead: null,
  }
}

/** A state that a log of theirs tells of is told already. */
const entryOfProgress =
  ({ logged }: Pick<Applying, 'logged'>) =>
  (record: ProgressRecord, bookId: string): BroughtEntry | undefined => {
    const { user, book, position, isCompleted, startedAt, at, completedAt } = record
    const told = logged.get(`${user} ${book}`)
    if (told?.has('session') || (isCompleted && told?.has('completion'))) return undefined
    const time = (isCompleted ? completedAt : null) ?? at ?? startedAt ?? longAgo
    return {
      id: factId('progress', user, book, time, position.page, position.fraction, isCompleted),
      bookId,
      kind: isCompleted ? 'completed' : 'progress',
      ...positionOf(position, isCompleted),
      locator: locatorText(position),
      finishes: isCompleted,
      startedAt: startedAt !== null && startedAt < time ? startedAt : time,
      at: time,
      activeMs: null,
      pagesRead: null,
    }
  }

type ReadingType = 'session' | 'completion' | 'progress'

const readingStep = <Type extends ReadingType>(
  name: string,
  reads: Type,
  entryOf: (known: Pick<Applying, 'logged'>) => (record: Staged<Type>, bookId: string) => BroughtEntry | undefined,
): Step<Type> => ({
  name,
  part: 'progress',
  reads,
  atOnce,
  take: (db, applying, records) => takeEntries(db, applying, records, entryOf(applying)),
  foresee: (db, foreseeing, records) => foreseeEntries(db, foreseeing, records, entryOf(foreseeing)),
  undo,
})

export const sessions = readingStep('sessions', 'session', () => entryOfSession)
export const completions = readingStep('completions', 'completion', () => entryOfCompletion)
export const progress = readingStep('progress', 'progress', entryOfProgress)
