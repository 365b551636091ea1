import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import * as api from '@carrel/api'
import Sqlite from 'better-sqlite3'
import { tinyJpeg } from '../packages/server/test/books/pictures.ts'
import { openDatabase } from '../packages/server/src/database/open.ts'
import { createLog } from '../packages/server/src/platform/log.ts'
import { addBooksTo, addShelf } from '../packages/server/test/reading-content.ts'
import { claim, startCarrel, type Visitor } from '../packages/server/test/smoke/carrel.ts'
import { endOf } from '../packages/server/test/smoke/program.ts'
import { coverSlot, wholeCovers } from './given-covers.ts'

/** Where writes go: each place holds the number of the last one. */
export interface PreparedInstallation {
  readonly bookIds: readonly string[]
  readonly seriesId: string
}

export const tortureEnv = {
  CARREL_ROLES: 'api',
  CARREL_RATE_LIMIT_ENABLED: 'false',
  CARREL_DISK_RESERVE_MIB: '0',
  CARREL_LOG_FORMAT: 'json',
}

/** An installation with an administrator and some books, which nothing runs on. */
export const prepareInstallation = async (cwd: string): Promise<PreparedInstallation> => {
  {
    await using first = await startCarrel({ cwd, env: tortureEnv })
    await claim(first)
    first.kill('SIGTERM')
    await endOf(first)
  }
  const address = { kind: 'sqlite', file: join(cwd, 'data/carrel.db') } as const
  const database = await openDatabase(address, createLog({ level: 'silent', format: 'json' }), (error) => {
    throw error
  })
  const shelf = await addShelf(database)
  const bookIds = await addBooksTo(database, shelf, 6, { page_count: 1_000_000 })
  await database.close()
  return { bookIds, seriesId: shelf.seriesId }
}

export interface Acknowledged {
  readonly slot: string
  readonly number: number
  /** What was asked for when the answer came: how far the journal was, for instance. */
  readonly at: number
}

/** What the server has acknowledged, and what it was sent, by place. */
export interface WriteLedger {
  readonly acknowledged: Acknowledged[]
  readonly sent: Map<string, number>
  /** Answers other than 2xx, by status. */
  readonly refused: Map<number, number>
}

export const emptyWriteLedger = (): WriteLedger => ({ acknowledged: [], sent: new Map(), refused: new Map() })

interface Write {
  readonly slot: string
  readonly send: (reader: Visitor, number: number) => Promise<{ readonly ok: boolean; readonly status: number }>
}

const preferenceWriters = 6

/** Named writes, which share commits, and transactions of their own. */
const writesTo = ({ bookIds, seriesId }: PreparedInstallation): Write[] => [
  ...Array.from({ length: preferenceWriters }, (_, writer): Write => ({
    slot: `preference ${writer}`,
    send: ({ call }, number) =>
      call(api.savePreference, { params: { key: `writer-${writer}` }, body: { value: number } }),
  })),
  ...bookIds.map((id): Write => ({
    slot: `book ${id}`,
    send: ({ call }, number) =>
      call(api.saveProgress, { params: { id }, body: { currentPage: number, completed: false } }),
  })),
  {
    slot: 'setting',
    send: ({ call }, value) => call(api.saveSetting, { params: { key: 'scan.hold_books' }, body: { value } }),
  },
  {
    slot: 'title',
    send: ({ call }, number) =>
      call(api.editSeriesMetadata, { params: { id: seriesId }, body: { title: `Volume of ${number}` } }),
  },
]

export interface Writing {
  /** It resolves when all writers have come to an end: told to, or because the server is gone. */
  readonly over: Promise<void>
  stop(): void
}

/** Each place gets one number after the other, all places at once, until told to stop or the server is gone. */
export const writeNumbers = (
  reader: Visitor,
  installation: PreparedInstallation,
  ledger: WriteLedger,
  at: () => number,
): Writing => {
  const stopping = new AbortController()
  const over = Promise.all(
    writesTo(installation).map(async ({ slot, send }) => {
      while (!stopping.signal.aborted) {
        const number = (ledger.sent.get(slot) ?? 0) + 1
        ledger.sent.set(slot, number)
        const outcome = await send(reader, number).catch(() => undefined)
        if (!outcome) return
        if (outcome.ok) ledger.acknowledged.push({ slot, number, at: at() })
        else {
          ledger.refused.set(outcome.status, (ledger.refused.get(outcome.status) ?? 0) + 1)
          await delay(5)
        }
      }
    }),
  )
  return { over: over.then(() => undefined), stop: () => stopping.abort() }
}

interface Giving {
  readonly count: number
  readonly at: () => number
}

/** It gives the books so many covers, one after the other, and ends sooner when the server is gone. */
export const giveCovers = async (
  { call }: Visitor,
  { bookIds }: PreparedInstallation,
  ledger: WriteLedger,
  { count, at }: Giving,
): Promise<void> => {
  for (let given = 0; given < count; given += 1) {
    const params = { id: bookIds[given % bookIds.length] ?? '' }
    const body = new Uint8Array(tinyJpeg(ledger.acknowledged.length + given))
    const outcome = await call(api.uploadBookCover, { params, body }).catch(() => undefined)
    if (!outcome) return
    if (!outcome.ok) throw new Error(`A cover was refused with ${outcome.status}`)
    const slot = coverSlot(outcome.body.id)
    ledger.sent.set(slot, 1)
    ledger.acknowledged.push({ slot, number: 1, at: at() })
  }
}

export interface StoredState {
  /** The number that each place holds. */
  readonly numbers: ReadonlyMap<string, number>
  /** What SQLite finds wrong with the file; nothing when it is sound. */
  readonly unsound: readonly unknown[]
}

/** What stands in the file, by SQLite alone, and in the folder beside it. */
export const storedIn = (file: string): StoredState => {
  const database = new Sqlite(file, { fileMustExist: true })
  try {
    return { unsound: unsoundIn(database), numbers: numbersIn(database, dirname(file)) }
  } finally {
    database.close()
  }
}

export const unsound = (file: string): readonly unknown[] => {
  const database = new Sqlite(file, { fileMustExist: true })
  try {
    return unsoundIn(database)
  } finally {
    database.close()
  }
}

const numbersIn = (database: Sqlite.Database, dataDir: string): Map<string, number> => {
  const rows = <Row>(statement: string): Row[] => database.prepare<[], Row>(statement).all()
  const numbers = new Map<string, number>()
  for (const { key, value } of rows<{ key: string; value: string }>(
    "select key, value from user_preference where key like 'writer-%'",
  ))
    numbers.set(key.replace('writer-', 'preference '), Number(value))
  for (const { book_id: id, page } of rows<{ book_id: string; page: number }>(
    'select book_id, page from read_progress',
  ))
    numbers.set(`book ${id}`, page)
  for (const { value } of rows<{ value: string }>("select value from setting where key = 'scan.hold_books'"))
    numbers.set('setting', Number(value))
  for (const { title } of rows<{ title: string }>("select title from series where title like 'Volume of %'"))
    numbers.set('title', Number(title.replace('Volume of ', '')))
  for (const slot of wholeCovers(database, dataDir)) numbers.set(slot, 1)
  return numbers
}

const unsoundIn = (database: Sqlite.Database): unknown[] => {
  const faults = database.pragma('integrity_check(5)') as unknown[]
  const isWell = JSON.stringify(faults) === '[{"integrity_check":"ok"}]'
  return [...(isWell ? [] : faults), ...(database.pragma('foreign_key_check') as unknown[])]
}

/** The acknowledged writes that are not there: a place holds less than what was acknowledged, or what was never sent. */
export const missingFrom = (
  numbers: ReadonlyMap<string, number>,
  acknowledged: readonly Acknowledged[],
  sent: ReadonlyMap<string, number>,
): string[] => {
  const least = new Map<string, number>()
  for (const { slot, number } of acknowledged) least.set(slot, Math.max(number, least.get(slot) ?? 0))
  return [...least].flatMap(([place, number]) => {
    const held = numbers.get(place) ?? 0
    return held >= number && held <= (sent.get(place) ?? 0) ? [] : [`${place}: ${held}, ${number} was acknowledged`]
  })
}
