import { readFileSync } from 'node:fs'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { bodyOf } from '../../../test/outcome.ts'
import { startServer } from '../../../test/start-server.ts'

interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[]
}

interface Dashboard {
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] }
}

const file = new URL('../../../../../deploy/grafana/carrel.json', import.meta.url)
const dashboard = JSON.parse(readFileSync(file, 'utf8')) as Dashboard
const targets = dashboard.panels.flatMap(({ targets = [] }) => targets)

/** Prometheus gives these to whatever it fetches. */
const ofPrometheus = ['job', 'instance']

/** These have samples once a plugin has been asked for something, once there is garbage, or where there is a replica. */
const later: readonly (readonly [type: string, name: string, labels: readonly string[]])[] = [
  ['carrel_plugin_requests gauge', 'carrel_plugin_requests', ['plugin', 'method', 'outcome']],
  ['carrel_plugin_rejections gauge', 'carrel_plugin_rejections', ['plugin']],
  ['carrel_plugin_health gauge', 'carrel_plugin_health', ['plugin', 'health']],
  ['carrel_replica gauge', 'carrel_replica', ['status']],
  ['carrel_replica_lag_seconds gauge', 'carrel_replica_lag_seconds', ['status']],
  ['carrel_replica_statements gauge', 'carrel_replica_statements', ['server']],
  ['carrel_nodejs_gc_duration_seconds histogram', 'carrel_nodejs_gc_duration_seconds_sum', ['kind']],
]

/** Each metric with the labels of its samples. */
const exported = async () => {
  await using server = await startServer({ env: { CARREL_METRICS_ENABLED: 'true' } })
  const admin = await server.person('admin')
  const text = bodyOf(await admin.call(api.readMetrics, {}))
  const labels = new Map(later.map(([, name, labelNames]) => [name, new Set(labelNames)]))
  for (const [type] of later) expect(text).toContain(`# TYPE ${type}\n`)
  for (const [, name = '', of = ''] of text.matchAll(/^(carrel_\w+)(?:\{(.*)\})? \S+$/gm)) {
    const labelNames = labels.get(name) ?? new Set<string>()
    for (const [, label = ''] of of.matchAll(/(\w+)="/g)) labelNames.add(label)
    labels.set(name, labelNames)
  }
  return labels
}

test('HTTP-8 the dashboard for Grafana names only metrics and labels that are exported', async () => {
  const metrics = await exported()
  const definitions = dashboard.templating.list.flatMap(({ definition }) => definition ?? [])
  const expressions = [...targets.map(({ expr }) => expr), ...definitions].join('\n')

  const named = [...new Set(expressions.match(/carrel_\w+/g))]
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((name) => !metrics.has(name))).toEqual([])
  const unknown = targets.flatMap(({ expr, legendFormat }) => {
    const [name = ''] = /carrel_\w+/.exec(expr) ?? []
    const available = [...(metrics.get(name) ?? []), ...ofPrometheus]
    const grouped = [...expr.matchAll(/by \(([\w, ]+)\)/g)].flatMap(([, list = '']) => list.split(', '))
    const matched = [...expr.matchAll(/(\w+)=~?"/g)].map(([, label = '']) => label)
    const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label)
    return [...grouped, ...matched, ...shown]
      .filter((label) => !available.includes(label))
      .map((label) => `${name} ${label}`)
  })
  expect(unknown).toEqual([])
})

test('HTTP-8 what is exported of Carrel’s own is on the dashboard, and no panel lies on another', async () => {
  const metrics = [...(await exported()).keys()].filter((name) => !/^carrel_(nodejs|process)_/.test(name))
  const expressions = targets.map(({ expr }) => expr).join('\n')
  expect(metrics.filter((name) => !expressions.includes(name))).toEqual([])

  const { panels } = dashboard
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)} ${y + Math.floor(index / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true)
})
