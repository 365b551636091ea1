import { connect, createServer, type Socket } from 'node:net'

export interface TcpProxy extends AsyncDisposable {
  readonly port: number
  /** Connections that are open and began with this text among their first bytes. */
  count(text: string): number
  /**
   * From now on nothing goes through those connections, and neither end is told: as when a router has forgotten them.
   */
  swallow(text: string): void
  /** The same for all there are and all that come. */
  swallowAll(): void
  /** What comes from now on goes through again; what was swallowed stays so. */
  letThrough(): void
  /** From now on whatever is sent arrives so much later, each way. */
  delay(ms: number): void
  /** One connection, the one that is open for the longest time, is cut. */
  cutOne(): void
}

interface Pair {
  readonly sockets: readonly Socket[]
  first: string
  isSwallowed: boolean
}

/** It stands between a client and a server on this machine, so that the connection between them can fail. */
export const startTcpProxy = async (
  target: { hostname: string; port: number },
  at: { readonly host: string; readonly port: number } = { host: '127.0.0.1', port: 0 },
): Promise<TcpProxy> => {
  const pairs = new Set<Pair>()
  let swallowsAll = false
  let delayMs = 0
  const server = createServer((client) => {
    const upstream = connect(target.port, target.hostname)
    const pair: Pair = { sockets: [client, upstream], first: '', isSwallowed: swallowsAll }
    pairs.add(pair)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('data', (data) => {
        if (from === client) pair.first ||= data.toString('latin1')
        if (pair.isSwallowed) return
        if (delayMs === 0) to.write(data)
        else setTimeout(() => to.write(data), delayMs)
      })
      from.on('error', () => undefined)
      from.on('close', () => {
        if (pair.isSwallowed) return
        pairs.delete(pair)
        to.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(at.port, at.host, resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port')
  const matching = (text: string) => [...pairs].filter(({ first, isSwallowed }) => !isSwallowed && first.includes(text))

  return {
    port: address.port,
    count: (text) => matching(text).length,
    swallow: (text) => {
      for (const pair of matching(text)) pair.isSwallowed = true
    },
    swallowAll: () => {
      swallowsAll = true
      for (const pair of pairs) pair.isSwallowed = true
    },
    letThrough: () => {
      swallowsAll = false
    },
    delay: (ms) => {
      delayMs = ms
    },
    cutOne: () => {
      const [oldest] = pairs
      for (const socket of oldest?.sockets ?? []) socket.destroy()
    },
    async [Symbol.asyncDispose]() {
      for (const { sockets } of pairs) for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
