import { once } from 'node:events'
import { createServer as createPage } from 'node:http'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { type GatewayOptions, openGateway } from './gateway.ts'

const portOf = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** A gateway to one server of ours, as a plugin speaks to it. */
const openTo = async (server: Server, limits: GatewayOptions['limits'] = {}) => {
  const port = await portOf(server)
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  const refused: string[] = []
  const gateway = await openGateway({
    reach: { isPublic: false, hosts: [{ host: '127.0.0.1', port }] },
    names: { ofEverybody: async () => [], ofNeighbours: async () => [] },
    isShared: true,
    onRefused: (_, why) => void refused.push(why),
    limits,
  })
  const { hostname, port: at, username, password } = new URL(gateway.env.HTTP_PROXY ?? '')
  const own = Buffer.from(`${username}:${password}`).toString('base64')
  const ask = (head: string): Socket => {
    const socket = connect(Number(at), hostname)
    socket.on('error', () => undefined)
    socket.write(`${head}\r\nproxy-authorization: Basic ${own}\r\n\r\n`)
    return socket
  }
  return {
    refused,
    gateway,
    ask,
    tunnel: () => ask(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nhost: 127.0.0.1:${port}`),
    get: (more = '') => ask(`GET http://127.0.0.1:${port}/page?a=1 HTTP/1.1\r\nhost: elsewhere${more}`),
    [Symbol.asyncDispose]: async () => {
      gateway.close()
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const textOf = async (socket: Socket): Promise<string> => {
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  return text
}

const ended = async (socket: Socket): Promise<'ended'> => {
  socket.resume()
  if (!socket.destroyed) await once(socket, 'close')
  return 'ended'
}

test('a tunnel carries both ways', async () => {
  await using way = await openTo(createServer((socket) => socket.pipe(socket)))
  const socket = way.tunnel()
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
  socket.write('hello')
  expect(String((await once(socket, 'data'))[0])).toBe('hello')
  socket.destroy()
})

test('a request in the clear goes on without what is between a plugin and us', async () => {
  const page = createPage((request, response) => response.end(JSON.stringify([request.url, request.headers])))
  await using way = await openTo(page)
  const text = await textOf(way.get('\r\nconnection: close, x-own\r\nx-own: 1\r\nx-other: 2'))
  const [url, headers] = JSON.parse(/\[.*\]/.exec(text)?.[0] ?? '') as [string, Record<string, string>]
  expect(url).toBe('/page?a=1')
  expect(headers).toMatchObject({ 'x-other': '2', host: expect.stringMatching(/^127\.0\.0\.1:/) })
  expect(headers).not.toHaveProperty('proxy-authorization')
  expect(headers).not.toHaveProperty('x-own')
})

test('no more is moved than may be, and that is said', async () => {
  const flood = createServer((socket) => void socket.write(Buffer.alloc(1024 * 1024)))
  await using way = await openTo(flood, { bytesMax: 100_000, bytesPerMs: 1 })
  await ended(way.tunnel())
  expect(way.refused[0]).toBe('It moves more than it may.')
})

test('no more connections are open at once than may be, and that is said', async () => {
  await using way = await openTo(createServer(), { connectionsMax: 2 })
  const [first, second] = [way.tunnel(), way.tunnel()]
  await Promise.all([once(first, 'data'), once(second, 'data')])
  await ended(way.tunnel())
  expect(way.refused).toEqual(['It opened too many connections at once.'])
  for (const socket of [first, second]) socket.destroy()
})

test('whoever says nothing is not waited for without end', async () => {
  await using way = await openTo(createServer(), { idleMs: 50 })
  const silent = [way.tunnel(), way.get(), way.ask('GET http://')]
  expect(await Promise.all(silent.map(ended))).toEqual(silent.map(() => 'ended'))
  await using short = await openTo(
    createServer((socket) => socket.pipe(socket)),
    { lifeMs: 50 },
  )
  expect(await ended(short.tunnel())).toBe('ended')
})

test('with the plugin all its connections end', async () => {
  await using way = await openTo(createServer())
  const socket = way.tunnel()
  await once(socket, 'data')
  way.gateway.close()
  expect(await ended(socket)).toBe('ended')
})

test.each([
  'CONNECT nonsense HTTP/1.1\r\nhost: x',
  'GET /relative HTTP/1.1\r\nhost: x',
  'GET https://x.example/ HTTP/1.1\r\nhost: x',
])('what is no address is refused: %s', async (head) => {
  await using way = await openTo(createServer())
  expect(await textOf(way.ask(`${head}\r\nconnection: close`))).toMatch(/^HTTP\/1\.1 502 [^]*That is no address\./)
  expect(way.refused).toEqual([])
})
