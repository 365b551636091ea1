import * as api from '@carrel/api'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { addBooks, addLibrary, addSeries, type AddedSeries } from './content.ts'
import { migrateFresh } from './migrate-fresh.ts'
import { bodyOf } from './outcome.ts'
import { requirePgBouncer, startPgBouncer } from './pgbouncer.ts'
import { startPostgres, type TestFollower, type TestPostgres } from './postgres.ts'
import { waitUntil } from './smoke/wait-until.ts'
import { type Person, startServer, type TestServer } from './start-server.ts'
import { testDialect, testOn } from './test-database.ts'
import { readConfig } from '../src/config.ts'
import { examineReplica } from '../src/features/doctor/replica.ts'
import type { Replica } from '../src/database/replica.ts'

const name = 'installation'
let primary: TestPostgres
let follower: TestFollower

beforeAll(async () => {
  if (testDialect !== 'postgres') return
  primary = await startPostgres({ mayFollow: true })
  await primary.createDatabase(name)
  await migrateFresh({ kind: 'postgres', url: primary.urlOf(name) })
  follower = await primary.startFollower()
}, 120_000)
afterAll(async () => {
  if (testDialect !== 'postgres') return
  await follower.stop()
  await primary.stop()
})

const ask = async <Row extends object>(server: TestPostgres | TestFollower, statement: string): Promise<Row[]> => {
  const client = new Client({ connectionString: server.urlOf(name) })
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}

/** What has been committed so far is at the replica too. */
const catchUp = async (): Promise<void> => {
  const [at] = await ask<{ position: string }>(primary, 'select pg_current_wal_insert_lsn()::text as position')
  // What commits without waiting is written a moment later.
  await ask(primary, 'checkpoint')
  await waitUntil('the replica to have all', async () => {
    const [row] = await ask<{ has: boolean }>(
      follower,
      `select pg_last_wal_replay_lsn() >= '${at?.position}'::pg_lsn as has`,
    )
    return row?.has
  })
}

const pauseReplay = async (): Promise<void> => {
  await ask(follower, 'select pg_wal_replay_pause()')
  onTestFinished(async () => {
    await ask(follower, 'select pg_wal_replay_resume()')
  })
  await waitUntil('the replay to pause', async () => {
    const [row] = await ask<{ state: string }>(follower, 'select pg_get_wal_replay_pause_state() as state')
    return row?.state === 'paused'
  })
}

const replicaOf = ({ context: { db } }: TestServer): Replica => {
  if (!db.replica) throw new Error('There is no replica')
  return db.replica
}

const statusOf = async (server: TestServer, expected: string): Promise<void> => {
  await waitUntil(
    () => `the replica to be ${expected}: ${JSON.stringify(replicaOf(server).figures())}`,
    () => replicaOf(server).figures().status === expected,
  )
}

/** Whatever is paused for a test is not too far behind for it. */
const patientMs = 600_000

const startAt = (url: string, lagMs = patientMs) =>
  startServer({
    address: { kind: 'postgres', url: primary.urlOf(name), replica: { url, lagMs } },
    env: { CARREL_METRICS_ENABLED: 'true' },
  })

const started = async (lagMs = patientMs) => {
  const server = await startAt(follower.urlOf(name), lagMs)
  await statusOf(server, 'follows')
  return server
}

const withSeries = async (
  { context: { db } }: TestServer,
  title: string,
): Promise<AddedSeries & { bookIds: string[] }> => {
  const series = await addSeries(db, await addLibrary(db), { title })
  const bookIds = await addBooks(db, series, [{ page_count: 20 }, { page_count: 20 }])
  return { ...series, bookIds }
}

/** How many statements the replica answers meanwhile. */
const answered = async (server: TestServer, work: () => Promise<{ readonly ok: boolean }>): Promise<number> => {
  const before = replicaOf(server).figures().answered
  expect(await work()).toMatchObject({ ok: true })
  return replicaOf(server).figures().answered - before
}

const heavy: Readonly<Record<string, (person: Person) => Promise<{ readonly ok: boolean }>>> = {
  'all books': ({ call }) => call(api.listBooks, { query: { pageSize: 10 } }),
  'all series': ({ call }) => call(api.listSeries, { query: { pageSize: 10 } }),
  'unread books': ({ call }) =>
    call(api.listBooksByCondition, {
      query: { pageSize: 10 },
      body: { condition: { readStatus: { operator: 'is', value: 'unread' } } },
    }),
  letters: ({ call }) => call(api.readSeriesLetters, { query: {}, body: {} }),
  facets: ({ call }) => call(api.readBookFacets, { body: { facets: ['genre'] } }),
  'a search': ({ call }) => call(api.search, { query: { q: 'nemo' } }),
  suggestions: ({ call }) => call(api.suggest, { query: { q: 'nem' } }),
  home: ({ call }) => call(api.readHome, { query: {} }),
  figures: ({ call }) => call(api.readReadingStats, { query: {} }),
  'a year': ({ call }) => call(api.readReadingYear, { query: { year: 2026 } }),
  genres: ({ call }) => call(api.listGenres, { query: {} }),
  collections: ({ call }) => call(api.listCollections, { query: {} }),
  'read lists': ({ call }) => call(api.listReadLists, { query: {} }),
  'what is wanted': ({ call }) => call(api.listWantToRead, { query: {} }),
}

const newest: Readonly<Record<string, (person: Person, bookId: string) => Promise<{ readonly ok: boolean }>>> = {
  preferences: ({ call }) => call(api.readPreferences, {}),
  sessions: ({ call }) => call(api.listSessions, {}),
  bookmarks: ({ call }, id) => call(api.listBookmarks, { params: { id } }),
  notifications: ({ call }) => call(api.listNotifications, { query: {} }),
  progress: ({ call }, id) => call(api.readProgress, { params: { id } }),
}

testOn(
  'postgres',
  'W1 lists, searches and figures are read from the replica, and what must be the newest is not',
  async () => {
    await using server = await started()
    const { bookIds } = await withSeries(server, 'Nemo')
    const reader = await server.person('reader')
    // Whoever asks for figures first has them counted.
    bodyOf(await reader.call(api.readReadingStats, { query: {} }))
    await catchUp()

    const few: string[] = []
    for (const [what, work] of Object.entries(heavy))
      if ((await answered(server, () => work(reader))) === 0) few.push(what)
    const many: string[] = []
    for (const [what, work] of Object.entries(newest))
      if ((await answered(server, () => work(reader, bookIds[0] ?? ''))) > 0) many.push(what)

    expect({ few, many }).toEqual({ few: [], many: [] })
  },
)

testOn(
  'postgres',
  'W1 a list comes from the replica while that has all of which marks tell, and not when it is far behind',
  async () => {
    await using patient = await started()
    await using strict = await started(1000)
    const { id } = await withSeries(patient, 'Zebra')
    const reader = await patient.person('reader')
    await catchUp()
    await pauseReplay()
    // No mark tells of it, so that the answer says where it was read.
    await ask(primary, `update series set title = 'Changed by hand' where id = '${id}'`)
    let pageSize = 10
    const titles = async ({ callWith }: TestServer) => {
      const call = callWith({ authorization: `Bearer ${reader.accessToken}` })
      const { data } = bodyOf(await call(api.listSeries, { query: { pageSize: (pageSize += 1) } }))
      return data.map(({ title }) => title)
    }

    expect(await titles(patient)).toContain('Zebra')
    await statusOf(strict, 'behind')
    expect(await titles(strict)).toContain('Changed by hand')
    expect(await titles(patient)).toContain('Zebra')
    await ask(follower, 'select pg_wal_replay_resume()')
    await catchUp()
    await statusOf(strict, 'follows')
    const isNew = async () => ({ ok: (await titles(strict)).includes('Changed by hand') })
    expect(await answered(strict, isNew)).toBeGreaterThan(0)
  },
)

testOn(
  'postgres',
  'W1 HTTP-4 while the replica stands still whoever writes reads it at once, so do others, and no ETag tells them otherwise',
  async () => {
    await using server = await started()
    const { id, bookIds } = await withSeries(server, 'Alma')
    const [bookId = ''] = bookIds
    const [writer, other, editor] = [
      await server.person('reader'),
      await server.person('reader'),
      await server.person('admin'),
    ]
    await catchUp()
    const list = async ({ accessToken }: Person, etag?: string) => {
      const answer = await fetch(`${server.url}/api/v1/books?pageSize=100`, {
        headers: { authorization: `Bearer ${accessToken}`, ...(etag !== undefined && { 'if-none-match': etag }) },
      })
      const body = answer.status === 200 ? ((await answer.json()) as { data: api.BookDto[] }) : undefined
      const book = body?.data.find((each) => each.id === bookId)
      return {
        status: answer.status,
        etag: answer.headers.get('etag') ?? '',
        page: book?.readProgress?.currentPage,
        of: book?.seriesName,
      }
    }
    const [before, beforeOther] = [await list(writer), await list(other)]
    await pauseReplay()

    bodyOf(await writer.call(api.saveProgress, { params: { id: bookId }, body: { currentPage: 7 } }))
    const after = await list(writer, before.etag)
    expect(after).toMatchObject({ status: 200, page: 7 })
    expect(await list(writer, after.etag)).toMatchObject({ status: 304 })
    // Nothing has changed for them: the replica may still be asked.
    expect(await list(other, beforeOther.etag)).toMatchObject({ status: 304 })
    expect(await answered(server, () => other.call(api.listBooks, { query: { pageSize: 3 } }))).toBeGreaterThan(0)

    bodyOf(await editor.call(api.editSeriesMetadata, { params: { id }, body: { title: 'Belle' } }))
    const changed = await list(other, beforeOther.etag)
    expect(changed).toMatchObject({ status: 200, of: 'Belle' })
    expect(await list(writer, after.etag)).toMatchObject({ status: 200, page: 7, of: 'Belle' })
    expect(await answered(server, () => other.call(api.listBooks, { query: { pageSize: 4 } }))).toBe(0)

    await ask(follower, 'select pg_wal_replay_resume()')
    await catchUp()
    await statusOf(server, 'follows')
    expect(await list(other, changed.etag)).toMatchObject({ status: 304 })
    expect(await answered(server, () => other.call(api.listBooks, { query: { pageSize: 5 } }))).toBeGreaterThan(0)
  },
)

testOn(
  'postgres',
  'P-12 HTTP-8 a replica that dies while lists are read makes no error, is left alone, and is asked again when it is back',
  async () => {
    await using server = await started()
    await withSeries(server, 'Dory')
    const reader = await server.person('reader')
    await catchUp()
    const over = new AbortController()
    const statuses: number[] = []
    let pageSize = 20
    const reading = Array.from({ length: 4 }, async () => {
      while (!over.signal.aborted) {
        pageSize = (pageSize % 200) + 1
        statuses.push((await reader.call(api.listBooks, { query: { pageSize } })).status)
        statuses.push((await reader.call(api.readSeriesLetters, { query: {}, body: {} })).status)
      }
    })
    await waitUntil('lists from the replica', () => replicaOf(server).figures().answered > 20)
    await follower.kill()
    await statusOf(server, 'away')
    const { length } = statuses
    await waitUntil('lists without it', () => statuses.length > length + 20)
    over.abort()
    await Promise.all(reading)
    expect([...new Set(statuses)]).toEqual([200])

    await using later = await startAt(follower.urlOf(name))
    bodyOf(await reader.call(api.listBooks, { query: { pageSize: 1 } }))
    await statusOf(later, 'away')
    await follower.resume()
    await statusOf(server, 'follows')
    await statusOf(later, 'follows')
    expect(await answered(server, () => reader.call(api.listBooks, { query: { pageSize: 2 } }))).toBeGreaterThan(0)
    const told = server.logLines.filter(({ msg }) => typeof msg === 'string' && msg.startsWith('The replica '))
    // On a busy machine it may seem to be away another time.
    expect(told.map(({ level }) => level).slice(0, 3)).toEqual(['info', 'warn', 'info'])
    expect(told.filter(({ level }, index) => level === told[index - 1]?.level)).toEqual([])
  },
)

testOn(
  'postgres',
  'P-12 what a replica ends because it is in the way of the replay is asked of the database itself',
  async () => {
    await ask(primary, 'create table in_the_way (id text)')
    await using server = await started()
    await catchUp()
    const { db } = server.context
    const mark = await db.changeMark('')
    const before = replicaOf(server).figures()
    const slow = sql<{ follows: boolean }>`
    select pg_is_in_recovery() as follows, case when pg_is_in_recovery() then pg_sleep(600)::text end
    from (select count(*) from in_the_way) as counted`
    const reading = replicaOf(server).readAsOf({ reader: '', mark }, () => slow.execute(db.readSlowly))
    await waitUntil('the replica to be busy with it', async () => {
      const rows = await ask(
        follower,
        `select 1 from pg_stat_activity where query like '%pg_sleep(600)%' and pid <> pg_backend_pid()`,
      )
      return rows.length > 0
    })
    await ask(primary, 'truncate in_the_way')

    expect((await reading).rows).toMatchObject([{ follows: false }])
    expect(replicaOf(server).figures()).toMatchObject({ status: 'follows', leftToPrimary: before.leftToPrimary + 1 })
  },
)

testOn(
  'postgres',
  'W1 whoever writes, or looks at another mark, is not answered by the replica from then on',
  async () => {
    await using server = await started()
    await withSeries(server, 'Hank')
    const { id: reader } = await server.person('reader')
    await catchUp()
    const { db } = server.context
    const moment = { reader, mark: await db.changeMark(reader) }
    const where = sql<{ follows: boolean }>`select pg_is_in_recovery() as follows`
    const follows = async (what: () => unknown = () => undefined): Promise<boolean | undefined> =>
      replicaOf(server).readAsOf(moment, async () => {
        await what()
        return (await where.execute(db.read)).rows[0]?.follows
      })

    expect(await follows()).toBe(true)
    expect(await follows(() => db.changeMark(reader))).toBe(true)
    expect(await follows(() => db.changeMark('somebody else'))).toBe(false)
    expect(await follows(() => db.revisions())).toBe(false)
    expect(await follows(() => db.write(async () => undefined))).toBe(false)
    expect(
      await replicaOf(server).readAsOf({ reader, mark: 'another mark' }, () => where.execute(db.read)),
    ).toMatchObject({
      rows: [{ follows: false }],
    })
    const asked = (query: { execute(db: typeof server.context.db.read): Promise<unknown> }) =>
      answered(server, async () => {
        await replicaOf(server).readAsOf(moment, () => query.execute(db.read))
        return { ok: true }
      })
    expect(await asked(sql`select count(*) from session`)).toBe(0)
    expect(await asked(sql`select count(*) from read_progress`)).toBe(0)
    expect(await asked(sql`select count(*) from read_progress where user_id = ${reader}`)).toBe(1)
    expect(await asked(sql`select count(*) from book`)).toBe(1)
  },
)

testOn(
  'postgres',
  'CFG-3 an address of a replica that leads to the database itself does no harm, and the log says so',
  async () => {
    await using server = await startAt(primary.urlOf(name))
    await withSeries(server, 'Bailey')
    const reader = await server.person('reader')
    await statusOf(server, 'unfit')

    expect(await answered(server, () => reader.call(api.listBooks, { query: { pageSize: 1 } }))).toBe(0)
    expect(server.logLines.filter(({ status }) => status === 'unfit')).toMatchObject([
      { level: 'warn', detail: expect.stringContaining('follows no other server') },
    ])
    const admin = await server.person('admin')
    const figures = bodyOf(await admin.call(api.readMetrics, {}))
    expect(figures).toContain('carrel_replica{status="unfit"} 1')
    expect(figures).toMatch(/^carrel_replica_statements\{server="replica"\} 0$/m)
    expect(figures).toMatch(/^carrel_replica_statements\{server="primary"\} [1-9]/m)
  },
)

for (const [what, settings] of [
  ['refuses limits', ''],
  ['takes limits for itself', 'ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout'],
] as const) {
  testOn(
    'postgres',
    `CFG-3 a pooler that ${what} is not asked as a replica, since nobody knows which server it leads to`,
    async ({ skip }) => {
      requirePgBouncer(skip)
      await using pooler = await startPgBouncer(follower.urlOf(name), 4, settings)
      await using server = await startAt(pooler.url)
      await statusOf(server, 'unfit')

      expect(replicaOf(server).figures().detail).toContain('leads to a pooler')
    },
  )
}

testOn(
  'postgres',
  'CFG-6 carrel doctor says whether a replica follows, how far it has come, and what to do',
  async () => {
    const check = async (replicaUrl: string) => {
      const env = { CARREL_DATABASE_URL: primary.urlOf(name), CARREL_DATABASE_REPLICA_URL: replicaUrl }
      const [finding] = await examineReplica(readConfig({ env, workingDir: '/nowhere', isTerminal: false }))
      return finding
    }
    const url = follower.urlOf(name)
    await catchUp()
    expect(await check(url)).toMatchObject({
      check: 'replica',
      status: 'ok',
      message: expect.stringMatching(/ \d+ ms later/),
    })
    expect(await check(primary.urlOf(name))).toMatchObject({
      status: 'warning',
      message: 'What answers at CARREL_DATABASE_REPLICA_URL follows no other server.',
    })
    await pauseReplay()
    await ask(primary, 'create table later (id text)')
    // What commits without waiting is written a moment later.
    await ask(primary, 'checkpoint')
    expect(await check(url)).toMatchObject({
      status: 'warning',
      message: expect.stringMatching(/it lacks \d+ KiB/),
      advice: expect.stringContaining('recovery_min_apply_delay'),
    })
    expect(await check(url.replace(/:\d+\//, ':1/'))).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('does not answer (connect ECONNREFUSED'),
    })
  },
)

testOn('sqlite', 'CFG-3 SQLite has no replica, and nothing is asked anywhere else', async () => {
  await using server = await startServer()

  const findings = await examineReplica(server.context.config)

  expect(server.context.db.replica).toBeUndefined()
  expect([findings].flat()).toEqual([])
})
