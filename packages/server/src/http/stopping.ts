import type { FastifyInstance } from 'fastify'

/** Answers whether the server has been told to stop. Who is answered after that is not kept: idle connections would hold up the end. */
export const watchStop = (app: FastifyInstance): (() => boolean) => {
  let stopping = false
  app.addHook('preClose', async () => {
    stopping = true
  })
  app.addHook('onSend', (_, reply, payload, done) => {
    if (stopping) reply.header('connection', 'close')
    done(null, payload)
  })
  return () => stopping
}
