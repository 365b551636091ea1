import { join } from 'node:path'
import * as api from '@carrel/api'
import Sqlite from 'better-sqlite3'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { importing, scanHousehold } from '../../../test/stores.ts'
import { newFolder, readAll, sorted, sourceOf, storePath } from '../../../test/stores/read.ts'
import { makeEmptyDatabase, testDialect, testOn } from '../../../test/test-database.ts'
import { databaseAt, readableAddress } from './sources/addresses.ts'
import { codex } from './sources/codex/codex.ts'

/** What SeaORM makes of the same declarations on the other database. */
const declared: Readonly<Record<string, string>> = {
  uuid_text: 'uuid',
  boolean: 'boolean',
  timestamp_with_timezone_text: 'timestamptz',
  json_text: 'json',
  jsonb_text: 'jsonb',
  integer: 'integer',
  bigint: 'bigint',
  float: 'real',
  double: 'double precision',
  text: 'text',
  varchar: 'varchar',
}
const typeOf = (type: string): string => {
  const word = type.toLowerCase().replace(/\(.*$/, '')
  return word === 'blob' ? 'bytea' : (declared[word] ?? 'text')
}

const toPostgres = (type: string, value: unknown): unknown => {
  if (value === null) return null
  if (type === 'uuid') return Buffer.from(value as Uint8Array).toString('hex')
  if (type === 'boolean') return value === 1
  return value
}

const quoted = (name: string): string => `"${name}"`

/** The store of the household, as the same program keeps it on PostgreSQL. */
const fill = async (url: string): Promise<void> => {
  const store = new Sqlite(storePath('codex', 'codex.db'), { readonly: true })
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const tables = store
      .prepare<[], { name: string }>("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
      .all()
    for (const { name } of tables) {
      const columns = store
        .prepare<[string], { name: string; type: string }>('select name, type from pragma_table_info(?)')
        .all(name)
        .map((column) => ({ name: column.name, type: typeOf(column.type) }))
      const fields = columns.map((column) => `${quoted(column.name)} ${column.type}`).join(', ')
      await client.query(`create table ${quoted(name)} (${fields})`)
      const values = columns.map((_, index) => `$${index + 1}`).join(', ')
      for (const row of store.prepare<[], Record<string, unknown>>(`select * from ${quoted(name)}`).all())
        await client.query(
          `insert into ${quoted(name)} values (${values})`,
          columns.map((column) => toPostgres(column.type, row[column.name])),
        )
    }
  } finally {
    await client.end()
    store.close()
  }
}

let database: Awaited<ReturnType<typeof makeEmptyDatabase>>
let server: TestServer
let admin: Person
beforeAll(async () => {
  if (testDialect !== 'postgres') return
  database = await makeEmptyDatabase()
  await fill(database.url)
  server = await startServer()
  admin = await server.person('admin', { username: 'keeper' })
  await scanHousehold(server)
  const value = [new URL(database.url).hostname]
  bodyOf(await admin.call(api.saveSetting, { params: { key: 'imports.allowed_hosts' }, body: { value } }))
})
afterAll(async () => {
  if (testDialect !== 'postgres') return
  await server[Symbol.asyncDispose]()
  await database.remove()
})

test('C25 an address of a database is taken apart, and nothing in it but what is known is heeded', () => {
  const at = (text: string) => readableAddress('codex', text, ['db.example'])
  const address = at('postgres://us%40er:pass%2Fword@db.example:5433/codex?sslmode=verify-full&sslcert=/etc/passwd')
  expect(address?.password).toBe('pass/word')
  expect(address?.url).not.toContain('pass%2Fword')
  expect(databaseAt(address?.url ?? '', 'pass/word')).toEqual({
    host: 'db.example',
    port: 5433,
    user: 'us@er',
    database: 'codex',
    password: 'pass/word',
    encryption: 'checked',
  })
  for (const text of ['postgres://db.example/', 'postgres://%zz@db.example/codex', 'mysql://db.example/codex'])
    expect(() => at(text)).toThrow(/address of the database/)
  expect(() => at('postgres://other.example/codex')).toThrow(/imports\.allowed_hosts/)
})

testOn('postgres', 'C25 a Codex on PostgreSQL says what one on SQLite says', async () => {
  const { address, password } = partsOf(database.url)
  const store = join(newFolder(), 'copied.db')
  await codex.copyDatabase?.(databaseAt(address, password), store)
  // Neither has the folder with the pictures beside it.
  const [copied, original] = [
    await readAll(codex, sourceOf(store, newFolder())),
    await readAll(codex, sourceOf(storePath('codex', 'codex.db'), newFolder())),
  ]
  expect(sorted(copied)).toEqual(sorted(original))
  const db = new Sqlite(store, { readonly: true })
  const columns = db.prepare<[], { name: string }>("select name from pragma_table_info('users')").all()
  db.close()
  expect(columns.map(({ name }) => name)).not.toContain('password_hash')
})

const partsOf = (text: string) => {
  const url = new URL(text)
  const password = decodeURIComponent(url.password)
  url.password = ''
  return { address: url.href, password }
}

testOn('postgres', 'C25 it is taken over by its address, with the password apart or in it', async () => {
  const { read, apply, undo } = importing(server, admin)
  const { address, password } = partsOf(database.url)
  const report = await read({ kind: 'codex', source: { url: address, apiKey: password } })
  expect([report.state, report.fault]).toEqual(['ready', null])
  const applied = await apply(report.id)
  expect([applied.state, applied.fault]).toEqual(['applied', null])
  expect(applied.taken['progress']).toBeGreaterThan(20)
  expect(await undo(report.id)).toMatchObject({ state: 'undone' })
  const result = await read({ kind: 'codex', source: { url: database.url } })
  expect([result.state, result.found]).toEqual(['ready', report.found])
  expect(result.source.url).toBe(address)
  const rows = await server.context.db.read.selectFrom('import_run').selectAll().execute()
  expect(JSON.stringify([rows, server.logLines])).not.toContain(password)
})

testOn('postgres', 'C25 a wrong password, no such database and another program are told apart', async () => {
  const { read } = importing(server, admin)
  const { address, password } = partsOf(database.url)
  const faultOf = async (url: string, apiKey: string) => (await read({ kind: 'codex', source: { url, apiKey } })).fault
  expect(await faultOf(address, 'not the password')).toMatchObject({ code: 'refused' })
  expect(await faultOf(address.replace(/[^/]+$/, 'no_such_database'), password)).toMatchObject({ code: 'not_found' })
  const empty = await makeEmptyDatabase()
  expect(await faultOf(partsOf(empty.url).address, password)).toMatchObject({ code: 'wrong_kind' })
  await empty.remove()
})
