import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Answers whether the server has been told to stop. Who is answered after that is not kept: idle connections would hold up the end. */
export const watchStop = (app: FastifyInstance): (() => boolean) => {
  let stopping = false
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  app.addHook('preClose', async () => {
    stopping = true
    // Opened in advance, as browsers do, and never used: Node does not count these as idle, and would wait for them.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  })
  app.addHook('onSend', (_, reply, payload, done) => {
    if (stopping) reply.header('connection', 'close')
    done(null, payload)
  })
  return () => stopping
}
