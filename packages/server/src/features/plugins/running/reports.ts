import type { Context } from '../../../context.ts'
import type { WriteDb } from '../../../database/database.ts'
import { flag } from '../../../database/flag.ts'
import { announce } from '../../../events/outbox.ts'
import { newId } from '../../../platform/ids.ts'
import type { CallReport } from '../../../plugins/host.ts'
import type { Started, Trouble } from '../../../plugins/supervised.ts'
import {
  addMetrics,
  deleteOldFailures,
  deleteOldLines,
  type FailureRow,
  insertLines,
  type LineRow,
  insertFailures,
  type MetricRow,
  selectPlugin,
  selectStanding,
  updatePlugins,
  updatePluginRow,
} from '../queries.ts'

type ReportContext = Pick<Context, 'db' | 'log' | 'clock' | 'settings'>

/** Reports of the host are written a moment later, together with all others of that moment. */
export interface Reports {
  called(pluginId: string, report: CallReport): void
  troubled(pluginId: string, trouble: Trouble): void
  started(pluginId: string, started: Started): void
  /** A line of its log. */
  logLine(pluginId: string, line: string): void
  /** It writes everything reported so far. */
  flush(): Promise<void>
}

interface Batch {
  readonly metrics: Map<string, MetricRow>
  readonly failures: FailureRow[]
  readonly lines: LineRow[]
  readonly starts: Map<string, Started & { readonly at: string }>
}

const gatherMs = 200
const retryMs = 1000
/** The limit holds for each plugin. */
const failuresKept = 500
/** At most this many are held until the next write; more of them tell nothing new. */
const failuresMax = 200
/** The limit holds for each plugin. */
const linesKept = 2000
/** One plugin may write this many lines in that time; the rest is dropped. */
const linesMax = 200
const linesWithinMs = 10_000

const ok = 'ok'
export const rejected = 'rejected'

export const keepReports = (around: ReportContext, onSwitchedOff: (pluginIds: readonly string[]) => void): Reports => {
  const { db, log, clock } = around
  const roomFor = roomForLines()
  let batch = emptyBatch()
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  const later = (ms: number): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      void flush()
    }, ms)
  }

  const writeOnce = async (): Promise<void> => {
    const taken = batch
    if (isEmpty(taken)) return
    batch = emptyBatch()
    try {
      const off = await db.write((db) => writeBatch(db, taken, around))
      if (off.length > 0) onSwitchedOff(off)
    } catch (err) {
      log.warn({ err }, 'What plugins did could not be written down; trying again')
      batch = joined(taken, batch)
      later(retryMs)
    }
  }

  const flush = (): Promise<void> => {
    writing = writing.then(writeOnce)
    return writing
  }

  return {
    called: (pluginId, { method, durationMs, fault, isRejected }) => {
      const outcome = isRejected ? rejected : (fault?.code ?? ok)
      const row = { plugin_id: pluginId, method, outcome, requests: 1, duration_ms: durationMs }
      addTo(batch.metrics, { ...row, last_at: clock().toISOString() })
      later(gatherMs)
    },
    troubled: (pluginId, trouble) => {
      const { fault, method, lastWords } = trouble
      log.warn({ pluginId, code: fault.code, method, lastWords }, `A plugin is in trouble: ${fault.message}`)
      if (batch.failures.length >= failuresMax) return
      batch.failures.push(failureRow(pluginId, trouble, clock()))
      later(gatherMs)
    },
    started: (pluginId, started) => {
      batch.starts.set(pluginId, { ...started, at: clock().toISOString() })
      later(gatherMs)
    },
    logLine: (pluginId, line) => {
      const room = roomFor(pluginId)
      if (room < 0) return
      const now = clock()
      const text = room > 0 ? line : `(It says too much: what follows is left out for ${linesWithinMs / 1000} seconds.)`
      batch.lines.push({ id: newId(now.getTime()), plugin_id: pluginId, line: text, at: now.toISOString() })
      later(gatherMs)
    },
    flush,
  }
}

const failureRow = (pluginId: string, { fault, method, lastWords, isGrave }: Trouble, now: Date): FailureRow => ({
  id: newId(now.getTime()),
  plugin_id: pluginId,
  code: fault.code,
  message: fault.message,
  method,
  last_words: lastWords === '' ? null : lastWords,
  is_grave: flag(isGrave),
  at: now.toISOString(),
})

/** It returns for how many more lines there is room; below 0 the log already says that there is none. */
const roomForLines = (): ((pluginId: string) => number) => {
  const counts = new Map<string, { readonly since: number; lines: number }>()
  return (pluginId) => {
    const now = performance.now()
    const before = counts.get(pluginId)
    const current = before && now - before.since < linesWithinMs ? before : { since: now, lines: 0 }
    counts.set(pluginId, current)
    current.lines += 1
    return linesMax + 1 - current.lines
  }
}

const emptyBatch = (): Batch => ({ metrics: new Map(), failures: [], lines: [], starts: new Map() })
const isEmpty = ({ metrics, failures, lines, starts }: Batch): boolean =>
  metrics.size === 0 && failures.length === 0 && lines.length === 0 && starts.size === 0

const addTo = (metrics: Map<string, MetricRow>, row: MetricRow): void => {
  const key = [row.plugin_id, row.method, row.outcome].join(' ')
  const before = metrics.get(key)
  metrics.set(key, {
    ...row,
    requests: row.requests + (before?.requests ?? 0),
    duration_ms: row.duration_ms + (before?.duration_ms ?? 0),
  })
}

const joined = (first: Batch, second: Batch): Batch => {
  for (const row of second.metrics.values()) addTo(first.metrics, row)
  first.failures.push(...second.failures.slice(0, Math.max(0, failuresMax - first.failures.length)))
  first.lines.push(...second.lines.slice(0, Math.max(0, linesKept - first.lines.length)))
  for (const [id, started] of second.starts) first.starts.set(id, started)
  return first
}

/** It returns those that have been switched off by it. */
const writeBatch = async (
  db: WriteDb,
  { metrics, failures, lines, starts }: Batch,
  around: ReportContext,
): Promise<string[]> => {
  const rows = [...metrics.values()]
  const ids = [...new Set([...rows, ...failures, ...lines].map(({ plugin_id }) => plugin_id)), ...starts.keys()]
  const standing = await selectStanding(db, ids)
  const counted = rows.filter(({ plugin_id }) => standing.has(plugin_id))
  const failed = failures.filter(({ plugin_id }) => standing.has(plugin_id))
  if (counted.length > 0) await addMetrics(db, counted)
  await writeStarts(
    db,
    [...starts].filter(([id]) => standing.has(id)),
  )
  await writeTimes(db, counted, failed)
  await writeLines(
    db,
    lines.filter(({ plugin_id }) => standing.has(plugin_id)),
  )
  if (failed.length === 0) return []
  await insertFailures(db, failed)
  const troubled = [...new Set(failed.map(({ plugin_id }) => plugin_id))]
  await deleteOldFailures(db, troubled, failuresKept)
  const grave = troubled.filter((id) => failed.some(({ plugin_id, is_grave }) => plugin_id === id && is_grave === 1))
  return switchOff(db, grave, around)
}

const writeTimes = async (db: WriteDb, counted: readonly MetricRow[], failed: readonly FailureRow[]): Promise<void> => {
  const latest = (rows: readonly (readonly [id: string, at: string])[]) => [
    ...new Map([...rows].sort(([, a], [, b]) => (a < b ? -1 : 1))),
  ]
  const succeeded = counted.filter(({ outcome }) => outcome === ok).map((row) => [row.plugin_id, row.last_at] as const)
  const troubled = failed.map(({ plugin_id, at }) => [plugin_id, at] as const)
  await updatePlugins(
    db,
    { last_success_at: 'text' },
    latest(succeeded).map(([id, at]) => ({ id, last_success_at: at })),
  )
  await updatePlugins(
    db,
    { last_failure_at: 'text' },
    latest(troubled).map(([id, at]) => ({ id, last_failure_at: at })),
  )
}

/** A plugin that announces its capabilities is alive. */
const writeStarts = (db: WriteDb, starts: readonly (readonly [string, Started & { at: string }])[]): Promise<void> =>
  updatePlugins(
    db,
    { manifest: 'text', isolation: 'text', last_success_at: 'text' },
    starts.map(([id, { manifest, isolation, at }]) => ({
      id,
      manifest: JSON.stringify(manifest),
      isolation: JSON.stringify(isolation),
      last_success_at: at,
    })),
  )

const writeLines = async (db: WriteDb, lines: readonly LineRow[]): Promise<void> => {
  if (lines.length === 0) return
  await insertLines(db, lines)
  await deleteOldLines(db, [...new Set(lines.map(({ plugin_id }) => plugin_id))], linesKept)
}

export const windowStart = (settings: ReportContext['settings'], now: Date): string =>
  new Date(now.getTime() - settings.get('plugins.failure_window_seconds') * 1000).toISOString()

/** It switches off the plugins that have failed too often. */
const switchOff = async (
  db: WriteDb,
  ids: readonly string[],
  { settings, clock }: ReportContext,
): Promise<string[]> => {
  const now = clock()
  const failuresMax = settings.get('plugins.failures_max')
  const off: string[] = []
  for (const id of ids) {
    const plugin = await selectPlugin(db, id, windowStart(settings, now))
    if (!plugin || plugin.enabled === 0 || plugin.failures < failuresMax) continue
    const seconds = settings.get('plugins.failure_window_seconds')
    const disabled_reason = `It failed ${plugin.failures} times within ${seconds} seconds.`
    await updatePluginRow(db, id, { enabled: 0, disabled_reason, updated_at: now.toISOString() })
    off.push(id)
  }
  const to = { permission: 'plugins:read' } as const
  await announce(
    db,
    off.map((pluginId) => ({ event: { type: 'plugin_disabled', pluginId }, to })),
    now,
  )
  return off
}
