import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../../test/start-server.ts'
import type { ReadDb } from './database.ts'
import { cachedStatement } from './cached-statement.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await server.context.db.write(async (db) => {
    const rows = Array.from({ length: 70 }, (_, index) => ({ name: `kept ${index}`, value: String(index % 2) }))
    await db.insertInto('secret').values(rows).execute()
  })
})
afterAll(() => server[Symbol.asyncDispose]())

const secrets = cachedStatement(
  (db: ReadDb, { names, value }, order: 'asc' | 'desc') =>
    db
      .selectFrom('secret')
      .select('name')
      .where('name', 'in', names)
      .where('value', '=', value)
      .orderBy('name', order)
      .$if(order === 'desc', (query) => query.limit(1)),
  ['value'],
  ['names'],
)

test('HTTP-3 a statement made once for lists of many lengths finds what is in each, and nothing of another', async () => {
  const { read } = server.context.db
  const namesOf = (from: number, length: number) => Array.from({ length }, (_, index) => `kept ${(from + index) % 70}`)
  const from = server.logLines.length
  for (const length of [1, 2, 3, 4, 5, 16, 17, 33, 64, 65, 70])
    for (const start of [0, 7, 31])
      for (const value of ['0', '1']) {
        const names = namesOf(start, length)
        const expected = names.filter((name) => Number(name.slice(5)) % 2 === Number(value)).toSorted()
        const namesIn = async (order: 'asc' | 'desc') =>
          (await secrets(read, { names, value }, order)).map(({ name }) => name)
        expect(await namesIn('asc')).toEqual(expected)
        expect(await namesIn('desc')).toEqual(expected.slice(-1))
      }
  const texts = new Set(server.logLines.slice(from).flatMap(({ sql }) => (typeof sql === 'string' ? sql : [])))
  expect([...texts].filter((sql) => sql.includes('"secret"')).length).toBeLessThanOrEqual(2 * 7)
})
