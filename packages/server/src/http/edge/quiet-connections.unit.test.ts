import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { cutQuietConnections } from './quiet-connections.ts'

const quietMs = 800
/** More than the system takes of an answer that nobody reads. */
const large = Buffer.alloc(16 * 1024 * 1024)

/** A client of a server with that limit, which has sent one request. */
const ask = async (answer: RequestListener) => {
  const server = createServer({ keepAliveTimeout: quietMs }, answer)
  cutQuietConnections(server, quietMs)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  client.on('error', () => undefined)
  client.write('GET / HTTP/1.1\r\nHost: carrel\r\n\r\n')
  const [held] = (await once(server, 'connection')) as [Socket]
  return {
    client,
    held,
    [Symbol.asyncDispose]: async () => {
      client.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

const eitherOf = (socket: Socket, event: 'timeout' | 'readable') =>
  Promise.race([once(socket, event), once(socket, 'close')])

test('P-17 who takes nothing of an answer is cut, whether it comes in one piece or in many', async () => {
  await using whole = await ask((_, response) => response.end(large))
  await using parts = await ask((_, response) => {
    for (let from = 0; from < large.length; from += 65_536) response.write(large.subarray(from, from + 65_536))
    response.end()
  })

  await expect.poll(() => [whole.held.destroyed, parts.held.destroyed]).toEqual([true, true])
})

test('P-17 who takes an answer slowly, and in between nothing, gets all of it', async () => {
  await using asked = await ask((_, response) => response.end(large))
  const { client, held } = asked
  let taken = 0
  while (taken < large.length && !client.destroyed) {
    // Nothing moves for long enough to be looked at twice, and then something does.
    for (let look = 0; look < 2; look += 1) if (!held.destroyed) await eitherOf(held, 'timeout')
    const until = Math.min(large.length, taken + 3 * 1024 * 1024)
    while (taken < until && !client.destroyed) {
      const chunk: unknown = client.read()
      if (chunk instanceof Buffer) taken += chunk.length
      else await eitherOf(client, 'readable')
    }
  }

  expect(taken).toBeGreaterThanOrEqual(large.length)
})

test('P-17 a request that is not answered is cut, and so is a connection between two requests', async () => {
  await using unanswered = await ask(() => undefined)
  await using between = await ask((_, response) => response.end('answered'))
  between.client.resume()

  await expect.poll(() => [unanswered.held.destroyed, between.held.destroyed]).toEqual([true, true])
})
