import { randomUUID } from 'node:crypto'
import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../test/content.ts'
import { type MovableClock, minute, movableClock } from '../../../test/movable-clock.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { testDialect } from '../../../test/test-database.ts'
import { countUpToNow } from './reading.ts'

let time: MovableClock
let server: TestServer
let reader: Person
let seriesId: string
let bookIds: string[]
beforeAll(async () => {
  time = movableClock()
  server = await startServer({ clock: time.clock })
  const { db } = server.context
  const series = await addSeries(db, await addLibrary(db), { title: 'Nemo' })
  seriesId = series.id
  bookIds = await addBooks(
    db,
    series,
    Array.from({ length: 12 }, () => ({ page_count: 200 })),
  )
  reader = await server.person('reader')
})
afterAll(() => server[Symbol.asyncDispose]())

/**
 * Other statements run meanwhile: whether anything has changed, what number an event has, whose reading is to be counted,
 * and who has signed in, which is noted a moment later.
 */
const others =
  /^(?:begin|commit)|^select distinct "user_id" from "reading_head"|pg_notify|"revision"|event_sequence|"event" where|waiting as|sign_in_activity|^select "id" from "user" where/

/** It collects the statements of one request. What was read before has been counted, and is not among them. */
const statementsOf = async (ask: () => Promise<{ readonly ok: boolean }>): Promise<string[]> => {
  await countUpToNow(server.context.db, reader.id, time.clock())
  const from = server.logLines.length
  expect((await ask()).ok).toBe(true)
  return server.logLines
    .slice(from)
    .flatMap(({ sql }) => (typeof sql === 'string' && !others.test(sql.trim()) ? sql : []))
}

/** Now and then it is noted when a device was used last, or the server looks whether there is anything new. */
const leastStatementsOf = async (
  ask: () => Promise<{ readonly ok: boolean }>,
  undo: () => Promise<unknown> = async () => undefined,
): Promise<number> => {
  const counts: number[] = []
  for (let time = 0; time < 3; time += 1) {
    counts.push((await statementsOf(ask)).length)
    await undo()
  }
  return Math.min(...counts)
}

const bookAt = (index: number): string => bookIds[index] ?? ''
const turn = (page: number) => reader.call(api.saveProgress, { params: { id: bookAt(0) }, body: { currentPage: page } })

const sat = (bookId: string): api.ReadingSession => {
  time.pass(minute / 4)
  const ended = time.clock().getTime()
  return {
    id: randomUUID(),
    bookId,
    kind: 'progress',
    clientStartedAt: new Date(ended - 10_000).toISOString(),
    clientEndedAt: new Date(ended).toISOString(),
    activeDurationMs: 10_000,
    pagesRead: 1,
    toPage: 7,
  }
}

test('READ-1 W1 turning a page costs the same few statements, however long the evening was', async () => {
  const turns: string[][] = []
  for (let page = 1; page <= 22; page += 1) {
    time.pass(minute)
    turns.push(await statementsOf(() => turn(page)))
  }
  const leastOf = (some: readonly string[][]): readonly string[] =>
    some.toSorted((one, other) => one.length - other.length)[0] ?? []
  expect(leastOf(turns).length).toBeLessThanOrEqual(testDialect === 'sqlite' ? 6 : 7)
  expect(leastOf(turns.slice(-9)).length).toBe(leastOf(turns.slice(2, 11)).length)
  expect(leastOf(turns).filter((sql) => sql.includes('reading_log'))).toHaveLength(1)
})

test('READ-1 W1 a batch of sessions in many books costs hardly more statements than one in one', async () => {
  const send = (ids: readonly string[]) => reader.call(api.recordReadingSessions, { body: { sessions: ids.map(sat) } })
  await send(bookIds)
  expect(await leastStatementsOf(() => send([bookAt(1)]))).toBeLessThanOrEqual(15)
  expect(await leastStatementsOf(() => send(bookIds.slice(2)))).toBeLessThanOrEqual(17)
})

test('G1 READ-1 W1 marking a book costs hardly fewer statements than marking a series', async () => {
  let book = 0
  const one = await leastStatementsOf(() => {
    book += 1
    return reader.call(api.markBookRead, { params: { id: bookAt(book) } })
  })
  const params = { id: seriesId }
  const many = await leastStatementsOf(
    () => reader.call(api.markSeriesRead, { params }),
    () => reader.call(api.markSeriesUnread, { params }),
  )
  expect(one).toBeLessThanOrEqual(17)
  expect(many).toBeLessThanOrEqual(18)
})
