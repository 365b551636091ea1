import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startNodes } from './nodes.ts'
import { quickTask } from './programs/test-tasks.ts'
import { times } from './torture.ts'
import { waitUntil } from './wait-until.ts'

const writers = 50
const turns = times(20, 200)

test(
  'W1 a thousand times read and then written while a worker process writes to the same SQLite file: not one error',
  async () => {
    await using nodes = await startNodes('sqlite')
    const { database } = nodes
    await database.write((db) => sql`create table counter (n integer not null)`.execute(db))
    await database.write((db) => sql`insert into counter (n) values (0)`.execute(db))
    await using worker = await nodes.startWorker()
    const names = Array.from({ length: 15 * turns }, (_, index) => `quick-${index}`)
    const count = () =>
      database.write(async (db) => {
        const { rows } = await sql<{ n: number }>`select n from counter`.execute(db)
        await sql`update counter set n = ${(rows[0]?.n ?? Number.NaN) + 1}`.execute(db)
      })
    await nodes.enqueue(quickTask, names)
    await waitUntil('the worker to write', async () => (await nodes.effects()).length > 0)

    const outcomes = await Promise.allSettled(
      Array.from({ length: writers }, async () => {
        for (let turn = 0; turn < turns; turn += 1) await count()
      }),
    )
    const meanwhile = (await nodes.effects()).length

    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
    const { rows } = await sql<{ n: number }>`select n from counter`.execute(database.read)
    expect(rows).toEqual([{ n: writers * turns }])
    expect(meanwhile).toBeGreaterThan(1)
    await waitUntil('the worker to have done its part', async () => (await nodes.effects()).length === names.length)
    expect(nodes.notes().filter(({ what }) => what === 'refused')).toEqual([])
    expect(worker.stdout()).not.toContain('"level":"error"')
    console.log(`  figure: ${writers * turns} writes, and ${meanwhile} effects of the worker meanwhile`)
  },
  times(60_000, 600_000),
)
