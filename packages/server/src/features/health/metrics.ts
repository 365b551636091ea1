import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client'

/** Figures for Prometheus; costs a little for every request, so it is there only when switched on. */
export const collectMetrics = (app: FastifyInstance): Registry => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'carrel_' })
  const durations = new Histogram({
    name: 'carrel_http_request_duration_seconds',
    help: 'Time to answer, by route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers: [registry],
  })
  const refused = new Counter({
    name: 'carrel_rate_limit_refusals_total',
    help: 'Requests answered with 429',
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    if (reply.statusCode === 429) refused.inc()
  })
  return registry
}
