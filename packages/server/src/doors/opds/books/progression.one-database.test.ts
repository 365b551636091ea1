import * as api from '@carrel/api'
import { opdsTypes } from '@carrel/api/doors'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../../test/content.ts'
import { readingApp, type ReadingApp } from '../../../../test/opds.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../../test/start-server.ts'

let server: TestServer
let reader: Person
let app: ReadingApp
let book: string

beforeAll(async () => {
  server = await startServer({ clock: () => new Date('2026-11-20T12:00:00.000Z') })
  const { db } = server.context
  const series = await addSeries(db, await addLibrary(db))
  ;[book = ''] = await addBooks(db, series, [{ page_count: 100 }])
})

beforeEach(async () => {
  reader = await server.person('reader')
  app = readingApp(server, reader)
})

afterAll(() => server[Symbol.asyncDispose]())

const tablet = { id: 'urn:uuid:0191b2a0-0000-4000-8000-000000000001', name: 'Tablet' }
const at = (day: number) => `2026-11-${String(day).padStart(2, '0')}T10:00:00.000Z`
const send = (which: 'progression' | 'position', body: unknown) =>
  app.ask(
    `/opds/v2/books/${book}/${which}`,
    { 'content-type': which === 'progression' ? opdsTypes.progression : opdsTypes.readiumProgression },
    'PUT',
    body,
  )
const progressOf = async () => bodyOf(await reader.call(api.readProgress, { params: { id: book } }))

test('OPD-1 READ-1 a point in a book is kept for all applications, and answered to all', async () => {
  expect((await app.ask(`/opds/v2/books/${book}/progression`)).status).toBe(204)
  const saved = await send('progression', { modified: at(10), device: tablet, progression: 0.25 })
  expect([saved.status, saved.headers['content-type'], saved.json]).toEqual([
    200,
    opdsTypes.progression,
    { modified: at(10), device: tablet, progression: 0.25 },
  ])
  expect(await progressOf()).toMatchObject({ currentPage: 25, progressPercentage: 0.25, completed: false })
  const read = await app.ask(`/opds/v2/books/${book}/progression`)
  expect([read.headers['content-type'], read.json]).toEqual([opdsTypes.progression, saved.json])
  const other = await app.ask(`/opds/v2/books/${book}/position`)
  expect([other.headers['content-type'], other.json]).toMatchObject([
    opdsTypes.readiumProgression,
    { modified: at(10), locator: { locations: { totalProgression: 0.25 } } },
  ])
})

test('OPD-1 a page that is named counts, and the end is the end', async () => {
  await send('progression', { modified: at(10), device: tablet, progression: 0.4, references: ['book.cbz#page=41'] })
  expect(await progressOf()).toMatchObject({ currentPage: 41 })
  await send('progression', { modified: at(11), device: tablet, progression: 1 })
  expect(await progressOf()).toMatchObject({ completed: true })
})

test('OPD-1 C12 an older point is a conflict in either protocol, and changes nothing', async () => {
  await send('progression', { modified: at(10), device: tablet, progression: 0.5 })
  const older = await send('progression', { modified: at(9), device: tablet, progression: 0.9 })
  expect([older.status, older.headers['content-type'], older.json]).toMatchObject([
    409,
    'application/problem+json; charset=utf-8',
    { type: 'https://registry.opds.io/error#progression-date', status: 409, error: 'conflict' },
  ])
  const position = { href: '', type: '', locations: { position: 90 } }
  expect((await send('position', { modified: at(9), device: tablet, locator: position })).status).toBe(409)
  expect(await progressOf()).toMatchObject({ currentPage: 50 })
  expect((await send('position', { modified: at(11), device: tablet, locator: position })).status).toBe(204)
  expect(await progressOf()).toMatchObject({ currentPage: 90 })
})

test('OPD-1 C12 after a deletion a device whose clock is behind is heard, in its own order; what it had said before is refused', async () => {
  const slow = '2026-11-20T11:00:00.000Z'
  const later = '2026-11-20T11:00:30.000Z'
  expect((await send('progression', { modified: slow, device: tablet, progression: 0.5 })).status).toBe(200)
  expect((await reader.call(api.deleteProgress, { params: { id: book } })).status).toBe(204)
  expect((await send('progression', { modified: slow, device: tablet, progression: 0.5 })).status).toBe(409)
  expect((await reader.call(api.readProgress, { params: { id: book } })).status).toBe(204)

  expect((await send('progression', { modified: later, device: tablet, progression: 0.1 })).json).toMatchObject({
    progression: 0.1,
  })
  expect(await progressOf()).toMatchObject({ currentPage: 10 })
  const position = { href: '', type: '', locations: { position: 20 } }
  const next = '2026-11-20T11:01:00.000Z'
  expect((await send('position', { modified: next, device: tablet, locator: position })).status).toBe(204)
  expect(await progressOf()).toMatchObject({ currentPage: 20 })
  expect((await send('progression', { modified: later, device: tablet, progression: 0.1 })).status).toBe(409)
  const phone = { id: 'urn:uuid:0191b2a0-0000-4000-8000-000000000002', name: 'Phone' }
  expect((await send('progression', { modified: next, device: phone, progression: 0.9 })).status).toBe(409)
})

test('OPD-1 C12 what a device whose clock is right read before a deletion does not come back', async () => {
  const at = (time: string) => `2026-11-20T${time}:00.000Z`
  await send('progression', { modified: at('12:00'), device: tablet, progression: 0.5 })
  bodyOf(await reader.call(api.markBookUnread, { params: { id: book } }))
  expect((await send('progression', { modified: at('11:59'), device: tablet, progression: 0.6 })).status).toBe(409)
  expect((await reader.call(api.readProgress, { params: { id: book } })).status).toBe(204)
})

test('OPD-1 C12 a clock that was far ahead once, and is right now, keeps nobody from being heard after a deletion', async () => {
  await send('progression', { modified: at(25), device: tablet, progression: 0.5 })
  bodyOf(await reader.call(api.markBookUnread, { params: { id: book } }))
  const right = '2026-11-20T12:00:01.000Z'
  expect((await send('progression', { modified: right, device: tablet, progression: 0.1 })).status).toBe(200)
  expect(await progressOf()).toMatchObject({ currentPage: 10 })
})

test('OPD-1 a page said by its fragment or its address alone is understood; nothing at all is not', async () => {
  const locator = (href: string, locations?: object) => ({ href, type: 'image/jpeg', ...(locations && { locations }) })
  await send('position', { modified: at(10), device: tablet, locator: locator('x', { fragments: ['page=7'] }) })
  expect(await progressOf()).toMatchObject({ currentPage: 7 })
  await send('position', { modified: at(11), device: tablet, locator: locator(`/opds/v2/books/${book}/pages/8`) })
  expect(await progressOf()).toMatchObject({ currentPage: 8 })
  expect((await send('position', { modified: at(12), device: tablet, locator: locator('nowhere') })).status).toBe(400)
  const wrong = await send('progression', { modified: at(12), device: tablet, progression: 7 })
  expect([wrong.status, wrong.json]).toMatchObject([
    400,
    { type: 'https://registry.opds.io/error#progression-invalid-payload' },
  ])
})

test('OPD-1 a device of another application has an address here, always the same', async () => {
  bodyOf(
    await reader.call(api.saveProgression, {
      params: { id: book },
      body: {
        modified: at(10),
        device: { id: 'Büro 1', name: 'Büro' },
        locator: { href: '', type: '', locations: { totalProgression: 0.1 } },
      },
    }),
  )
  const read = await app.ask(`/opds/v2/books/${book}/progression`)
  expect(read.json).toMatchObject({ device: { id: expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/), name: 'Büro' } })
  expect((await app.ask(`/opds/v2/books/${book}/progression`)).json).toEqual(read.json)
})

test('W2 HTTP-3 fields nobody knows are passed over; of a book that is not there nothing is kept', async () => {
  const body = { modified: at(10), device: { ...tablet, model: 'X' }, progression: 0.1, more: true }
  expect((await send('progression', body)).status).toBe(200)
  const gone = await app.ask('/opds/v2/books/019aa3b2-0000-7000-8000-00000000dead/progression', {}, 'PUT', body)
  expect([gone.status, gone.headers['content-type']]).toEqual([404, 'application/problem+json; charset=utf-8'])
})
