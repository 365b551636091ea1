import { monitorEventLoopDelay } from 'node:perf_hooks'
import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { openApiDocument } from '../../http/openapi.ts'
import { serve } from '../../http/serve.ts'
import { notFound } from '../../platform/errors.ts'
import { checkReadiness } from './health.ts'
import { collectMetrics } from './metrics.ts'

/** The monitor counts its own pause as delay, and wakes the process this often. */
const loopResolutionMs = 100

interface Figures {
  readonly isStopping: () => boolean
  /** How many clients follow events. */
  readonly openStreams: () => number
}

export const healthRoutes = (app: FastifyInstance, context: Context, { isStopping, openStreams }: Figures): void => {
  const { config, version } = context
  const loop = monitorEventLoopDelay({ resolution: loopResolutionMs })
  loop.enable()
  app.addHook('onClose', async () => {
    loop.disable()
  })
  const metrics = config.metricsEnabled ? collectMetrics(app, context, openStreams) : undefined

  serve(app, api.readHealth, async () => ({ status: 'ok' as const }))
  serve(app, api.readLiveness, async () => {
    const eventLoopDelayMs = Math.max(0, Math.round(loop.percentile(99) / 10_000 - loopResolutionMs * 100) / 100)
    loop.reset()
    return { status: 'ok' as const, uptimeSeconds: Math.floor(process.uptime()), eventLoopDelayMs }
  })
  serve(app, api.readReadiness, async ({ reply }) => {
    const readiness = await checkReadiness(context, isStopping())
    if (readiness.status !== 'ok') reply.code(503).header('retry-after', '5')
    return readiness
  })
  serve(app, api.readInfo, async () => ({ name: 'Carrel', version, apiVersion: api.apiVersion }))
  serve(app, api.readOpenApi, async () => openApiDocument(app.served, { basePath: config.basePath, version }))
  serve(app, api.readMetrics, async () => {
    if (!metrics) throw notFound('page: metrics are switched off')
    return metrics.metrics()
  })
}
