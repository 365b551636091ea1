import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../src/platform/ids.ts'
import { errorOf } from '../outcome.ts'
import { plainRequest } from '../plain-request.ts'
import { type Person, startServer, type TestServer } from '../start-server.ts'

let server: TestServer
let reader: Person
beforeAll(async () => {
  server = await startServer()
  reader = await server.person('reader')
})
afterAll(() => server[Symbol.asyncDispose]())

test('CAT-4 what is no condition is refused with the place where it goes wrong', async () => {
  const nested = (depth: number): object =>
    depth === 0 ? { year: { operator: 'isNull' } } : { not: nested(depth - 1) }
  const many = (count: number, each: object) => Array.from({ length: count }, () => each)
  const leaf = { title: { operator: 'is', value: 'x' } }
  const cases: [unknown, string][] = [
    [[], '/condition'],
    ['all', '/condition'],
    [{}, '/condition'],
    [{ allOf: [], anyOf: [] }, '/condition'],
    [{ allOf: {} }, '/condition/allOf'],
    [{ not: [leaf] }, '/condition/not'],
    [{ allOf: [leaf, { anyOf: [{ yeer: { operator: 'eq', value: 1 } }] }] }, '/condition/allOf/1/anyOf/0/yeer'],
    [{ allOf: [leaf, { year: { operator: 'eq', value: '2001' } }] }, '/condition/allOf/1/year/value'],
    [{ year: { operator: 'contains', value: 1 } }, '/condition/year/operator'],
    [{ year: { value: 1 } }, '/condition/year/operator'],
    [{ year: { operator: 'eq' } }, '/condition/year/value'],
    [{ year: { operator: 'eq', value: 1, or: 2 } }, '/condition/year/or'],
    [{ year: { operator: 'between', min: [] } }, '/condition/year/min'],
    [{ year: [] }, '/condition/year'],
    [{ title: { operator: 'is', value: 'x'.repeat(1001) } }, '/condition/title/value'],
    [{ title: { operator: 'is', value: 'x', role: 'writer' } }, '/condition/title/role'],
    [{ author: { operator: 'is', value: 'x', role: null } }, '/condition/author/role'],
    [{ author: { operator: 'isNull', role: 'writer' } }, '/condition/author/role'],
    [{ title: { operator: ['is'], value: 'x' } }, '/condition/title/operator'],
    [{ readStatus: { operator: 'is', value: 'dropped' } }, '/condition/readStatus/value'],
    [{ readStatus: { operator: 'contains', value: 'read' } }, '/condition/readStatus/operator'],
    [{ libraryId: { operator: 'is', value: 'x' } }, '/condition/libraryId/value'],
    [{ libraryId: { operator: 'in', values: [newId(), 7] } }, '/condition/libraryId/values/1'],
    [{ libraryId: { operator: 'in', values: Array(1001).fill(newId()) } }, '/condition/libraryId/values'],
    [{ dateAdded: { operator: 'after', value: 'yesterday' } }, '/condition/dateAdded/value'],
    [{ dateAdded: { operator: 'after', value: '2026-13-01T00:00:00Z' } }, '/condition/dateAdded/value'],
    [{ dateAdded: { operator: 'after', value: '2026-02-30' } }, '/condition/dateAdded/value'],
    [{ dateAdded: { operator: 'between', end: '2026-04-31T00:00:00Z' } }, '/condition/dateAdded/end'],
    [{ isTracked: { operator: 'isTrue', value: true } }, '/condition/isTracked/value'],
    [{ pageCount: { operator: 'eq', value: 1 } }, '/condition/pageCount'],
    [{ constructor: { operator: 'isNull' } }, '/condition/constructor'],
    [{ 'a/b~c': 1 }, '/condition/a~1b~0c'],
    [nested(9), `/condition${'/not'.repeat(9)}`],
    [{ allOf: many(101, leaf) }, '/condition/allOf/100/title'],
    [{ allOf: many(101, { anyOf: [] }) }, '/condition/allOf/100/anyOf'],
  ]
  for (const [condition, path] of cases) {
    const error = errorOf(await reader.call(api.listSeriesByCondition, { body: { condition } as never }))
    expect([JSON.stringify(condition).slice(0, 200), error]).toMatchObject([
      expect.anything(),
      { error: 'validation_failed', details: [{ path }] },
    ])
  }
  for (const condition of [
    nested(8),
    { allOf: many(100, leaf) },
    { libraryId: { operator: 'in', values: Array(1000).fill(newId()) } },
  ])
    expect((await reader.call(api.listSeriesByCondition, { body: { condition } as never })).status).toBe(200)
})

test('CAT-4 bodies made to hurt are refused', async () => {
  const ask = async (body: string) => {
    const { status, json } = await plainRequest(`${server.url}/api/v1/books/list`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${reader.accessToken}` },
    })
    return [status, (json as Partial<api.ErrorReply>).error]
  }
  const deep = (open: string, close: string, depth: number) =>
    `{"condition":${open.repeat(depth)}{"allOf":[]}${close.repeat(depth)}}`
  expect(await ask(deep('{"not":', '}', 100_000))).toEqual([400, 'malformed_request'])
  expect(await ask(deep('{"allOf":[', ']}', 25))).toEqual([400, 'validation_failed'])
  expect(await ask(`{"condition":{"allOf":[${'{},'.repeat(3_500_000)}{}]}}`)).toEqual([413, 'payload_too_large'])
  expect(await ask(`{"condition":{"allOf":[${'{"anyOf":[]},'.repeat(70_000)}{}]}}`)).toEqual([400, 'validation_failed'])
  expect(await ask('{"condition":{"title":{"operator":"is","value":"\\u0000"}}}')).toEqual([400, 'validation_failed'])
  expect(await ask('{"conditions":{}}')).toEqual([400, 'validation_failed'])
  expect(await ask('{"condition":{"__proto__":{"operator":"isNull"}}}')).toEqual([400, 'validation_failed'])
  const ids = Array.from({ length: 250 }, () => newId())
  const leaves = Array.from({ length: 100 }, () => ({ seriesId: { operator: 'notIn', values: ids } }))
  expect(await ask(JSON.stringify({ condition: { allOf: leaves } }))).toEqual([200, undefined])
})
