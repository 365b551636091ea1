import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { claim, startCarrel, withoutWorker } from '../packages/server/test/smoke/carrel.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { tell, times } from '../packages/server/test/smoke/torture.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { requireDescriptors } from './descriptors.ts'
import { heldBy, secondsUntilLetGo } from './held-connections.ts'

const residentKib = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)

/** It reads what it is answered, or nothing of it. */
const slowClient = (url: string, first: string, reads: boolean): Socket => {
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  if (reads) socket.resume()
  else socket.pause()
  socket.write(first)
  return socket
}

test('G5 P-17 clients that send very slowly, or read nothing, keep nobody out, and are ended', async () => {
  const count = times(150, 1000, 400)
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({
    cwd: folder.path,
    env: { ...withoutWorker, CARREL_RATE_LIMIT_ENABLED: 'false' },
  })
  const { accessToken } = await claim(carrel)
  const before = residentKib(carrel.pid)
  const host = `Host: ${new URL(carrel.url).host}\r\nAuthorization: Bearer ${accessToken}\r\n`
  const kinds = [
    'GET /health HTTP/1.1\r\nX-Slow: ',
    `PUT /api/v1/user/preferences/a HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n{"value": "`,
    // Many answers that nobody fetches.
    `GET /api/openapi.json HTTP/1.1\r\n${host}\r\n`.repeat(3),
  ]
  const clients = Array.from({ length: count }, (_, index) =>
    slowClient(carrel.url, kinds[index % kinds.length] ?? '', index % kinds.length < 2),
  )
  await waitUntil('all of them to be connected', () => heldBy(carrel.url, clients).length === count)

  const waits: number[] = []
  let refused = 0
  let most = before
  for (let turn = 0; turn < times(40, 2400, 200); turn += 1) {
    for (const [index, socket] of clients.entries())
      if (index % kinds.length < 2 && socket.writable && turn % 10 === 0) socket.write('x')
    const startedAt = performance.now()
    const answer = await fetch(`${carrel.url}/health`).catch(() => undefined)
    if (answer?.status !== 200) refused += 1
    waits.push(performance.now() - startedAt)
    most = Math.max(most, residentKib(carrel.pid))
    await delay(100)
  }
  waits.sort((a, b) => a - b)

  tell({
    id: 'G5',
    what: `health beside ${count} slow clients, the 99th of a hundred`,
    tries: waits.length,
    lost: refused,
    figure: waits[Math.floor(waits.length * 0.99)] ?? 0,
    limit: 200,
    unit: 'ms',
  })
  tell({ id: 'G5', what: 'memory they take', tries: 1, figure: (most - before) / 1024, limit: 50, unit: 'MiB' })
  expect(refused).toBe(0)
  // A request may take a minute, and a connection on which nothing moves is kept for two.
  const seconds = await secondsUntilLetGo(carrel.url, clients)
  tell({ id: 'G5', what: 'until the last of them is ended', tries: count, figure: seconds, limit: 160, unit: 's' })
  for (const socket of clients) socket.destroy()
  expect((await fetch(`${carrel.url}/health/ready`)).status).toBe(200)
})

test('G5 P-17 one address that opens as many connections as it can leaves others theirs', async ({ skip }) => {
  const connections = 12_500
  requireDescriptors(connections + 1000, skip)
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path, env: withoutWorker })
  const { port, hostname } = new URL(carrel.url)
  const clients: Socket[] = []
  while (clients.length < connections) {
    // So many as the system lets wait for the server at once.
    const some = Array.from({ length: 100 }, () => connect({ port: Number(port), host: hostname }))
    for (const socket of some) socket.on('error', () => undefined)
    clients.push(...some)
    await waitUntil('them to be connected', () => some.every(({ connecting }) => !connecting))
  }
  const held = heldBy(carrel.url, clients).length

  const status = await statusFrom('127.0.0.2', `${carrel.url}/health`)
  tell({
    id: 'G5',
    what: `connections of ${connections} from one address`,
    tries: 1,
    figure: held,
    limit: 6000,
    unit: '',
  })
  expect(status).toBe(200)
  for (const socket of clients) socket.destroy()
  await waitUntil(
    'that address to be answered again',
    async () => (await statusFrom(hostname, `${carrel.url}/health`)) === 200,
  )
})

/** The status of an answer to another address of this machine; 0 where there is none. */
const statusFrom = (localAddress: string, url: string): Promise<number> =>
  new Promise((resolve) => {
    const request = get(url, { localAddress, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    request.on('error', () => resolve(0))
  })
