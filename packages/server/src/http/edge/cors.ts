import type { FastifyReply, FastifyRequest } from 'fastify'

const exposed =
  'ETag, Link, Location, Retry-After, X-Carrel-Metadata, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id'
const requestHeaders =
  'Authorization, Content-Type, If-Match, If-None-Match, Last-Event-ID, X-API-Key, X-Device-Id, X-Device-Name'

/** Lets pages of the configured origins, and of no others, call the API with a token or key. Cookies stay ours. */
export const allowOrigins = (origins: readonly string[]) => {
  const allowed = new Set(origins)
  return (request: FastifyRequest, reply: FastifyReply): void => {
    if (allowed.size === 0) return
    const { origin } = request.headers
    if (origin === undefined || !allowed.has(origin)) return
    reply.header('access-control-allow-origin', origin)
    reply.header('access-control-expose-headers', exposed)
    if (request.method !== 'OPTIONS') return
    reply.header('access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE')
    reply.header('access-control-allow-headers', requestHeaders)
    reply.header('access-control-max-age', '600')
  }
}
