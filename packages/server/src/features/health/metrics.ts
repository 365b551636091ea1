import type { PluginMetricsDto } from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Context } from '../../context.ts'
import type { ReplicaFigures } from '../../database/replica.ts'
import { patternOf } from '../../http/edge/routes.ts'
import { readPluginMetrics } from '../plugins/plugins.ts'
import { readCounts, type TaskCounts } from '../task-admin/task-admin.ts'

/** Figures for Prometheus; costs a little for every request, so it is there only when switched on. */
export const collectMetrics = (
  app: FastifyInstance,
  { db, clock, settings }: Pick<Context, 'db' | 'clock' | 'settings'>,
  openStreams: () => number,
): Registry => {
  const registry = new Registry()
  gaugeTasks(registry, () => readCounts(db.readSlowly, clock()))
  gaugePlugins(registry, async () => (await readPluginMetrics({ db, settings, clock })).plugins)
  gaugeStreams(registry, openStreams)
  gaugeReplica(registry, db)
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
    const { address } = request
    const route = (address && patternOf(address)) ?? 'unknown'
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    if (reply.statusCode === 429) refused.inc()
  })
  return registry
}

type Show<Figures> = (gauge: Gauge, figures: Figures) => void

/** The gauges are read from the database when they are asked for, once for all of them. */
const gaugesOver = <Figures>(registry: Registry, read: () => Promise<Figures>) => {
  let reading: Promise<Figures | undefined> | undefined
  const latest = (): Promise<Figures | undefined> => {
    // A database that is away does not take the figures of the process with it.
    reading ??= read()
      .catch(() => undefined)
      .finally(() => {
        reading = undefined
      })
    return reading
  }
  return (name: string, help: string, labels: string[], show: Show<Figures>): void => {
    const made: Gauge = new Gauge({
      name,
      help,
      labelNames: labels,
      registers: [registry],
      collect: async (): Promise<void> => {
        const figures = await latest()
        if (figures) show(made, figures)
      },
    })
  }
}

/** The tasks are those of all nodes. */
const gaugeTasks = (registry: Registry, read: () => Promise<TaskCounts>): void => {
  const gauge = gaugesOver(registry, read)
  gauge('carrel_tasks', 'Background tasks, by state', ['state'], (tasks, { queue }) => {
    tasks.set({ state: 'pending' }, queue.pendingCount)
    tasks.set({ state: 'processing' }, queue.processingCount)
    tasks.set({ state: 'stale' }, queue.staleCount)
  })
  gauge('carrel_tasks_ended', 'Background tasks that ended since the last restart', ['outcome'], (tasks, counts) => {
    tasks.set({ outcome: 'succeeded' }, counts.succeeded)
    tasks.set({ outcome: 'failed' }, counts.failed)
  })
  gauge('carrel_tasks_oldest_pending_seconds', 'How long the oldest task has waited', [], (oldest, { queue }) => {
    oldest.set((queue.oldestPendingAgeMs ?? 0) / 1000)
  })
}

/** Plugins may be removed: their gauges are built again each time. */
const gaugePlugins = (registry: Registry, read: () => Promise<readonly PluginMetricsDto[]>): void => {
  const gauge = gaugesOver(registry, read)
  const ended = ['plugin', 'method', 'outcome']
  gauge('carrel_plugin_requests', 'Requests to plugins on all nodes, by how they ended', ended, (requests, plugins) => {
    requests.reset()
    for (const { pluginId: plugin, byMethod } of plugins)
      for (const { method, requestsSuccess, requestsFailed } of Object.values(byMethod ?? {})) {
        requests.set({ plugin, method, outcome: 'succeeded' }, requestsSuccess)
        requests.set({ plugin, method, outcome: 'failed' }, requestsFailed)
      }
  })
  gauge('carrel_plugin_rejections', 'Requests that came too often for a plugin', ['plugin'], (rejections, plugins) => {
    rejections.reset()
    for (const { pluginId: plugin, rateLimitRejections } of plugins) rejections.set({ plugin }, rateLimitRejections)
  })
  gauge('carrel_plugin_health', 'Plugins, by their health', ['plugin', 'health'], (health, plugins) => {
    health.reset()
    for (const { pluginId: plugin, healthStatus } of plugins) health.set({ plugin, health: healthStatus }, 1)
  })
}

const gaugeStreams = (registry: Registry, openStreams: () => number): void => {
  const streams: Gauge = new Gauge({
    name: 'carrel_event_streams',
    help: 'Clients of this process that follow events',
    registers: [registry],
    collect: (): void => {
      streams.set(openStreams())
    },
  })
}

/** They have samples where a replica is named. */
const gaugeReplica = (registry: Registry, { replica }: Context['db']): void => {
  const gauge = (name: string, help: string, labels: string[], show: Show<ReplicaFigures>): void => {
    const made: Gauge = new Gauge({
      name,
      help,
      labelNames: labels,
      registers: [registry],
      collect: (): void => {
        made.reset()
        if (replica) show(made, replica.figures())
      },
    })
  }
  gauge('carrel_replica', 'Replica of the database, by its status', ['status'], (state, { status }) => {
    state.set({ status }, 1)
  })
  gauge(
    'carrel_replica_lag_seconds',
    'For how long the replica has lacked something',
    ['status'],
    (lag, { status, behindMs }) => {
      if (behindMs !== undefined) lag.set({ status }, behindMs / 1000)
    },
  )
  gauge(
    'carrel_replica_statements',
    'Statements that may be asked of a replica, by who answered',
    ['server'],
    (gauge, figures) => {
      gauge.set({ server: 'replica' }, figures.answered)
      gauge.set({ server: 'primary' }, figures.leftToPrimary)
    },
  )
}
