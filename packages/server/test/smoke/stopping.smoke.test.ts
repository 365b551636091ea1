import { expect, test } from 'vitest'
import { testPassword, logged, signIn, startCarrel, withoutWorker } from './carrel.ts'
import { endOf } from './program.ts'
import { isRefused, type RawConnection, rawConnection } from './raw-connection.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { waitUntil } from './wait-until.ts'

const claimBody = JSON.stringify({ username: 'ana', password: testPassword })

/** A request whose head has arrived and whose body has not. */
const halfAClaim = async (url: string): Promise<RawConnection> => {
  const connection = await rawConnection(url)
  connection.write(
    `POST /api/v1/setup HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${claimBody.length}\r\nExpect: 100-continue\r\n\r\n${claimBody.slice(0, 10)}`,
  )
  await waitUntil('the head of the request to arrive', () => connection.received().includes('100 Continue'))
  return connection
}

const idleConnection = async (url: string): Promise<RawConnection> => {
  const connection = await rawConnection(url)
  connection.write(`GET /health HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n`)
  await waitUntil('an answer', () => connection.received().includes('{"status":"ok"}'))
  return connection
}

test('W16 told to stop, the server answers what is under way, drops who is idle, and ends with 0', async () => {
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path })
  await using slow = await halfAClaim(carrel.url)
  await using idle = await idleConnection(carrel.url)
  await using otherIdle = await idleConnection(carrel.url)

  carrel.kill('SIGTERM')
  await waitUntil('new connections to be refused', () => isRefused(carrel.url))
  await waitUntil('idle connections to be dropped', () => idle.isClosed() && otherIdle.isClosed())
  expect(slow.isClosed()).toBe(false)
  slow.write(claimBody.slice(10))

  expect(await endOf(carrel)).toEqual({ code: 0, signal: null })
  expect(slow.received()).toContain('HTTP/1.1 201 Created')
  expect(slow.received()).toContain('"accessToken"')
  expect(slow.received()).toMatch(/^connection: close\r$/im)
  expect(logged(carrel, 'Stopped')).toBe(true)

  await using again = await startCarrel({ cwd: folder.path })
  expect((await signIn(again, 'ana')).user.role).toBe('admin')
})

test('HTTP-8 while it stops the server is alive but not ready', async () => {
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path, env: withoutWorker })
  await using connection = await rawConnection(carrel.url)
  const host = `Host: ${new URL(carrel.url).host}\r\n`
  // The second request has begun when the first is answered: its connection is not idle.
  connection.write(`GET /health/ready HTTP/1.1\r\n${host}\r\nGET /health/ready HTTP/1.1\r\n${host}`)
  await waitUntil('the first answer', () => connection.received().includes('"migration":{"status":"ok"}'))
  expect(connection.received()).toMatch(/^HTTP\/1\.1 200 OK\r\n/)

  carrel.kill('SIGTERM')
  await waitUntil('new connections to be refused', () => isRefused(carrel.url))
  connection.write('\r\n')
  const second = await waitUntil('the second answer', () => connection.received().split('HTTP/1.1 503')[1])

  expect(second).toMatch(/^retry-after: \d+\r$/m)
  expect(second).toContain('"status":"not_ready"')
  expect(second).toContain('"process":{"status":"failed"')
  expect(await endOf(carrel)).toEqual({ code: 0, signal: null })
})

test('HTTP-8 P-20 told to stop, a server that is to drain is not ready and answers all the same, and keeps no connection', async () => {
  await using folder = await temporaryFolder()
  const env = { ...withoutWorker, CARREL_DRAIN_SECONDS: '300' }
  await using carrel = await startCarrel({ cwd: folder.path, env })
  await using idle = await idleConnection(carrel.url)

  carrel.kill('SIGTERM')
  const { status, headers } = await waitUntil('it to be not ready', async () => {
    const answer = await fetch(`${carrel.url}/health/ready`)
    return answer.status === 503 && answer
  })
  expect([status, headers.get('connection')]).toEqual([503, 'close'])
  // A balancer may send one more before it has looked.
  expect(idle.isClosed()).toBe(false)
  idle.write(`GET /health HTTP/1.1\r\nHost: ${new URL(carrel.url).host}\r\n\r\n`)
  await waitUntil('the second answer and its end', () => idle.isClosed())
  expect(idle.received().match(/\{"status":"ok"\}/g)).toHaveLength(2)
  expect((await fetch(`${carrel.url}/health`)).status).toBe(200)

  carrel.kill('SIGTERM')
  expect(await endOf(carrel)).toEqual({ code: 1, signal: null })
})

test('P-20 when it has drained it ends as it always does', async () => {
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path, env: { ...withoutWorker, CARREL_DRAIN_SECONDS: '1' } })

  carrel.kill('SIGTERM')

  expect(await endOf(carrel)).toEqual({ code: 0, signal: null })
  expect(logged(carrel, 'Stopped')).toBe(true)
})

// It is waited for as long as a server waits: meanwhile others are stopped.
test.concurrent('W16 a client that stalls does not keep the server from stopping', async () => {
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path, env: withoutWorker })
  await using stalled = await halfAClaim(carrel.url)
  await using headless = await rawConnection(carrel.url)
  headless.write('GET /health HTTP/1.1\r\nHost: ')

  carrel.kill('SIGTERM')

  expect(await endOf(carrel)).toEqual({ code: 0, signal: null })
  expect(stalled.received()).not.toContain('HTTP/1.1 2')
})

test.concurrent.each(['SIGTERM', 'SIGINT'] as const)(
  'W16 told a second time, with %s, the server ends at once',
  async (signal) => {
    await using folder = await temporaryFolder()
    await using carrel = await startCarrel({ cwd: folder.path, env: withoutWorker })
    await using stalled = await halfAClaim(carrel.url)
    carrel.kill('SIGTERM')
    await waitUntil('it to say that it stops', () => logged(carrel, 'Stopping'))
    expect(stalled.isClosed()).toBe(false)

    carrel.kill(signal)

    expect(await endOf(carrel)).toEqual({ code: 1, signal: null })
    expect(logged(carrel, 'Stopped')).toBe(false)
  },
)

test('W16 Ctrl-C stops like SIGTERM', async () => {
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path })

  carrel.kill('SIGINT')

  expect(await endOf(carrel)).toEqual({ code: 0, signal: null })
  expect(logged(carrel, 'Stopped')).toBe(true)
})
