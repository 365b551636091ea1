import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import * as api from '@carrel/api'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { openDatabase } from '../../src/database/open.ts'
import { rebuildProjections } from '../../src/features/reading/reading.ts'
import { createLog } from '../../src/platform/log.ts'
import { bodyOf } from '../outcome.ts'
import { addBooksTo, addShelf } from '../reading-content.ts'
import { claim, signIn, startCarrel, type Visitor, withoutWorker } from './carrel.ts'
import { endOf } from './program.ts'
import { seed } from '../seed.ts'
import { randomFrom } from './random.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { tell, times } from './torture.ts'
import { waitUntil } from './wait-until.ts'

const env = { ...withoutWorker, CARREL_RATE_LIMIT_ENABLED: 'false' }
console.log(`The moments of the kills come from SEED=${seed}`)
const moment = randomFrom(seed)
const rounds = times(5, 100, 20)

/** It records requests and answers on the client's side. */
interface Ledger {
  readonly pages: Map<string, { readonly acknowledged: number | undefined; readonly sent: number }>
  readonly acknowledgedSessions: Set<string>
  readonly unanswered: Map<string, api.ReadingSession>
  acknowledgements: number
}

const turnPages = async ({ call }: Visitor, ledger: Ledger, bookId: string): Promise<void> => {
  for (;;) {
    const { sent = 9, acknowledged } = ledger.pages.get(bookId) ?? {}
    const page = sent + 1
    ledger.pages.set(bookId, { acknowledged, sent: page })
    const outcome = await unlessGone(
      call(api.saveProgress, { params: { id: bookId }, body: { currentPage: page, completed: false } }),
    )
    if (!outcome) return
    expect(bodyOf(outcome)).toMatchObject({ currentPage: page })
    ledger.pages.set(bookId, { acknowledged: page, sent: page })
    ledger.acknowledgements += 1
  }
}

const sendSessions = async ({ call }: Visitor, ledger: Ledger, bookIds: readonly string[]): Promise<void> => {
  for (;;) {
    const sessions = bookIds.map((bookId) => newSession(bookId))
    for (const session of sessions) ledger.unanswered.set(session.id, session)
    const outcome = await unlessGone(call(api.recordReadingSessions, { body: { sessions } }))
    if (!outcome) return
    settle(ledger, bodyOf(outcome))
    ledger.acknowledgements += 1
  }
}

const newSession = (bookId: string): api.ReadingSession => {
  const at = new Date(Date.parse('2026-01-01T00:00:00Z') + Math.floor(Math.random() * 1e9)).toISOString()
  const toPage = 1 + Math.floor(Math.random() * 180)
  return {
    id: randomUUID(),
    bookId,
    kind: 'progress',
    clientStartedAt: at,
    clientEndedAt: at,
    deviceId: 'offline',
    toPage,
  }
}

const settle = (ledger: Ledger, { accepted, rejected }: api.RecordedReadingSessions): void => {
  expect(rejected).toEqual([])
  for (const id of accepted) {
    ledger.unanswered.delete(id)
    ledger.acknowledgedSessions.add(id)
  }
}

const unlessGone = <Answer>(answer: Promise<Answer>): Promise<Answer | undefined> => answer.catch(() => undefined)

/** Everything acknowledged must be there; the rest is sent again, as a client would. */
const comeBack = async (reader: Visitor, ledger: Ledger): Promise<void> => {
  for (const [bookId, { acknowledged, sent }] of ledger.pages) {
    const standing = bodyOf(await reader.call(api.readProgress, { params: { id: bookId } }))
    expect([acknowledged, sent]).toContain(standing?.currentPage)
    ledger.pages.set(bookId, { acknowledged: standing?.currentPage, sent })
  }
  const again = [...ledger.unanswered.values()]
  if (again.length > 0)
    settle(ledger, bodyOf(await reader.call(api.recordReadingSessions, { body: { sessions: again } })))
}

const projectionsOf = async (database: Database) => {
  const all = (table: 'read_progress' | 'series_progress' | 'read_completion' | 'reading_session' | 'reading_figure') =>
    database.read.selectFrom(table).selectAll().execute()
  const tables = [
    await all('read_progress'),
    await all('series_progress'),
    await all('read_completion'),
    await all('reading_session'),
    await all('reading_figure'),
  ]
  return tables.map((rows) => rows.map((row) => JSON.stringify(row)).sort())
}

/** Books whose sessions and figures lack a part of their logs. */
const countUncounted = (cwd: string): number => {
  const database = new Sqlite(join(cwd, 'data/carrel.db'), { readonly: true })
  const count = database.prepare('select count(*) from reading_head where uncounted_from is not null').pluck().get()
  database.close()
  return Number(count)
}

test('C12 READ-1 W16 killed at any moment, no progress that was acknowledged is lost, and none that is sent again counts twice', async () => {
  await using folder = await temporaryFolder()
  const cwd = folder.path
  const open = () =>
    openDatabase(
      { kind: 'sqlite', file: join(cwd, 'data/carrel.db') },
      createLog({ level: 'silent', format: 'json' }),
      (error) => {
        throw error
      },
    )
  {
    await using first = await startCarrel({ cwd, env })
    await claim(first)
  }
  const prepared = await open()
  const shelf = await addShelf(prepared)
  const turned = await addBooksTo(prepared, shelf, 4, { page_count: 1_000_000 })
  const offline = await addBooksTo(prepared, shelf, 3)
  await prepared.close()
  const ledger: Ledger = {
    pages: new Map(),
    acknowledgedSessions: new Set(),
    unanswered: new Map(),
    acknowledgements: 0,
  }

  let leftBehind = 0
  for (let round = 0; round < rounds; round += 1) {
    await using carrel = await startCarrel({ cwd, env })
    const reader = await signIn(carrel, 'ana')
    await comeBack(reader, ledger)
    const before = ledger.acknowledgements
    const reading = Promise.all([
      ...turned.map((bookId) => turnPages(reader, ledger, bookId)),
      sendSessions(reader, ledger, offline),
      sendSessions(reader, ledger, offline.toReversed()),
    ])
    await waitUntil('the first acknowledgement', () => ledger.acknowledgements > before)
    await delay(moment() * 700)
    carrel.kill('SIGKILL')
    expect(await endOf(carrel)).toEqual({ code: null, signal: 'SIGKILL' })
    await reading
    leftBehind += countUncounted(cwd)
  }
  // Some were killed between the log and what follows from it: the next ones have caught up by themselves.
  expect(leftBehind).toBeGreaterThan(0)
  {
    await using carrel = await startCarrel({ cwd, env })
    const reader = await signIn(carrel, 'ana')
    await comeBack(reader, ledger)
    expect(ledger.unanswered.size).toBe(0)
    await waitUntil('figures of all that was read', () => countUncounted(cwd) === 0)
  }

  const database = await open()
  const rows = await database.read
    .selectFrom('reading_log')
    .select(['id', 'user_id'])
    .where('source', '=', 'session')
    .execute()
  expect(rows.map(({ id }) => id).sort()).toEqual([...ledger.acknowledgedSessions].sort())
  const stored = await projectionsOf(database)
  await rebuildProjections({ db: database, write: database.write })
  expect(await projectionsOf(database)).toEqual(stored)
  await database.close()
  const what = `kills beside ${ledger.acknowledgements} acknowledgements of progress, and ${rows.length} sessions`
  tell({ id: 'A1', what, tries: rounds, lost: 0 })
})
