import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { limitEachNetwork } from './network-connections.ts'

/** A server that takes two connections of each network, and a client of it that asks from one of the addresses of this machine. */
const startServer = async (isProxy: (socket: Socket) => boolean) => {
  const server = createServer((_, response) => response.end('answered'))
  limitEachNetwork(server, { connectionsMax: 2, isProxy })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const clients: Socket[] = []
  return {
    /** The client that was answered; undefined when its connection was closed. */
    ask: (localAddress = '127.0.0.1'): Promise<Socket | undefined> => {
      const client = connect({ host: '127.0.0.1', port, localAddress })
      clients.push(client)
      client.on('error', () => undefined)
      client.write('GET / HTTP/1.1\r\nHost: carrel\r\n\r\n')
      return new Promise((resolve) => {
        client.once('data', () => resolve(client))
        client.once('close', () => resolve(undefined))
      })
    },
    count: () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count))),
    [Symbol.asyncDispose]: async () => {
      for (const client of clients) client.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

test('P-17 a network has as many connections as it may, others have theirs, and one more when one is closed', async () => {
  await using server = await startServer(() => false)
  const first = await server.ask()
  expect([first, await server.ask()]).not.toContain(undefined)

  expect(await server.ask()).toBeUndefined()
  expect(await server.ask('127.0.0.2')).toBeDefined()
  first?.destroy()
  await expect.poll(server.count).toBe(2)
  expect(await server.ask()).toBeDefined()
  expect(await server.ask()).toBeUndefined()
})

test('P-17 a proxy of ours has the connections of all its clients', async () => {
  await using server = await startServer(({ remoteAddress }) => remoteAddress === '127.0.0.2')

  const asked = await Promise.all([1, 2, 3, 4].map(() => server.ask('127.0.0.2')))

  expect(asked).not.toContain(undefined)
})
