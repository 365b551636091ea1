import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AddedLibrary, type AddedSeries, addBooks, addLibrary, addSeries } from '../../../test/content.ts'
import { unknownId } from '../../../test/contract/inputs.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { plainRequest } from '../../../test/plain-request.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { insertMany } from '../../database/many.ts'
import { carryOver } from '../../database/carry-over.ts'
import { readerSettingRule } from './reader-settings.ts'

let server: TestServer
let library: AddedLibrary
let other: AddedLibrary
let series: AddedSeries
beforeAll(async () => {
  server = await startServer()
  const { db } = server.context
  library = await addLibrary(db, { name: 'Manga' })
  other = await addLibrary(db, { name: 'Comics', path: '/data/comics' })
  series = await addSeries(db, library, { title: 'Alpha' })
  await addBooks(db, series, [{}])
})
afterAll(() => server[Symbol.asyncDispose]())

const settingsOf = ({ call }: Person) => ({
  read: (query: { deviceId?: string; libraryId?: string; seriesId?: string } = {}) =>
    call(api.readReaderSettings, { query }),
  save: (level: api.ReaderLevel, id: string, values: api.ReaderSettingsChange) =>
    call(api.saveReaderSettings, { params: { level, id }, body: { values } }),
})

test('C17 the series counts more than the library, that more than the device, that more than everywhere', async () => {
  const ana = await server.person('reader')
  const { read, save } = settingsOf(ana)
  expect(bodyOf(await read())).toEqual({ effective: {}, levels: [{ level: 'user', id: ana.id, values: {} }] })

  bodyOf(await save('user', ana.id, { fit: 'width', gap: 1, background: 'black', spreads: 'double' }))
  bodyOf(await save('device', 'phone/1 é', { gap: 2, background: 'grey', spreads: 'single' }))
  bodyOf(await save('library', library.id, { background: 'white', spreads: 'auto' }))
  const saved = bodyOf(await save('series', series.id, { spreads: 'double', coverAlone: false }))
  expect(saved).toEqual({ level: 'series', id: series.id, values: { spreads: 'double', coverAlone: false } })

  const everything = { fit: 'width', gap: 2, background: 'white', spreads: 'double', coverAlone: false }
  const all = bodyOf(await read({ deviceId: 'phone/1 é', libraryId: library.id, seriesId: series.id }))
  expect(all).toEqual({
    effective: everything,
    levels: [
      { level: 'user', id: ana.id, values: { fit: 'width', gap: 1, background: 'black', spreads: 'double' } },
      { level: 'device', id: 'phone/1 é', values: { gap: 2, background: 'grey', spreads: 'single' } },
      { level: 'library', id: library.id, values: { background: 'white', spreads: 'auto' } },
      { level: 'series', id: series.id, values: { spreads: 'double', coverAlone: false } },
    ],
  })
  // A series includes its library; levels without settings are there, and empty.
  expect(bodyOf(await read({ deviceId: 'phone/1 é', seriesId: series.id }))).toEqual(all)
  expect(bodyOf(await read({ deviceId: 'tablet', libraryId: other.id }))).toEqual({
    effective: { fit: 'width', gap: 1, background: 'black', spreads: 'double' },
    levels: [
      all.levels[0],
      { level: 'device', id: 'tablet', values: {} },
      { level: 'library', id: other.id, values: {} },
    ],
  })
})

test('C17 what is named is set, null takes it back, the rest stays', async () => {
  const ana = await server.person('reader')
  const { read, save } = settingsOf(ana)

  bodyOf(await save('user', ana.id, { direction: 'rtl', gap: 12 }))
  expect(bodyOf(await save('user', ana.id, { direction: null, fit: 'screen' })).values).toEqual({
    gap: 12,
    fit: 'screen',
  })
  expect(bodyOf(await save('user', ana.id, {})).values).toEqual({ gap: 12, fit: 'screen' })
  expect(bodyOf(await save('user', ana.id, { gap: null, fit: null, spreads: null })).values).toEqual({})
  expect(bodyOf(await read()).effective).toEqual({})
  const stored = server.context.db.read.selectFrom('reader_setting').selectAll().where('user_id', '=', ana.id)
  expect(await stored.execute()).toEqual([])
})

test("C17 HTTP-3 nobody says how others read, nor finds out about what they can't see", async () => {
  const ana = await server.person('reader')
  const ben = await server.person('reader', { access: { libraries: [other.id] } })
  const { save, read } = settingsOf(ben)
  bodyOf(await settingsOf(ana).save('series', series.id, { fit: 'height' }))
  bodyOf(await settingsOf(ana).save('device', 'shared', { fit: 'height' }))

  expect(bodyOf(await read({ deviceId: 'shared' })).effective).toEqual({})
  for (const refused of [
    await read({ seriesId: series.id }),
    await read({ libraryId: library.id }),
    await read({ seriesId: unknownId }),
    await save('series', series.id, { fit: 'width' }),
    await save('library', library.id, { fit: 'width' }),
    await save('user', ana.id, { fit: 'width' }),
    await save('series', 'not an id', { fit: 'width' }),
  ]) {
    expect([refused.status, errorOf(refused).error]).toEqual([404, 'not_found'])
  }
  expect((await read({ libraryId: other.id })).status).toBe(200)
})

test('C17 W2 only what there is can be said, and within its limits', async () => {
  const ana = await server.person('reader')
  const cases: readonly [string, unknown, string][] = [
    [`user/${ana.id}`, {}, '/values'],
    [`user/${ana.id}`, { values: { zoom: 2 } }, '/values/zoom'],
    [`user/${ana.id}`, { values: { fit: 'wide' } }, '/values/fit'],
    [`user/${ana.id}`, { values: { gap: 101 } }, '/values/gap'],
    [`user/${ana.id}`, { values: { gap: 1.5 } }, '/values/gap'],
    [`user/${ana.id}`, { values: { sidePadding: -1 } }, '/values/sidePadding'],
    [`user/${ana.id}`, { values: { textColour: 'url(https://evil.example)' } }, '/values/textColour'],
    [`user/${ana.id}`, { values: { textFont: 'own:../../x' } }, '/values/textFont'],
    [`user/${ana.id}`, { values: { textSize: 401 } }, '/values/textSize'],
    [`book/${ana.id}`, { values: {} }, 'level'],
    [`device/${'x'.repeat(129)}`, { values: {} }, 'id'],
  ]
  for (const [path, body, where] of cases) {
    const { status, json } = await plainRequest(`${server.url}/api/v1/user/reader-settings/${path}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${ana.accessToken}` },
      body,
    })
    expect([body, status, json]).toMatchObject([body, 400, { error: 'validation_failed', details: [{ path: where }] }])
  }
})

test('C17 one too many is refused and changes nothing', async () => {
  const ana = await server.person('reader')
  const { save, read } = settingsOf(ana)
  const full = Array.from({ length: api.readerSettingsMax }, (_, index) => row(ana.id, 'device', `device ${index}`))
  await server.context.db.write((db) => insertMany(db, 'reader_setting', full))

  const refused = await save('device', 'one more', { gap: 1 })
  expect([refused.status, errorOf(refused).error]).toEqual([409, 'conflict'])
  expect(bodyOf(await read({ deviceId: 'one more' })).effective).toEqual({})
  expect((await save('device', 'device 7', { gap: 8 })).status).toBe(200)
  expect((await save('device', 'device 7', { gap: null, fit: null })).status).toBe(200)
  expect((await save('device', 'one more', { gap: 1 })).status).toBe(200)
})

const row = (user_id: string, level: api.ReaderLevel, subject: string, updated_at = '2026-11-01T10:00:00.000Z') => ({
  user_id,
  level,
  subject,
  library_id: level === 'library' ? subject : null,
  series_id: level === 'series' ? subject : null,
  settings: '{"fit":"width"}',
  updated_at,
})

test('C17 CAT-7 a series that becomes another is read as before, unless that one is read in a way of its own', async () => {
  const { db } = server.context
  const ana = await server.person('reader')
  const ben = await server.person('reader')
  const [one, two, into] = [
    await addSeries(db, library, { title: 'One' }),
    await addSeries(db, library, { title: 'Two' }),
    await addSeries(db, library, { title: 'Into' }),
  ]
  await addBooks(db, into, [{}])
  await db.write(async (db) => {
    await insertMany(db, 'reader_setting', [
      { ...row(ana.id, 'series', one.id), settings: '{"gap":1}' },
      { ...row(ana.id, 'series', two.id, '2026-11-02T10:00:00.000Z'), settings: '{"gap":2}' },
      { ...row(ben.id, 'series', one.id, '2026-11-02T10:00:00.000Z'), settings: '{"gap":3}' },
      { ...row(ben.id, 'series', into.id), settings: '{"gap":4}' },
    ])
    await carryOver(db, readerSettingRule, { fromIds: [one.id, two.id], intoId: into.id, now: new Date() })
    await db.deleteFrom('series').where('id', 'in', [one.id, two.id]).execute()
  })

  const gapOf = async (person: Person) => bodyOf(await settingsOf(person).read({ seriesId: into.id })).effective
  expect([await gapOf(ana), await gapOf(ben)]).toEqual([{ gap: 2 }, { gap: 4 }])
  const left = db.read.selectFrom('reader_setting').select('series_id').where('user_id', 'in', [ana.id, ben.id])
  expect(await left.execute()).toEqual([{ series_id: into.id }, { series_id: into.id }])
})
