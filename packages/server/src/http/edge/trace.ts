import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Part, Telemetry } from '../../platform/telemetry/telemetry.ts'
import { patternOf } from './routes.ts'

/** Each request is told of by its route, never by its address: that may hold ids, names and keys. */
export const traceRequests = (app: FastifyInstance, telemetry: Telemetry): void => {
  const parts = new WeakMap<FastifyRequest, Part>()
  app.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers
    const part = telemetry.begin(typeof traceparent === 'string' ? traceparent : undefined)
    parts.set(request, part)
    telemetry.within(part, done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { method, address } = request
    const route = (address && patternOf(address)) ?? 'unknown'
    const status = reply.statusCode
    telemetry.endRequest(parts.get(request), reply.elapsedTime, {
      name: `${method} ${route}`,
      attributes: { 'http.request.method': method, 'http.route': route, 'http.response.status_code': status },
      hasFailed: status >= 500,
    })
    done()
  })
}
