import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * It returns whether the server has been told to stop. Who is answered after that is not kept: idle connections would hold up the end, and
 * those of a balancer would be closed by it while a request is on its way.
 */
export const watchStop = (app: FastifyInstance, draining?: AbortSignal): (() => boolean) => {
  let isClosing = false
  const isStopping = (): boolean => isClosing || draining?.aborted === true
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  app.addHook('preClose', async () => {
    isClosing = true
    // Opened in advance, as browsers do, and never used: Node does not count these as idle, and would wait for them.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  })
  app.addHook('onSend', (_, reply, payload, done) => {
    if (isStopping()) reply.header('connection', 'close')
    done(null, payload)
  })
  return isStopping
}
