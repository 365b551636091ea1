import { randomUUID } from 'node:crypto'
import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../test/content.ts'
import { type MovableClock, minute, movableClock } from '../../../test/movable-clock.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'

let time: MovableClock
let server: TestServer
let reader: Person
let bookIds: string[]
beforeAll(async () => {
  time = movableClock()
  server = await startServer({ clock: time.clock })
  const { db } = server.context
  const series = await addSeries(db, await addLibrary(db), { title: 'Nemo' })
  bookIds = await addBooks(
    db,
    series,
    Array.from({ length: 12 }, () => ({ page_count: 200 })),
  )
  reader = await server.person('reader')
})
afterAll(() => server[Symbol.asyncDispose]())

/** What was asked of the database within the transaction, but its ends. */
const statementsOf = async (ask: () => Promise<{ readonly ok: boolean }>): Promise<string[]> => {
  const from = server.logLines.length
  expect((await ask()).ok).toBe(true)
  return server.logLines.slice(from).flatMap(({ sql }) => (typeof sql === 'string' ? sql : []))
}

const [bookOne, bookTwo] = [0, 1].map((index) => () => ({ id: bookIds[index] ?? '' }))

const turn = (page: number) =>
  reader.call(api.saveProgress, { params: bookOne?.() ?? { id: '' }, body: { currentPage: page } })

const sat = (bookId: string): api.ReadingSession => {
  time.pass(minute)
  const ended = time.clock().getTime()
  return {
    id: randomUUID(),
    bookId,
    kind: 'progress',
    clientStartedAt: new Date(ended - 30_000).toISOString(),
    clientEndedAt: new Date(ended).toISOString(),
    activeDurationMs: 30_000,
    pagesRead: 1,
    toPage: 7,
  }
}

test('READ-1 W1 turning a page costs the same few statements, however long the evening was', async () => {
  const counts: number[] = []
  for (let page = 1; page <= 40; page += 1) {
    time.pass(minute)
    counts.push((await statementsOf(() => turn(page))).length)
  }
  const usual = counts.slice(2).filter((_, index) => index % 10 !== 0)
  expect(usual).toEqual([])
})

test('READ-1 W1 a batch of sittings in many books costs as many statements as one in one', async () => {
  const send = (ids: readonly string[]) => reader.call(api.recordReadingSessions, { body: { sessions: ids.map(sat) } })
  await send(bookIds)
  const one = (await statementsOf(() => send([bookTwo?.().id ?? '']))).length
  const many = (await statementsOf(() => send(bookIds.slice(2)))).length
  expect([one, many]).toEqual([])
})

test('READ-1 W1 marking a book and marking a series cost the same', async () => {
  const one = (await statementsOf(() => reader.call(api.markBookRead, { params: bookTwo?.() ?? { id: '' } }))).length
  expect(one).toEqual(0)
})
