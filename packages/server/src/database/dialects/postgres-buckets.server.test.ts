import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { waitUntil } from '../../../test/smoke/wait-until.ts'
import { makeDatabase, testOn } from '../../../test/test-database.ts'
import { createLog } from '../../platform/log.ts'
import type { SharedBuckets } from '../../platform/shared-buckets.ts'
import type { Database } from '../database.ts'
import { openDatabase } from '../open.ts'

interface Opened extends AsyncDisposable {
  readonly database: Database
  readonly draw: SharedBuckets['draw']
}

const open = async (): Promise<Opened> => {
  const directory = await mkdtemp(join(tmpdir(), 'carrel-buckets-'))
  const { address, remove } = await makeDatabase(directory)
  const database = await openDatabase(address, createLog({ level: 'silent', format: 'json' }), (error) => {
    throw error
  })
  return {
    database,
    draw: async (draw) => {
      if (!database.buckets) throw new Error('This database has no shared buckets')
      return database.buckets.draw(draw)
    },
    async [Symbol.asyncDispose]() {
      await database.close()
      await remove()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** The bucket then looks as if the last draw had been that much earlier. */
const age = ({ write }: Database, seconds: number) =>
  write((db) => sql`update rate_bucket set filled_at = filled_at - ${seconds * 1_000_000}`.execute(db))

/** It is filled so slowly that no token comes back while a test runs. */
const slow = { key: 'network 192.0.2.1', rate: 0.001, burst: 50 }
const rounded = (tokens: number): number => Math.round(tokens)

testOn('sqlite', 'LIM-3 where one node serves, there are no shared buckets and no table for them', async () => {
  await using opened = await open()
  const { buckets, dialect, read } = opened.database

  expect([buckets, await dialect.tableExists(read, 'rate_bucket')]).toEqual([undefined, false])
})

testOn('postgres', 'LIM-3 draws are not logged: they wait for no disk, and a crash fills all buckets', async () => {
  await using opened = await open()
  const { rows } = await sql<{ relpersistence: string }>`
    select relpersistence from pg_class where oid = 'rate_bucket'::regclass`.execute(opened.database.read)

  expect(rows).toEqual([{ relpersistence: 'u' }])
})

testOn('postgres', 'LIM-3 a bucket gives what it has, whole tokens, and no more', async () => {
  await using opened = await open()
  const given = []
  for (const tokens of [1, 5, 40, 9, 9]) {
    const drawn = await opened.draw({ ...slow, tokens })
    given.push([drawn.given, rounded(drawn.left)])
  }

  expect(given).toEqual([
    [1, 49],
    [5, 44],
    [40, 4],
    [4, 0],
    [0, 0],
  ])
  expect(await opened.draw({ ...slow, key: 'network 192.0.2.2', tokens: 5 })).toMatchObject({ given: 5, left: 45 })
})

testOn('postgres', 'LIM-3 the clock of the database fills a bucket, up to the burst', async () => {
  await using opened = await open()
  const measure = { ...slow, rate: 1 }
  await opened.draw({ ...measure, tokens: 50 })
  await age(opened.database, 20)
  const { given, left } = await opened.draw({ ...measure, tokens: 1 })
  expect([given, Math.floor(left)]).toEqual([1, 19])
  await age(opened.database, 1000)
  expect(await opened.draw({ ...measure, tokens: 1 })).toMatchObject({ given: 1, left: 49 })
})

testOn('postgres', 'LIM-3 a database whose clock was set back takes no token away', async () => {
  await using opened = await open()
  await opened.draw({ ...slow, tokens: 10 })
  await age(opened.database, -3600)

  expect(rounded((await opened.draw({ ...slow, tokens: 10 })).left)).toBe(30)
  await age(opened.database, 3600)
  expect(rounded((await opened.draw({ ...slow, rate: 0.01, tokens: 1 })).left)).toBe(50 - 1)
})

testOn('postgres', 'LIM-3 what was not used counts as never drawn, unless somebody has drawn since', async () => {
  await using opened = await open()
  const { stamp } = await opened.draw({ ...slow, tokens: 10 })
  const again = await opened.draw({ ...slow, tokens: 1, since: { stamp, unused: 6 } })
  expect(rounded(again.left)).toBe(45)
  expect(again.stamp).not.toBe(stamp)
  expect(rounded((await opened.draw({ ...slow, tokens: 1, since: { stamp, unused: 6 } })).left)).toBe(44)
})

testOn('postgres', 'LIM-3 what a node used beyond its draw is taken off, down to nothing', async () => {
  await using opened = await open()
  const { stamp } = await opened.draw({ ...slow, tokens: 10 })
  const again = await opened.draw({ ...slow, tokens: 1, since: { stamp, unused: -30 } })
  expect(rounded(again.left)).toBe(9)
  expect(await opened.draw({ ...slow, tokens: 1, since: { stamp: again.stamp, unused: -30 } })).toMatchObject({
    given: 0,
    left: 0,
  })
})

testOn('postgres', 'CFG-4 LIM-3 a smaller burst counts at the next draw', async () => {
  await using opened = await open()
  await opened.draw({ ...slow, tokens: 1 })

  expect(await opened.draw({ ...slow, burst: 7, tokens: 7 })).toMatchObject({ given: 7, left: 0 })
})

testOn('postgres', 'LIM-3 draws that come at once give every token once', async () => {
  await using opened = await open()
  const drawn = await Promise.all(Array.from({ length: 30 }, () => opened.draw({ ...slow, tokens: 3 })))

  expect(drawn.reduce((sum, { given }) => sum + given, 0)).toBe(50)
  expect(new Set(drawn.map(({ stamp }) => stamp)).size).toBe(30)
})

testOn(
  'postgres',
  'LIM-3 buckets that are full lose their rows, thousands at a time, and others keep theirs',
  async () => {
    await using opened = await open()
    const rows = async () => {
      const { rows } = await sql<{ key: string }>`select key from rate_bucket order by key`.execute(
        opened.database.read,
      )
      return rows.map(({ key }) => key)
    }
    await opened.database.write((db) =>
      sql`insert into rate_bucket (key, tokens, filled_at, full_at, given)
      select 'full ' || n, 49, 0, 1000, 1 from generate_series(1, 25000) as n`.execute(db),
    )
    const left = await waitUntil('the rows to go', async () => {
      await opened.draw({ ...slow, tokens: 1 })
      const keys = await rows()
      return keys.length < 100 && keys
    })

    expect(left).toEqual([slow.key])
  },
)
