import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { movableClock, second } from '../../../test/movable-clock.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { plainRequest } from '../../../test/plain-request.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'

/** Most of the tests touch their own users alone, and share a server. */
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const save = (person: Person, preferences: Record<string, unknown>) =>
  person.call(api.savePreferences, { body: { preferences } })
const read = async (person: Person) => bodyOf(await person.call(api.readPreferences, {})).preferences

test('C3 preferences are merged: what is named is set, the rest stays', async () => {
  const ana = await server.person('reader')

  expect(await read(ana)).toEqual({})
  await save(ana, { theme: 'dark', 'reader.fit': 'width' })
  const merged = bodyOf(await save(ana, { theme: 'light', shelves: ['a', { b: null }] }))

  const expected = { theme: 'light', 'reader.fit': 'width', shelves: ['a', { b: null }] }
  expect(merged).toStrictEqual({ preferences: expected })
  expect(await read(ana)).toStrictEqual(expected)
  expect(bodyOf(await save(ana, {}))).toStrictEqual({ preferences: expected })
})

test('C3 one preference is saved, read and forgotten', async () => {
  const time = movableClock()
  await using server = await startServer({ clock: time.clock })
  const ana = await server.person('reader')
  const params = { key: 'reader.fit' }

  expect((await ana.call(api.readPreference, { params })).status).toBe(404)
  const saved = bodyOf(await ana.call(api.savePreference, { params, body: { value: 'width' } }))
  time.pass(second)
  const replaced = bodyOf(await ana.call(api.savePreference, { params, body: { value: null } }))

  expect(saved).toStrictEqual({ key: 'reader.fit', value: 'width', updatedAt: '2026-11-21T10:00:00.000Z' })
  expect(replaced).toStrictEqual({ key: 'reader.fit', value: null, updatedAt: '2026-11-21T10:00:01.000Z' })
  expect(bodyOf(await ana.call(api.readPreference, { params }))).toStrictEqual(replaced)
  expect(await read(ana)).toStrictEqual({ 'reader.fit': null })
  expect((await ana.call(api.deletePreference, { params })).status).toBe(204)
  expect((await ana.call(api.deletePreference, { params })).status).toBe(404)
  expect(await read(ana)).toEqual({})
})

test('C3 any JSON value comes back as it was', async () => {
  const ana = await server.person('reader')
  const values = [null, true, 0, -0.5, 1e300, '', 'ünïcödé 漫画 😀', [], {}, [[[]]], { a: { 'b c': [1, '2', null] } }]

  for (const value of values) {
    const { value: stored } = bodyOf(await ana.call(api.savePreference, { params: { key: 'any' }, body: { value } }))
    expect(stored).toStrictEqual(value)
  }
})

test('C3 odd keys are keys like any other', async () => {
  const ana = await server.person('reader')
  const keys = [
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'a/b/c',
    '../up',
    'x?y=z#w',
    '100%',
    '%2F',
    'with space',
    '😀',
    'e\u0301',
    'é',
    "o'hara",
    '"',
    '\\',
    'line\nbreak',
    'x'.repeat(255),
    '😀'.repeat(255),
  ]

  for (const key of keys) {
    const saved = await ana.call(api.savePreference, { params: { key }, body: { value: key } })
    expect([key, bodyOf(saved)]).toMatchObject([key, { key, value: key }])
    expect(bodyOf(await ana.call(api.readPreference, { params: { key } })).value).toBe(key)
  }
  const all = await read(ana)
  expect(Object.keys(all).toSorted()).toEqual(keys.toSorted())
  for (const key of keys) expect(Object.getOwnPropertyDescriptor(all, key)?.value).toBe(key)
  const together = Object.fromEntries(keys.map((key) => [key, { again: key }]))
  const merged = bodyOf(await save(ana, together)).preferences
  // The results are compared as maps: the matchers take a key of this name for the prototype.
  expect(new Map(Object.entries(merged))).toEqual(new Map(Object.entries(together)))
  for (const key of keys) expect((await ana.call(api.deletePreference, { params: { key } })).status).toBe(204)
  expect(await read(ana)).toEqual({})
})

test('C3 a key has 1 to 255 characters', async () => {
  const ana = await server.person('reader')
  const long = 'x'.repeat(256)

  const one = await ana.call(api.savePreference, { params: { key: long }, body: { value: 1 } })
  const many = await save(ana, { fine: 1, [long]: 1 })
  const empty = await save(ana, { '': 1 })

  for (const refused of [one, many, empty]) {
    expect([refused.status, errorOf(refused).error]).toEqual([400, 'validation_failed'])
  }
  expect(await read(ana)).toEqual({})
})

test('C3 a value takes up to 64 KiB of JSON, and is refused above with where', async () => {
  const ana = await server.person('reader')
  const fits = 'x'.repeat(64 * 1024 - 2)
  // The limit counts bytes: each of these characters takes two.
  const wide = 'é'.repeat(32 * 1024 - 1)
  const params = { key: 'big/one' }

  expect((await ana.call(api.savePreference, { params, body: { value: fits } })).status).toBe(200)
  expect((await ana.call(api.savePreference, { params, body: { value: wide } })).status).toBe(200)
  const one = await ana.call(api.savePreference, { params, body: { value: `${fits}x` } })
  const many = await save(ana, { small: 1, 'big/one': `${wide}é` })

  expect(errorOf(one)).toMatchObject({ error: 'validation_failed', details: [{ path: '/value' }] })
  expect(errorOf(many)).toMatchObject({ error: 'validation_failed', details: [{ path: '/preferences/big~1one' }] })
  expect(await read(ana)).toEqual({ 'big/one': wide })
})

test('C3 preferences that are much together come as they are, in parts that are read one after another', async () => {
  const ana = await server.person('reader')
  const large = (from: number) =>
    Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`"${from + index}" é`, { é: 'é'.repeat(10_000) }]))
  const all = { ...large(100), ...large(200), ...large(300) }
  for (const from of [100, 200]) await save(ana, large(from))
  const begin = server.logLines.length

  expect(bodyOf(await save(ana, large(300))).preferences).toStrictEqual(all)
  expect(await read(ana)).toStrictEqual(all)

  const reads = server.logLines.slice(begin).filter(({ sql }) => /select "key", "value".*limit/.test(String(sql)))
  expect(reads).toHaveLength(4)
})

test('C3 a user has up to 1,000 preferences, and one too many changes nothing', async () => {
  const ana = await server.person('reader')
  const ben = await server.person('reader')
  const full = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`key ${index}`, index]))

  expect((await save(ana, full)).status).toBe(200)
  const oneMore = await ana.call(api.savePreference, { params: { key: 'one more' }, body: { value: 1 } })
  const mixed = await save(ana, { 'key 1': 'changed', 'one more': 1 })

  for (const refused of [oneMore, mixed]) {
    expect([refused.status, errorOf(refused).error]).toEqual([409, 'conflict'])
  }
  expect(await read(ana)).toEqual(full)
  expect((await save(ana, { 'key 1': 'changed' })).status).toBe(200)
  expect((await save(ben, { mine: 1 })).status).toBe(200)
  await ana.call(api.deletePreference, { params: { key: 'key 2' } })
  expect((await save(ana, { 'one more': 1 })).status).toBe(200)
})

test('C3 the limit of 1,000 holds when many are saved at once', async () => {
  const ana = await server.person('reader')
  await save(ana, Object.fromEntries(Array.from({ length: 990 }, (_, index) => [`key ${index}`, index])))

  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      ana.call(api.savePreference, { params: { key: `more ${index}` }, body: { value: 1 } }),
    ),
  )

  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(10)
  expect(Object.keys(await read(ana))).toHaveLength(1000)
})

test("C3 another user's preferences are not seen and not touched", async () => {
  const ana = await server.person('reader')
  const admin = await server.person('admin')
  await save(ana, { theme: 'dark' })

  expect(await read(admin)).toEqual({})
  expect((await admin.call(api.readPreference, { params: { key: 'theme' } })).status).toBe(404)
  expect((await admin.call(api.deletePreference, { params: { key: 'theme' } })).status).toBe(404)
  await save(admin, { theme: 'light' })
  expect(await read(ana)).toEqual({ theme: 'dark' })
})

test('W2 a wrong body is refused with where', async () => {
  const ana = await server.person('reader')
  const cases: readonly [string, unknown, string][] = [
    ['/preferences', {}, '/preferences'],
    ['/preferences', { preferences: [] }, '/preferences'],
    ['/preferences', { preferences: {}, userId: ana.id }, '/userId'],
    ['/preferences/theme', {}, '/value'],
    ['/preferences/theme', { value: 1, key: 'other' }, '/key'],
  ]

  for (const [path, body, where] of cases) {
    const { status, json } = await plainRequest(`${server.url}/api/v1/user${path}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${ana.accessToken}` },
      body,
    })
    expect([body, status, json]).toMatchObject([body, 400, { error: 'validation_failed', details: [{ path: where }] }])
  }
})
