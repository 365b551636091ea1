import * as api from '@carrel/api'
import Sqlite from 'better-sqlite3'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { bodyOf } from '../../test/outcome.ts'
import { waitUntil } from '../../test/smoke/wait-until.ts'
import { startServer, type TestServer } from '../../test/start-server.ts'
import { testDialect } from '../../test/test-database.ts'
import { enqueueNow, testTask, workOn } from '../../test/work.ts'
import type { DatabaseAddress } from '../database/open.ts'

/** It collects all statements on the queue while tasks come, wait, fail, are retried and end. */
const statementsOfWork = async (server: TestServer): Promise<string[]> => {
  const admin = await server.person('admin')
  let tries = 0
  const task = testTask(
    async (_, { finish, progress }) => {
      tries += 1
      progress({ current: tries, total: 2, message: null })
      if (tries === 1) throw new Error('Again')
      await finish(async () => undefined)
      return undefined
    },
    { key: ({ name }) => name, runsAgain: true },
  )
  const before = server.logLines.length
  {
    await using _ = workOn(server, [task])
    const { taskId } = await enqueueNow(server, task)
    for (let count = 0; count < 2; count += 1) await enqueueNow(server, task, 'later', new Date(Date.now() + 3_600_000))
    await waitUntil('its end', async () => {
      const { status } = bodyOf(await admin.call(api.readTask, { params: { id: taskId } }))
      return status === 'completed'
    })
  }
  const all = new Set(server.logLines.slice(before).map(({ sql }) => String(sql)))
  return [...all].filter((sql) => /\b(from|update) "?(task|worker|event)\b/.test(sql))
}

const plansOf = async (address: DatabaseAddress, statements: readonly string[]): Promise<string[]> => {
  if (address.kind === 'sqlite') return sqlitePlans(address.file, statements)
  const client = new Client({ connectionString: address.url })
  await client.connect()
  try {
    // The planner would rather scan a table of few rows.
    await client.query('set enable_seqscan = off')
    const plans: string[] = []
    for (const sql of statements) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${sql}`)
      plans.push(...rows.map((row) => `${row['QUERY PLAN']} in ${sql}`))
    }
    return plans
  } finally {
    await client.end()
  }
}

const sqlitePlans = (file: string, statements: readonly string[]): string[] => {
  const database = new Sqlite(file, { readonly: true })
  try {
    return statements.flatMap((sql) => {
      const parameters = Array.from({ length: (sql.match(/\?/g) ?? []).length }, () => null)
      const plan = database.prepare<unknown[], { detail: string }>(`explain query plan ${sql}`).all(...parameters)
      return plan.map(({ detail }) => `${detail} in ${sql}`)
    })
  } finally {
    database.close()
  }
}

test('W1 what the queue is asked again and again is answered from indexes, however many tasks there were', async () => {
  await using server = await startServer()
  const statements = await statementsOfWork(server)

  const plans = await plansOf(server.context.config.database, statements)

  const scan =
    testDialect === 'sqlite' ? /^SCAN (task|candidate|held|event)\b(?!.*USING)/ : /Seq Scan on (task|event)\b/
  expect(statements.length).toBeGreaterThan(10)
  expect(plans.filter((plan) => scan.test(plan))).toEqual([])
  // Whoever looks for a key does not walk through all that wait.
  expect(plans.filter((plan) => /^SEARCH (task|earlier) USING .*task_by_status .*\bkey"? = /s.test(plan))).toEqual([])
  for (const index of ['task_due', 'task_waiting', 'task_held', 'task_held_key']) {
    expect(plans.filter((plan) => new RegExp(`\\b${index} `).test(plan))).not.toEqual([])
  }
})
