import type { PluginMetricsDto, PluginMetricsResponse } from '@carrel/api'
import type { Context } from '../../../context.ts'
import { healthOf } from '../dto.ts'
import { type MetricRow, selectMetrics, selectPlugins, type ShownPlugin } from '../queries.ts'
import { rejected, windowStart } from './reports.ts'

const pluginsMax = 200

/** Summed over all nodes, for they count in the same rows. */
export const readPluginMetrics = async ({
  db,
  settings,
  clock,
}: Pick<Context, 'db' | 'settings' | 'clock'>): Promise<PluginMetricsResponse> => {
  const now = clock()
  const rows = await selectPlugins(db.readSlowly, windowStart(settings, now), pluginsMax)
  const counted = Map.groupBy(await selectMetrics(db.readSlowly), ({ plugin_id }) => plugin_id)
  const plugins = rows.map((row) => metricsOf(row, counted.get(row.id) ?? []))
  const sum = (of: (plugin: PluginMetricsDto) => number): number =>
    plugins.reduce((total, plugin) => total + of(plugin), 0)
  const inHealth = (health: string): number => plugins.filter(({ healthStatus }) => healthStatus === health).length
  return {
    updatedAt: now.toISOString(),
    summary: {
      totalPlugins: plugins.length,
      healthyPlugins: inHealth('healthy'),
      degradedPlugins: inHealth('degraded'),
      unhealthyPlugins: inHealth('unhealthy'),
      totalRequests: sum(({ requestsTotal }) => requestsTotal),
      totalSuccess: sum(({ requestsSuccess }) => requestsSuccess),
      totalFailed: sum(({ requestsFailed }) => requestsFailed),
      totalRateLimitRejections: sum(({ rateLimitRejections }) => rateLimitRejections),
    },
    plugins,
  }
}

const countOf = (rows: readonly MetricRow[]): number => rows.reduce((sum, { requests }) => sum + requests, 0)
const rounded = (value: number): number => Math.round(value * 100) / 100
const latestOf = (rows: readonly MetricRow[]): string | null =>
  rows.reduce<string | null>((latest, { last_at }) => (latest === null || last_at > latest ? last_at : latest), null)

/** A call that was refused before it was sent is no request. */
const metricsOf = (plugin: ShownPlugin, rows: readonly MetricRow[]): PluginMetricsDto => {
  const answered = rows.filter(({ outcome }) => outcome !== rejected)
  const failed = answered.filter(({ outcome }) => outcome !== 'ok')
  const requestsTotal = countOf(answered)
  const requestsFailed = countOf(failed)
  const byMethod = [...Map.groupBy(answered, ({ method }) => method)].map(([method, of]) => [
    method,
    methodOf(method, of),
  ])
  const failureCounts = [...Map.groupBy(failed, ({ outcome }) => outcome)].map(([code, of]) => [code, countOf(of)])
  return {
    pluginId: plugin.id,
    pluginName: plugin.display_name,
    healthStatus: healthOf(plugin),
    requestsTotal,
    requestsSuccess: requestsTotal - requestsFailed,
    requestsFailed,
    rateLimitRejections: countOf(rows) - requestsTotal,
    avgDurationMs: averageOf(answered),
    errorRatePct: requestsTotal === 0 ? 0 : rounded((100 * requestsFailed) / requestsTotal),
    lastSuccess: latestOf(answered.filter(({ outcome }) => outcome === 'ok')),
    lastFailure: latestOf(failed),
    failureCounts: Object.fromEntries(failureCounts) as Record<string, number>,
    byMethod: Object.fromEntries(byMethod) as NonNullable<PluginMetricsDto['byMethod']>,
  }
}

const averageOf = (rows: readonly MetricRow[]): number => {
  const requests = countOf(rows)
  return requests === 0 ? 0 : rounded(rows.reduce((sum, { duration_ms }) => sum + duration_ms, 0) / requests)
}

const methodOf = (method: string, rows: readonly MetricRow[]) => {
  const requestsTotal = countOf(rows)
  const requestsFailed = countOf(rows.filter(({ outcome }) => outcome !== 'ok'))
  return {
    method,
    requestsTotal,
    requestsSuccess: requestsTotal - requestsFailed,
    requestsFailed,
    avgDurationMs: averageOf(rows),
  }
}
