import { readdir } from 'node:fs/promises'
import * as api from '@carrel/api'
import { Client as PgClient } from 'pg'
import { beforeEach, expect, test } from 'vitest'
import { openStream, type TestStream } from '../event-stream.ts'
import { bodyOf } from '../outcome.ts'
import { type Carrel, claim, signIn, testPassword, type Visitor } from './carrel.ts'
import { announceMessage, messagesOf, type Nodes, startNodes } from './nodes.ts'
import { newDatabase } from './postgres-of-file.ts'
import { endOf } from './program.ts'
import { startTcpProxy } from './tcp-proxy.ts'
import { quickTask } from './programs/test-tasks.ts'
import { tell, timed, times } from './torture.ts'
import { waitUntil } from './wait-until.ts'

let url = ''
beforeEach(async () => {
  url = await newDatabase()
})

const startOnPostgres = (): Promise<Nodes> => startNodes({ kind: 'postgres', url })

const streamAt = (carrel: Carrel, { accessToken }: Visitor, lastId?: string): Promise<TestStream> =>
  openStream(carrel.url, {
    authorization: `Bearer ${accessToken}`,
    ...(lastId !== undefined && { 'last-event-id': lastId }),
  })

const signedInAt = (carrel: Carrel, { accessToken }: Visitor): api.Client =>
  carrel.callWith({ authorization: `Bearer ${accessToken}` })

const numbered = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix} ${index}`)

const query = async <Row extends object>(statement: string): Promise<Row[]> => {
  const client = new PgClient({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}

const listeners = async (): Promise<number[]> => {
  const rows = await query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'carrel wake-ups' and datname = current_database()`,
  )
  return rows.map(({ pid }) => pid)
}

test('EVT-3 E11 what changes at one node is told at the other, once and in order, and so is what workers do', async () => {
  await using nodes = await startOnPostgres()
  await using one = await nodes.startApi('one')
  await using other = await nodes.startApi('other')
  await using workers = new AsyncDisposableStack()
  for (let count = 0; count < 2; count += 1) workers.use(await nodes.startWorker())
  const ana = await claim(one)
  await using stream = await streamAt(other, ana)
  await stream.first('connected')

  const values = Array.from({ length: 20 }, (_, index) => 30 + index)
  for (const value of values) {
    bodyOf(await ana.call(api.saveSetting, { params: { key: 'scan.hold_books' }, body: { value } }))
    const count = value - 29
    const told = waitUntil('the event', () => stream.ofType('setting_updated').length >= count)
    await (count % 10 === 0 ? timed('a change at one node is told at the other', told) : told)
  }
  const [taskId] = await nodes.enqueue(quickTask, ['quick'])
  await waitUntil('the end of the task', () => stream.ofType('task_progress').length >= 3)

  expect(stream.ofType('setting_updated')).toHaveLength(values.length)
  expect(stream.ofType('task_progress').map(({ data }) => [data.taskId, data.status])).toEqual([
    [taskId, 'pending'],
    [taskId, 'processing'],
    [taskId, 'completed'],
  ])
  const ids = stream.events.slice(1).map(({ id }) => Number(id))
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
})

test('CFG-4 CFG-5 AUTH-1 W16 nodes share secret, settings, keys, sessions and their ends, for streams as well', async () => {
  await using nodes = await startOnPostgres()
  const env = { CARREL_RATE_LIMIT_ENABLED: 'true' }
  await using one = await nodes.startApi('one', { env })
  await using other = await nodes.startApi('other', { env })
  expect(await readdir(other.dataDir)).not.toContain('secret.key')
  const ana = await claim(one)
  expect(await other.call(api.readSetupStatus, {})).toMatchObject({ body: { setupRequired: false } })
  expect((await other.call(api.setUp, { body: { username: 'bo', password: testPassword } })).status).toBe(409)
  const again = await signIn(other, 'ana')
  await using revoked = await streamAt(other, ana)
  await using resumed = await streamAt(other, again)
  await Promise.all([revoked.first('connected'), resumed.first('connected')])
  const limit = async () => (await other.call(api.readHealth, {})).headers.get('x-ratelimit-limit')
  expect(await limit()).toBe('50')

  const params = { key: 'rate_limit.anonymous_burst' }
  bodyOf(await ana.call(api.saveSetting, { params, body: { value: 77 } }))
  await timed(
    'a setting takes effect at the other node',
    waitUntil('the new limit', async () => (await limit()) === '77'),
  )
  bodyOf(await ana.call(api.resetSetting, { params }))
  await waitUntil('the old limit', async () => (await limit()) === '50')

  const key = bodyOf(await ana.call(api.createApiKey, { body: { name: 'Script' } }))
  const elsewhere = {
    token: other.callWith({ authorization: `Bearer ${ana.accessToken}` }),
    cookie: other.callWith({ cookie: ana.cookie }),
    key: other.callWith({ 'x-api-key': key.key }),
  }
  const statusOf = async (name: keyof typeof elsewhere) => (await elsewhere[name](api.readMe, {})).status
  const refused = (name: keyof typeof elsewhere) =>
    waitUntil(`the other node to refuse the ${name}`, async () => (await statusOf(name)) === 401)
  expect([await statusOf('token'), await statusOf('cookie'), await statusOf('key')]).toEqual([200, 200, 200])

  expect((await ana.call(api.logout, {})).ok).toBe(true)
  await Promise.all([
    timed('a session that ended is refused at the other node', refused('token')),
    refused('cookie'),
    timed(
      'its stream at the other node ends',
      waitUntil('the end of the stream', () => revoked.isEnded()),
    ),
  ])
  expect(await statusOf('key')).toBe(200)
  expect((await signedInAt(one, again)(api.deleteApiKey, { params: { id: key.id } })).status).toBe(204)
  await refused('key')
  await nodes.announce('still here')
  await waitUntil('what follows', () => messagesOf(resumed).includes('still here'))
  expect(messagesOf(revoked)).toEqual([])
})

test(
  'EVT-1 W8 a client that goes from node to node, also when they are killed, gets each event once, however long a transaction was open',
  async () => {
    await using nodes = await startOnPostgres()
    await using running = new AsyncDisposableStack()
    const start = async (name: string): Promise<Carrel> => running.use(await nodes.startApi(name))
    const apis = [await start('one'), await start('other')]
    const [first] = apis
    if (!first) throw new Error('There is a first')
    const ana = await claim(first)
    const received: { id: number; message: string }[] = []
    let lastId = ''
    /** It stays until something is there, or as long as it takes for all of it. */
    const visit = async (carrel: Carrel, expected = received.length + 1): Promise<void> => {
      await using stream = await streamAt(carrel, ana, lastId)
      const before = received.length
      await waitUntil(`${expected} events`, () => before + messagesOf(stream).length >= expected)
      for (const { id = '', data } of stream.ofType('task_progress')) {
        received.push({ id: Number(id), message: (data.progress as { message: string }).message })
        lastId = id
      }
    }
    {
      await using stream = await streamAt(first, ana)
      lastId = (await stream.first('connected')).id ?? ''
    }

    const rounds = times(1, 10)
    const expected: string[] = []
    for (let round = 0; round < rounds; round += 1) {
      const release = Promise.withResolvers<void>()
      const begun = Promise.withResolvers<void>()
      const long = nodes.database.write(async (db) => {
        await announceMessage(db, `long ${round}`)
        begun.resolve()
        // Others must not wait for this transaction; it does not matter here why it is open.
        await release.promise
      })
      await begun.promise
      for (let step = 0; step < 10; step += 1) {
        const messages = numbered(`short ${round} ${step}`, 10)
        expected.push(...messages)
        const announcing = nodes.announce(...messages)
        const node = step % 2
        const carrel = apis[node]
        if (!carrel) throw new Error('There are two')
        await visit(carrel)
        if (step === 3 || step === 6) {
          carrel.kill('SIGKILL')
          await endOf(carrel)
          apis[node] = await start(step === 3 ? 'other' : 'one')
        }
        await announcing
      }
      const [one] = apis
      if (one) await visit(one, expected.length)
      expect(received.map(({ message }) => message)).not.toContain(`long ${round}`)
      release.resolve()
      await long
      expected.push(`long ${round}`)
      if (one) await visit(one, expected.length)
    }

    expect(received.map(({ message }) => message)).toEqual(expected)
    const ids = received.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
  },
  times(60_000, 600_000),
)

test('EVT-3 E5 a wake-up connection that is cut or goes silent costs no event, and comes back by itself', async () => {
  await using nodes = await startOnPostgres()
  const target = new URL(url)
  await using proxy = await startTcpProxy({ hostname: target.hostname, port: Number(target.port) })
  target.port = String(proxy.port)
  await using carrel = await nodes.startApi('one', { databaseUrl: target.href })
  const ana = await claim(carrel)
  await using stream = await streamAt(carrel, ana)
  await stream.first('connected')
  const expected: string[] = []
  const announceAndWait = async (prefix: string, count: number): Promise<void> => {
    const messages = numbered(prefix, count)
    expected.push(...messages)
    await nodes.announce(...messages)
    await waitUntil('all of it', () => messagesOf(stream).length >= expected.length)
  }
  await announceAndWait('before', 3)

  const [pid] = await waitUntil('its wake-up connection', async () => {
    const pids = await listeners()
    return pids.length > 0 && pids
  })
  await query(`select pg_terminate_backend(${pid})`)
  await timed('events without wake-ups come', announceAndWait('cut', 5))
  await timed(
    'a wake-up connection that was cut is there again',
    waitUntil('another one', async () => (await listeners()).some((each) => each !== pid)),
  )
  await timed('events with wake-ups come', announceAndWait('again', 3))

  proxy.swallow('carrel wake-ups')
  expect(proxy.count('carrel wake-ups')).toBe(0)
  await timed('events without wake-ups come', announceAndWait('silent', 5))
  await timed(
    'a wake-up connection that went silent is there again',
    waitUntil('another one', () => proxy.count('carrel wake-ups') === 1),
  )
  await timed('events with wake-ups come', announceAndWait('at last', 3))

  expect(messagesOf(stream)).toEqual(expected)
})

test('HTTP-2 P-12 E4 every connection to the database cut again and again: no process ends, and nothing is lost', async () => {
  await using nodes = await startOnPostgres()
  await using one = await nodes.startApi('one')
  await using worker = await nodes.startWorker()
  const ana = await claim(one)
  await using stream = await streamAt(one, ana)
  await stream.first('connected')
  const names = numbered('quick', 100)
  await nodes.enqueue(quickTask, names)
  const cuts = times(5, 60, 15)
  for (let round = 0; round < cuts; round += 1) {
    const before = (await query<{ n: number }>('select count(*)::int as n from effect'))[0]?.n ?? 0
    await query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name like 'carrel%' and datname = current_database()`,
    )
    await waitUntil('an answer', async () => (await ana.call(api.readMe, {})).status === 200)
    await waitUntil('work to go on', async () => {
      const [row] = await query<{ n: number }>('select count(*)::int as n from effect')
      return row !== undefined && (row.n > before || row.n === names.length)
    })
  }

  await waitUntil('all effects', async () => (await query('select name from effect')).length >= names.length)
  expect((await query<{ name: string }>('select name from effect order by name')).map(({ name }) => name)).toEqual(
    [...names].sort(),
  )
  await waitUntil('an announcement to be possible', () =>
    nodes.announce('the end').then(
      () => true,
      () => false,
    ),
  )
  await waitUntil('the end to be told', () => messagesOf(stream).includes('the end'))
  expect([one.stderr(), worker.stderr()]).toEqual(['', ''])
  tell({ id: 'E4', what: 'times all connections were cut', tries: cuts, lost: 0 })
})
