import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve, serveCached } from '../../http/serve.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { watchEventLoop } from './event-loop.ts'
import { checkReadiness, readProblems } from './health.ts'
import { collectMetrics } from './metrics.ts'
import { readServerStatus } from './server-status.ts'

interface Figures {
  readonly isStopping: () => boolean
  /** It counts the clients that follow events. */
  readonly openStreams: () => number
}

export const healthRoutes = (app: FastifyInstance, context: Context, { isStopping, openStreams }: Figures): void => {
  const { config, version } = context
  const loop = watchEventLoop()
  app.addHook('onClose', async () => loop.stop())
  const metrics = config.metricsEnabled ? collectMetrics(app, context, openStreams) : undefined

  serve(app, api.readHealth, async () => ({ status: 'ok' as const }))
  serve(app, api.readLiveness, async () => {
    return { status: 'ok' as const, uptimeSeconds: Math.floor(process.uptime()), eventLoopDelayMs: loop.delayMs() }
  })
  serve(app, api.readReadiness, async ({ reply }) => {
    const readiness = await checkReadiness(context, isStopping())
    if (readiness.status !== 'ok') reply.code(503).header('retry-after', '5')
    return readiness
  })
  serve(app, api.readInfo, async () => ({ name: 'Carrel', version, apiVersion: api.apiVersion }))
  serve(app, api.readServerStatus, () => readServerStatus(context))
  serve(app, api.readServerProblems, () => readProblems(context))
  const document = describeApi(app, { basePath: config.basePath, version })
  serveCached(app, api.readOpenApi, async ({ query }) => document(query.tag))
  serve(app, api.readMetrics, async () => {
    if (!metrics) throw notFound('page: metrics are switched off')
    return metrics.metrics()
  })
}

/** The whole of it takes a third of a second to make, in turns, and stays what it is. */
const describeApi = (app: FastifyInstance, options: { readonly basePath: string; readonly version: string }) => {
  const made = new Map<string, Promise<object>>()
  return async (tag = ''): Promise<object> => {
    const cached = made.get(tag)
    if (cached) return cached
    const described = app.served.filter(({ shape }) => tag === '' || shape.tag === tag)
    if (described.length === 0) throw invalid('/tag', 'No operation has this tag.')
    const document = import('../../http/openapi/openapi.ts').then(({ openApiDocument }) =>
      openApiDocument(described, options),
    )
    made.set(tag, document)
    return document
  }
}
