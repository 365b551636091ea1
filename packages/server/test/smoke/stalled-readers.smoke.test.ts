import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { connect } from 'node:net'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { announce } from '../../src/events/outbox.ts'
import { newId } from '../../src/platform/ids.ts'
import { openStream } from '../event-stream.ts'
import { bodyOf } from '../outcome.ts'
import { type Carrel, claim, signIn, testPassword, type Visitor } from './carrel.ts'
import { type Nodes, startNodes } from './nodes.ts'
import { tell, timed, times } from './torture.ts'
import { waitUntil } from './wait-until.ts'

const growthMaxMb = 64
const streamsPerUser = 20
const events = times(5000, 20_000)
const eventsPerWrite = 100

const residentMb = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

const users = async (carrel: Carrel, admin: Visitor, count: number): Promise<Visitor[]> => {
  const visitors: Visitor[] = []
  for (let index = 0; index < count; index += 1) {
    const username = `reader-${newId()}`
    bodyOf(await admin.call(api.createUser, { body: { username, password: testPassword } }))
    visitors.push(await signIn(carrel, username))
  }
  return visitors
}

/** It asks for a stream and never reads what comes. */
const stalledReader = async ({ url }: Carrel, { accessToken }: Visitor): Promise<Disposable> => {
  const { host, hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).pause()
  socket.on('error', () => undefined)
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  socket.write(`GET /api/v1/events HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${accessToken}\r\n\r\n`)
  return { [Symbol.dispose]: () => socket.destroy() }
}

const openStreams = async ({ url }: Carrel, { accessToken }: Visitor): Promise<number> => {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${accessToken}` } })
  return Number(/^carrel_event_streams (\d+)$/m.exec(await response.text())?.[1])
}

interface CountingReader extends Disposable {
  /** Events of a task, as far as each had the number after the one before. */
  count(): number
}

/** It reads all that comes, and keeps no more of it than how much it was. */
const countingReader = async ({ url }: Carrel, { accessToken }: Visitor): Promise<CountingReader> => {
  let count = 0
  let lastId = 0
  let rest = ''
  const request = get(`${url}/api/v1/events?types=task_progress`, {
    headers: { authorization: `Bearer ${accessToken}` },
    agent: false,
  })
  await new Promise<void>((resolve, reject) => {
    request.once('error', reject)
    request.once('response', (response) => {
      response.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) {
          if (line.startsWith('id: ')) {
            const id = Number(line.slice(4))
            if (lastId === 0 || id === lastId + 1) count += 1
            lastId = id
          }
        }
      })
      response.once('close', () => undefined)
      resolve()
    })
  })
  request.on('error', () => undefined)
  // The first is `connected`.
  return { count: () => count - 1, [Symbol.dispose]: () => request.destroy() }
}

const announceProgress = ({ database }: Nodes): Promise<void> =>
  database.write((db) =>
    announce(
      db,
      Array.from({ length: eventsPerWrite }, () => ({
        event: {
          type: 'task_progress' as const,
          taskId: newId(),
          taskType: 'test',
          status: 'processing' as const,
          progress: { current: 1, total: 2, message: 'x'.repeat(800) },
        },
        to: {},
      })),
      new Date(),
    ),
  )

test(
  'EVT-3 P-16 G2 two hundred readers that stall are cut and cost no memory, and fifty others get all of it',
  async () => {
    await using nodes = await startNodes('sqlite')
    await using carrel = await nodes.startApi('one', {
      asShipped: true,
      env: { CARREL_ROLES: 'api', CARREL_METRICS_ENABLED: 'true' },
    })
    const admin = await claim(carrel)
    const stallers = await users(carrel, admin, 200 / streamsPerUser)
    const readers = await users(carrel, admin, 3)
    await using probe = await openStream(carrel.url, { authorization: `Bearer ${admin.accessToken}` })
    const { id: begin = '' } = await probe.first('connected')
    using stack = new DisposableStack()
    for (let index = 0; index < 200; index += 1) {
      const user = stallers[Math.floor(index / streamsPerUser)]
      if (user) stack.use(await stalledReader(carrel, user))
    }
    const healthy: CountingReader[] = []
    for (let index = 0; index < 50; index += 1) {
      const user = readers[Math.floor(index / streamsPerUser)]
      if (user) healthy.push(stack.use(await countingReader(carrel, user)))
    }
    await waitUntil('all streams to be open', async () => (await openStreams(carrel, admin)) === 251)
    const before = residentMb(carrel.pid)
    let most = before

    let sent = 0
    const watch = setInterval(() => {
      most = Math.max(most, residentMb(carrel.pid))
    }, 50)
    stack.defer(() => clearInterval(watch))
    for (; sent < events; sent += eventsPerWrite) await announceProgress(nodes)

    await timed(
      'the healthy readers have everything',
      waitUntil('all events at all of the healthy', () => healthy.every(({ count }) => count() === sent)),
    )
    await timed(
      'the stalled ones are cut',
      waitUntil('none but the others and one to be open', async () => (await openStreams(carrel, admin)) === 51),
    )
    tell({
      id: 'G2',
      what: `memory that 200 stalled readers take of ${sent} events, beside ${Math.round(before)} MB`,
      tries: sent,
      lost: 0,
      figure: most - before,
      limit: growthMaxMb,
      unit: 'MB',
    })
    expect(most - before).toBeLessThanOrEqual(growthMaxMb)

    // Each disconnected client is told, not only the first of a user's.
    for (const user of stallers.slice(0, 2)) {
      for (let time = 0; time < 2; time += 1) {
        const headers = { authorization: `Bearer ${user.accessToken}`, 'last-event-id': begin }
        await using again = await openStream(carrel.url, headers)
        expect((await again.first('resync')).data).toMatchObject({ reason: 'slow' })
        expect(again.ofType('task_progress')).toEqual([])
      }
    }
  },
  times(180_000, 900_000),
)
