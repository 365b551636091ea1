import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { claim, startCarrel, withoutWorker } from '../packages/server/test/smoke/carrel.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { tell, times } from '../packages/server/test/smoke/torture.ts'

const residentKib = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)

interface SlowClient {
  readonly socket: Socket
  isClosed: boolean
}

const slowClient = (url: string, first: string): SlowClient => {
  const { port, hostname } = new URL(url)
  const client: SlowClient = { socket: connect(Number(port), hostname), isClosed: false }
  client.socket
    .on('error', () => undefined)
    .on('close', () => {
      client.isClosed = true
    })
  client.socket.write(first)
  return client
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
  const clients = Array.from({ length: count }, (_, index) => slowClient(carrel.url, kinds[index % kinds.length] ?? ''))
  for (const [index, { socket }] of clients.entries()) if (index % 3 === 2) socket.pause()

  const waits: number[] = []
  let refused = 0
  let most = before
  for (let turn = 0; turn < times(40, 2400, 200); turn += 1) {
    for (const [index, { socket, isClosed }] of clients.entries())
      if (index % 3 !== 2 && !isClosed && turn % 10 === 0) socket.write('x')
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
  const senders = clients.filter((_, index) => index % 3 !== 2)
  // A request may take a minute, which is as long as other tests wait for anything.
  while (!senders.every(({ isClosed }) => isClosed)) await delay(500)
  for (const { socket } of clients) socket.destroy()
  expect((await fetch(`${carrel.url}/health/ready`)).status).toBe(200)
})
