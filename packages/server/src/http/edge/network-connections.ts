import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../origin/client-address.ts'

interface Share {
  readonly connectionsMax: number
  /** A proxy has the connections of all its clients. */
  readonly isProxy: (socket: Socket) => boolean
}

/** A network has so many connections at once, so that one machine that opens all it can keeps nobody else out. What is beyond is closed (decision 081). */
export const limitEachNetwork = (server: Server, { connectionsMax, isProxy }: Share): void => {
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    if (isProxy(socket)) return
    const network = networkOf(socket.remoteAddress ?? '')
    const count = open.get(network) ?? 0
    if (count >= connectionsMax) return void socket.destroy()
    open.set(network, count + 1)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left > 0) open.set(network, left)
      else open.delete(network)
    })
  })
}
