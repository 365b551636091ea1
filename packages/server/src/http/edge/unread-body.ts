import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/**
 * So much of a body that nobody reads is thrown away, and for so long. A connection that is closed while its client still
 * writes takes the answer with it: most clients read it only when they have sent everything.
 */
const limits = { bytes: 256 * 1024 * 1024, ms: 30_000 }

/** Lets whoever was refused before their body was read send the rest of it, and read why. */
export const outlastUnreadBodies = (app: FastifyInstance): void => {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (isUnread(request.raw)) {
      // Else the connection would be closed with the answer, by the framework or because the client will not ask again.
      reply.removeHeader('connection')
      reply.raw.shouldKeepAlive = true
      throwAway(request.raw)
    }
    done(null, payload)
  })
}

const isUnread = ({ complete, headers, destroyed }: IncomingMessage): boolean =>
  !complete && !destroyed && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)

const throwAway = (body: IncomingMessage): void => {
  const { socket } = body
  let left = limits.bytes
  const timer = setTimeout(() => socket.destroy(), limits.ms).unref()
  body.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) socket.destroy()
  })
  body.once('close', () => clearTimeout(timer))
  body.once('end', () => clearTimeout(timer))
  body.resume()
}
