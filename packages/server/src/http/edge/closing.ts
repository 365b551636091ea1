import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * A server that closes waits for requests and not for connections: browsers open some in advance, and keep those that
 * have been answered, for a minute and longer. Node itself ends only those that are idle when the closing begins.
 */
export const closeWithoutIdlers = (app: FastifyInstance): void => {
  const { server } = app
  const unused = new Set<Socket>()
  let isClosing = false
  server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.on('request', ({ socket }) => unused.delete(socket))
  const stopListening = server.close.bind(server)
  server.close = (callback) => {
    isClosing = true
    stopListening(callback)
    // From here on no other comes. One that has sent a part of a request is given the time to send the rest.
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy()
    return server
  }
  app.addHook('onResponse', (_, __, done) => {
    if (isClosing) setImmediate(() => server.closeIdleConnections())
    done()
  })
}
