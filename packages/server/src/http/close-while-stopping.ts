import type { FastifyInstance } from 'fastify'

/** Who is answered while the server stops is not kept: an idle connection would hold up the end. */
export const closeWhileStopping = (app: FastifyInstance): void => {
  let stopping = false
  app.addHook('preClose', async () => {
    stopping = true
  })
  app.addHook('onSend', (_, reply, payload, done) => {
    if (stopping) reply.header('connection', 'close')
    done(null, payload)
  })
}
