import { setTimeout as delay } from 'node:timers/promises'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { openStream } from '../event-stream.ts'
import { bodyOf, errorOf } from '../outcome.ts'
import { claim, logged, testPassword, type Visitor } from './carrel.ts'
import { messagesOf, type Nodes, ranTwiceAtOnce, startNodes } from './nodes.ts'
import { postgresOfFile } from './postgres-of-file.ts'
import { endOf, type Program } from './program.ts'
import { startTcpProxy } from './tcp-proxy.ts'
import { longTask, quickTask } from './programs/test-tasks.ts'
import { tell, timed, times } from './torture.ts'
import { waitUntil } from './wait-until.ts'

const postgres = postgresOfFile()

/** It saves one value after the other, and keeps the last that was acknowledged and what was sent since. */
const saveWithoutEnd = (person: Visitor, key: string) => {
  let acknowledged = 0
  let sent = 0
  const stopping = new AbortController()
  const statuses = new Set<number>()
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      sent += 1
      const value = sent
      const outcome = await person.call(api.savePreference, { params: { key }, body: { value } })
      statuses.add(outcome.status)
      if (outcome.ok) acknowledged = value
      else await delay(20)
    }
  }
  const running = run()
  return {
    statuses,
    acknowledged: () => acknowledged,
    stop: async () => {
      stopping.abort()
      await running
      return { acknowledged, sent }
    },
  }
}

const isExited = async (program: Program): Promise<boolean> =>
  Promise.race([program.exited.then(() => true), Promise.resolve(false)])

const effectsOf = (nodes: Nodes) => nodes.effects().catch(() => [])

test(
  'HTTP-2 HTTP-8 P-12 E1 while PostgreSQL is away nodes say so and live, and all of them go on by themselves when it is back',
  async () => {
    await using nodes = await startNodes({ kind: 'postgres', url: await postgres.newDatabase() })
    await using one = await nodes.startApi('one')
    await using other = await nodes.startApi('other')
    await using worker = await nodes.startWorker()
    await using second = await nodes.startWorker()
    const ana = await claim(one)
    const elsewhere = other.callWith({ authorization: `Bearer ${ana.accessToken}` })
    await using streams = new AsyncDisposableStack()
    const headers = { authorization: `Bearer ${ana.accessToken}` }
    const atOne = streams.use(await openStream(one.url, headers))
    const atOther = streams.use(await openStream(other.url, headers))
    await Promise.all([atOne.first('connected'), atOther.first('connected')])
    const calls = {
      read: () => ana.call(api.readPreferences, {}),
      write: () => ana.call(api.savePreference, { params: { key: 'reader.fit' }, body: { value: 'width' } }),
      signIn: () => one.call(api.login, { body: { username: 'ana', password: testPassword } }),
      byCookie: () => one.callWith({ cookie: ana.cookie })(api.readMe, {}),
    }
    await nodes.enqueue(longTask, ['long'])
    await waitUntil('the long task to run', () => nodes.begun('long').length > 0)

    const rounds = times(2, 20, 6)
    const names: string[] = []
    for (let round = 0; round < rounds; round += 1) {
      const batch = Array.from({ length: 60 }, (_, index) => `quick-${round}-${index}`)
      names.push(...batch)
      const writers = [saveWithoutEnd(ana, 'at-one'), saveWithoutEnd({ ...ana, call: elsewhere }, 'at-other')]
      const before = (await nodes.effects()).length
      await nodes.enqueue(quickTask, batch)
      await waitUntil('work', async () => (await nodes.effects()).length > before)
      await waitUntil('writes', () => writers.every(({ acknowledged }) => acknowledged() > 0))

      await postgres.pause()

      for (const carrel of [one, other]) {
        const unready = await waitUntil('it to be unready', async () => {
          const outcome = await carrel.call(api.readReadiness, {})
          return outcome.status === 503 && outcome
        })
        expect(unready).toMatchObject({
          error: { status: 'not_ready', checks: { database: { status: 'failed' } } },
        })
        expect(unready.headers.get('retry-after')).toBe('5')
        expect((await carrel.call(api.readLiveness, {})).status).toBe(200)
        expect(await carrel.call(api.readHealth, {})).toMatchObject({ status: 200, body: { status: 'ok' } })
        expect((await carrel.call(api.readInfo, {})).status).toBe(200)
        const refused = await carrel.callWith(headers)(api.readPreferences, {})
        expect([refused.status, errorOf(refused).error]).toEqual([503, 'unavailable'])
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
        await using stream = await openStream(carrel.url, headers)
        expect(stream.status).toBe(503)
      }
      for (const ask of Object.values(calls)) {
        const refused = await ask()
        expect(refused).toMatchObject({ status: 503, error: { error: 'unavailable', requestId: expect.any(String) } })
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
      }
      // The pause is as long as leases are: nobody may take it for the silence of a worker.
      await waitUntil('writers to be told', () => writers.every(({ statuses }) => statuses.has(503)))
      await delay(round % 2 === 0 ? 3500 : 1500)
      await postgres.resume()

      const ready = waitUntil(
        'both to be ready',
        async () =>
          (await one.call(api.readReadiness, {})).status === 200 &&
          (await other.call(api.readReadiness, {})).status === 200,
      )
      await timed('ready again', ready)
      for (const ask of Object.values(calls)) expect((await ask()).status).toBe(200)
      const message = `after ${round}`
      await waitUntil('an announcement', () =>
        nodes.announce(message).then(
          () => true,
          () => false,
        ),
      )
      await timed(
        'streams go on',
        waitUntil('the event at both', () => [atOne, atOther].every((stream) => messagesOf(stream).includes(message))),
      )
      await timed(
        'work goes on to its end',
        waitUntil('all effects', async () => (await effectsOf(nodes)).length >= names.length),
      )
      const saved = await Promise.all(writers.map(({ stop }) => stop()))
      const { preferences } = bodyOf(await ana.call(api.readPreferences, {}))
      for (const [index, key] of ['at-one', 'at-other'].entries()) {
        expect(preferences[key]).toBeGreaterThanOrEqual(saved[index]?.acknowledged ?? Infinity)
        expect(preferences[key]).toBeLessThanOrEqual(saved[index]?.sent ?? 0)
      }
      expect(writers.flatMap(({ statuses }) => [...statuses]).every((status) => [200, 503].includes(status))).toBe(true)
    }
    nodes.letEnd('long')
    await waitUntil('the end of the long task', async () => (await nodes.effects()).length === names.length + 1)

    expect(await nodes.effects()).toEqual([...names, 'long'].sort())
    expect(ranTwiceAtOnce(nodes.notes())).toEqual([])
    expect(nodes.begun('long')).toHaveLength(1)
    tell({ id: 'E1', what: 'times PostgreSQL was stopped and started', tries: rounds, lost: 0 })
    expect(await Promise.all([one, other, worker, second].map(isExited))).toEqual([false, false, false, false])
    for (const stream of [atOne, atOther]) {
      const ids = stream.events.slice(1).map(({ id }) => Number(id))
      expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
    }
  },
  times(120_000, 900_000),
)

test('TSK-2 P-20 P-12 told to stop while the database is silent, servers and workers end all the same', async () => {
  const url = new URL(await postgres.newDatabase())
  await using nodes = await startNodes({ kind: 'postgres', url: url.href })
  await using proxy = await startTcpProxy({ hostname: url.hostname, port: Number(url.port) })
  url.port = String(proxy.port)
  await using carrel = await nodes.startApi('one', { databaseUrl: url.href })
  await using worker = await nodes.startWorker({ databaseUrl: url.href })
  const ana = await claim(carrel)
  await using stream = await openStream(carrel.url, { authorization: `Bearer ${ana.accessToken}` })
  await stream.first('connected')
  await nodes.enqueue(longTask, ['long'])
  await waitUntil('the long task to run', () => nodes.begun('long').length > 0)

  proxy.swallowAll()
  carrel.kill('SIGTERM')
  worker.kill('SIGTERM')

  await Promise.all([
    timed('a server ends without its database', endOf(carrel)),
    timed('a worker ends without its database', endOf(worker)),
    stream.ended,
  ])
  expect(logged(carrel, 'Stopping')).toBe(true)
})
