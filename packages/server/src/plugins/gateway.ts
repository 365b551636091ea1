import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect, type LookupFunction, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { randomToken, sameSecret } from '../platform/secrets/tokens.ts'
import { leakyBucket } from './buckets.ts'
import { doorPort } from './doorway.ts'
import { addressesOf, Closed, type Names, type HostAndPort, parseHostAndPort, type Reach } from './reach.ts'

/** The way out of one plugin: a proxy for the web that looks at where it is asked to go. */
export interface Gateway {
  /** These variables make programs of all kinds use the proxy. */
  readonly env: Readonly<Record<string, string>>
  /** These must never appear in a log. */
  readonly secrets: readonly string[]
  /** The plugin connects here. */
  open(door: Server): void
  close(): void
}

export interface GatewayOptions {
  readonly reach: Reach
  readonly names: Names
  /** There is no door in a network of its own: it listens where everybody is, and asks for a password. */
  readonly isShared: boolean
  readonly onRefused: (target: string, why: string) => void
  readonly limits?: Partial<GatewayLimits>
}

interface GatewayLimits {
  readonly connectionsMax: number
  readonly connectMs: number
  /** A connection may be silent for this long. */
  readonly idleMs: number
  readonly lifeMs: number
  /** The limits hold for both directions and all connections together: a burst, and the rate after it. */
  readonly bytesMax: number
  readonly bytesPerMs: number
}

const mebibyte = 1024 * 1024
const usual: GatewayLimits = {
  connectionsMax: 32,
  connectMs: 10_000,
  idleMs: 60_000,
  lifeMs: 600_000,
  bytesMax: 128 * mebibyte,
  bytesPerMs: (4 * mebibyte) / 1000,
}

interface Passage {
  readonly options: GatewayOptions
  readonly limits: GatewayLimits
  readonly token: string | undefined
  readonly fits: (bytes: number) => boolean
}

export const openGateway = async (options: GatewayOptions): Promise<Gateway> => {
  const limits = { ...usual, ...options.limits }
  const token = options.isShared ? randomToken() : undefined
  const passage: Passage = { options, limits, token, fits: leakyBucket(limits.bytesMax, limits.bytesPerMs) }
  const connections = new Set<Socket>()
  const server = createServer({ maxHeaderSize: 16 * 1024, headersTimeout: limits.connectMs }, (request, response) => {
    forward(passage, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else response.writeHead(statusOf(error), plain).end(messageOf(error))
    })
  })
  server.setTimeout(limits.idleMs)
  server.maxConnections = limits.connectionsMax
  server.on('drop', () => options.onRefused('', 'It opened too many connections at once.'))
  server.on('connection', (socket) => {
    connections.add(socket)
    const life = setTimeout(() => socket.destroy(), limits.lifeMs)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => {
      clearTimeout(life)
      connections.delete(socket)
    })
  })
  server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    tunnel(passage, request, { socket, head }).catch((error: unknown) => {
      const body = messageOf(error)
      socket.end(`HTTP/1.1 ${statusOf(error)} No\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
    })
  })
  server.on('clientError', (_, socket) => socket.destroy())
  server.on('error', () => undefined)
  const port = options.isShared ? await listenHere(server) : doorPort
  return {
    env: environmentOf(`http://${token === undefined ? '' : `plugin:${token}@`}127.0.0.1:${port}`),
    secrets: token === undefined ? [] : [token],
    open: (door) => void server.listen(door),
    close: () => {
      if (server.listening) server.close()
      for (const socket of connections) socket.destroy()
    },
  }
}

const environmentOf = (proxy: string): Record<string, string> => ({
  HTTP_PROXY: proxy,
  HTTPS_PROXY: proxy,
  http_proxy: proxy,
  https_proxy: proxy,
  NO_PROXY: '',
  no_proxy: '',
  NODE_USE_ENV_PROXY: '1',
})

const listenHere = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

const plain = { 'content-type': 'text/plain; charset=utf-8' }

class Unproven extends Error {}

const statusOf = (error: unknown): number => {
  if (error instanceof Unproven) return 407
  return error instanceof Closed && error.isRefusal ? 403 : 502
}

const messageOf = (error: unknown): string =>
  error instanceof Closed || error instanceof Unproven ? error.message : 'The address cannot be reached.'

const requireOwn = (headers: IncomingHttpHeaders, token: string | undefined): void => {
  if (token === undefined) return
  const expected = `Basic ${Buffer.from(`plugin:${token}`).toString('base64')}`
  if (!sameSecret(headers['proxy-authorization'] ?? '', expected)) throw new Unproven('This is the way of another.')
}

interface Arrival {
  readonly socket: Duplex
  readonly head: Buffer
}

const tunnel = async (passage: Passage, request: IncomingMessage, { socket, head }: Arrival): Promise<void> => {
  requireOwn(request.headers, passage.token)
  const target = parseHostAndPort(request.url ?? '')
  if (!target) throw new Closed('That is no address.', { isRefusal: false })
  const upstream = await reachOut(passage, target, socket)
  socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
  upstream.write(head)
  join(passage, socket, upstream)
}

/** The end, or the silence, of either side ends the other. */
const join = ({ options, limits, fits }: Passage, socket: Duplex, upstream: Socket): void => {
  const end = (): void => {
    socket.destroy()
    upstream.destroy()
  }
  const count = (chunk: Buffer): void => {
    if (fits(chunk.length)) return
    options.onRefused('', tooMuch)
    end()
  }
  upstream.setTimeout(limits.idleMs, end)
  for (const side of [socket, upstream]) {
    side.on('data', count)
    side.once('close', end)
    side.on('error', end)
  }
  socket.pipe(upstream)
  upstream.pipe(socket)
}

const tooMuch = 'It moves more than it may.'

/** These headers hold between two neighbours and are not passed on. */
const ofThisHop = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

const forward = async (passage: Passage, incoming: IncomingMessage, reply: ServerResponse): Promise<void> => {
  requireOwn(incoming.headers, passage.token)
  const { url = '' } = incoming
  const to = URL.canParse(url) ? new URL(url) : undefined
  const target = to && parseHostAndPort(`${to.hostname}:${to.port === '' ? 80 : to.port}`)
  if (to?.protocol !== 'http:' || !target) throw new Closed('That is no address.', { isRefusal: false })
  const upstream = await reachOut(passage, target, incoming.socket)
  const { options, limits, fits } = passage
  const count = (chunk: Buffer): void => {
    if (fits(chunk.length)) return
    options.onRefused('', tooMuch)
    incoming.socket.destroy()
  }
  incoming.on('data', count)
  incoming.socket.once('close', () => upstream.destroy())
  upstream.setTimeout(limits.idleMs, () => upstream.destroy())
  const headers = { ...onward(incoming.headers), host: to.host }
  const onwards = request({
    createConnection: () => upstream,
    method: incoming.method,
    path: `${to.pathname}${to.search}`,
    headers,
    maxHeaderSize: 16 * 1024,
  })
  await new Promise<void>((resolve, reject) => {
    onwards.once('error', reject)
    onwards.once('response', (answer) => {
      answer.on('data', count)
      answer.once('error', reject)
      answer.once('end', resolve)
      reply.writeHead(answer.statusCode ?? 502, onward(answer.headers))
      answer.pipe(reply)
    })
    incoming.pipe(onwards)
  })
}

const onward = (headers: IncomingHttpHeaders): IncomingHttpHeaders => {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase())
  const left = new Set([...ofThisHop, ...named])
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !left.has(name)))
}

/** The name is looked up once, and the connection goes to what was found, whatever the name means a moment later. */
const reachOut = async ({ options, limits }: Passage, target: HostAndPort, asker: Duplex): Promise<Socket> => {
  const addresses = await addressesOf(target, options.reach, options.names).catch((error: unknown) => {
    if (error instanceof Closed && error.isRefusal) options.onRefused(`${target.host}:${target.port}`, error.message)
    throw error
  })
  const socket = connect({ host: target.host, port: target.port, lookup: pinned(addresses) })
  const leave = (): void => void socket.destroy()
  asker.once('close', leave)
  if (asker.destroyed) leave()
  try {
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => reject(new Closed('The address does not answer.', no)), limits.connectMs)
      const settle = (outcome: () => void) => () => {
        clearTimeout(late)
        outcome()
      }
      socket.once('connect', settle(resolve))
      const fail = settle(() => reject(new Closed('The address cannot be reached.', no)))
      socket.once('error', fail)
      socket.once('close', fail)
    })
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    asker.off('close', leave)
  }
  socket.on('error', leave)
  return socket
}

const no = { isRefusal: false } as const

const pinned =
  (addresses: readonly string[]): LookupFunction =>
  (_, options, answer) => {
    const resolved = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    const [first] = resolved
    if (options.all || !first) answer(null, resolved)
    else answer(null, first.address, first.family)
  }
