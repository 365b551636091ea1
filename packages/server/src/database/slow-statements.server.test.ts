import { CompiledQuery, sql } from 'kysely'
import { expect, test } from 'vitest'
import { eventually } from '../../test/plugins/processes.ts'
import { addLibraryOn } from '../../test/scanning.ts'
import { startServer, type TestServer } from '../../test/start-server.ts'
import { testDialect, testOn } from '../../test/test-database.ts'
import { createLog } from '../platform/log.ts'
import { openDatabase } from './open.ts'
import { slowStatements } from './slow-statements.ts'

type Line = Record<string, unknown>

const slowOnes = (lines: readonly Line[]): Line[] => lines.filter(({ msg }) => msg === 'Slow statement')

const planIn = (line: Line | undefined) => (line?.['plan'] ?? []) as readonly string[]

/** No database counts so far within a millisecond. */
const counting = sql`(with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000000) select count(*) from n)`
const slowMs = 1
const secret = 'wombat-among-the-parameters'

/** The database of a server, opened once more: what a server asks when it starts would take the places of a minute. */
const openBeside = async ({ context }: TestServer) => {
  const lines: Line[] = []
  const log = createLog({ level: 'warn', format: 'json', write: (line) => lines.push(JSON.parse(line) as Line) })
  const onCrash = (error: Error): never => {
    throw error
  }
  const db = await openDatabase(context.config.database, log, onCrash, { slowStatementMs: slowMs })
  return { db, lines, [Symbol.asyncDispose]: () => db.close() }
}

test('T-52 a slow statement is logged with its plan, and neither holds a parameter', async () => {
  await using server = await startServer()
  await using opened = await openBeside(server)
  const { db, lines } = opened
  await sql`select id from "user" where id = ${secret} and ${counting} > 0`.execute(db.readSlowly)

  const find = () => slowOnes(lines).find(({ sql: text }) => String(text).includes('with recursive'))
  await eventually(find).toBeDefined()
  const line = find()
  expect(line).toMatchObject({ level: 'warn', ms: expect.any(Number) })
  expect(String(line?.['sql'])).toMatch(/^select id from "user" where id = (\?|\$1) and /)
  expect(planIn(line).join('\n')).toMatch(testDialect === 'sqlite' ? /SEARCH user USING .*INDEX/ : /Scan .*on "user"/)
  expect(JSON.stringify(lines)).not.toContain(secret)
})

test('CFG-3 the plan of a slow write is asked for without writing a second time', async () => {
  await using server = await startServer()
  await addLibraryOn(server, { roots: ['/srv/books'], name: 'Comics' })
  await using opened = await openBeside(server)
  const { db, lines } = opened
  await db.write(async (db) => {
    await sql`update library set name = name || ${'!'} where ${counting} > 0`.execute(db)
  })

  const find = () => slowOnes(lines).find((each) => String(each['sql']).startsWith('update library'))
  await eventually(find).toBeDefined()
  expect(planIn(find()).length).toBeGreaterThan(0)
  expect(await db.read.selectFrom('library').select('name').execute()).toEqual([{ name: 'Comics!' }])
})

test('CFG-3 a server logs slow statements from where its configuration says', async () => {
  await using server = await startServer({ env: { CARREL_SLOW_STATEMENT_MS: String(slowMs) } })
  await sql`select ${counting} as count`.execute(server.context.db.readSlowly)

  await expect.poll(() => slowOnes(server.logLines).length).toBeGreaterThan(0)
})

test('CFG-3 slow statements are not logged unless somebody wants them', async () => {
  await using server = await startServer()
  await sql`select ${counting} as count`.execute(server.context.db.readSlowly)

  expect(slowOnes(server.logLines)).toEqual([])
})

testOn(
  'sqlite',
  'CFG-3 of slow statements a minute logs ten texts, each once, and the next says how many were left out',
  async () => {
    const lines: Record<string, unknown>[] = []
    const log = createLog({ level: 'warn', format: 'json', write: (line) => lines.push(JSON.parse(line)) })
    let at = 1_000_000
    const statements: string[] = []
    const planOf = async (query: CompiledQuery) => {
      statements.push(query.sql)
      return query.sql === 'statement 1' ? Promise.reject(new Error('it has none')) : ['SCAN']
    }
    const notice = slowStatements({ log, slowMs: 100, planOf, now: () => at })
    const ran = (text: string, queryDurationMillis: number) =>
      notice({ level: 'query', query: CompiledQuery.raw(text, [secret]), queryDurationMillis })

    ran('fast', 99)
    for (let number = 1; number <= 12; number += 1) ran(`statement ${number}`, 100 + number)
    ran('statement 3', 500)
    await eventually(() => lines.length).toBe(10)
    at += 60_000
    ran('statement 3', 500)
    await eventually(() => lines.length).toBe(11)

    expect(statements).toHaveLength(11)
    expect(lines).toContainEqual(expect.objectContaining({ sql: 'statement 1', ms: 101, plan: [] }))
    expect(lines).toContainEqual(expect.objectContaining({ sql: 'statement 2', ms: 102, plan: ['SCAN'] }))
    expect(lines[10]).toMatchObject({ sql: 'statement 3', ms: 500, leftOut: 3 })
  },
)
