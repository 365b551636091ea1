import { type Ability, isAble, methods, type PluginManifest } from '@carrel/plugin-sdk/protocol'
import type { Context } from '../../context.ts'
import type { ReadDb } from '../../database/database.ts'
import { repeat } from '../../platform/repeat.ts'
import { PluginFault } from '../../plugins/fault.ts'
import { openPluginHost, type PluginHost } from '../../plugins/host.ts'
import type { Asking } from '../../plugins/peer.ts'
import type { PluginSpec } from '../../plugins/supervised.ts'
import { answerCalls } from './answer-calls.ts'
import { knowBuiltIns } from './built-in.ts'
import { fetchFoundCover } from './found-covers.ts'
import { specOf } from './launch.ts'
import { manifestOf } from './manifests.ts'
import { type PluginRow, selectEnabled, selectPluginRow, selectRevisions, selectUserConfig } from './queries.ts'
import { keepReports, type Reports } from './reports.ts'
import { sealAnew } from './seal-anew.ts'
import { answerPlugin } from './storage.ts'

type Surroundings = Pick<Context, 'db' | 'log' | 'clock' | 'config' | 'settings' | 'secret' | 'decoders'>

/** One plugin as it is set up, for everybody or for one user: that user's things and nobody else's are its to see. */
interface PluginRef {
  readonly pluginId: string
  readonly userId?: string | undefined
}

interface Offering {
  readonly pluginId: string
  readonly name: string
  readonly displayName: string
  readonly manifest: PluginManifest
  /** As its administrator has set it up, for those who ask it. */
  readonly plugin: PluginRow
}

/** The front door to plugins for whatever runs in a worker. A question ends with an answer that fits the protocol, or a `PluginFault`. */
export interface Plugins {
  call(ref: PluginRef, method: string, params: unknown, asking?: Partial<Asking>): Promise<unknown>
  /** Those that are on and have said that they can do this, by their names. */
  offering(ability: Ability): Promise<readonly Offering[]>
}

export interface RunningPlugins extends Plugins {
  /** Ends all of them in good order. */
  stop(): Promise<void>
}

export interface PluginTiming {
  readonly idleMs?: number
  readonly shutdownMs?: number
  readonly backOffFirstMs?: number
}

const pluginsMax = 200
const lookEveryMs = 1000
const answerMs = 30_000
const checkKey = 'check'

/** Everything about plugins that happens in a worker. */
export const runPlugins = (context: Surroundings, timing: PluginTiming = {}): RunningPlugins => {
  const { db, log, clock, config, secret } = context
  const secrets = { secret, formerSecret: config.formerSecretKey }
  const around = { config, db: db.read, secrets }
  const reports = keepReports(context, (ids) => {
    void host.forget(({ pluginId }) => ids.includes(pluginId))
  })
  const host = openPluginHost({
    log,
    timing,
    answer: answerPlugin({ db, clock }),
    onCall: ({ pluginId }, report) => reports.called(pluginId, report),
    onTrouble: ({ pluginId }, trouble) => reports.troubled(pluginId, trouble),
    onStarted: ({ pluginId }, started) => reports.started(pluginId, started),
  })

  const call: Plugins['call'] = async ({ pluginId, userId }, method, params, { deadlineMs, signal } = {}) => {
    const plugin = await requirePlugin(await selectPluginRow(db.read, pluginId), { method, reports })
    const usualMs = plugin.request_timeout_seconds === null ? answerMs : plugin.request_timeout_seconds * 1000
    return host.call(specOf(plugin, await whoIs(db.read, { pluginId, userId }), around), method, params, {
      deadlineMs: deadlineMs ?? usualMs,
      signal,
    })
  }

  const check = async (pluginId: string, deadlineMs: number): Promise<unknown> => {
    const plugin = await selectPluginRow(db.read, pluginId)
    if (!plugin) throw new PluginFault('UNAVAILABLE', 'There is no such plugin.')
    try {
      return { latencyMs: await latencyOf(host, specOf(plugin, null, around), deadlineMs) }
    } finally {
      // Whoever asked reads its manifest next, or what it failed at.
      await reports.flush()
    }
  }

  const answering = answerCalls({ db, log, clock }, { call, check, picture: fetchFoundCover(context) })
  const looking = repeat({
    look: async () => {
      await ready
      await endOutOfDate(host, context)
      await answering.look()
    },
    everyMs: lookEveryMs,
    log,
    trouble: 'What plugins are asked could not be read; trying again',
  })
  const ready = Promise.all([sealAnew(db, secrets, log), knowBuiltIns(db, clock, log)])
  const stopListening = db.wakeUps.on('tasks', looking.wake)

  return {
    call,
    offering: async (ability) => offeringOf(await selectEnabled(db.read, pluginsMax), ability),
    stop: async () => {
      stopListening()
      await Promise.all([looking.stop(), ready])
      await host.close()
      await answering.settled()
      await reports.flush()
    },
  }
}

/** Of a process beside the one that may run: it starts, and answers. */
const latencyOf = async (host: PluginHost, spec: PluginSpec, deadlineMs: number): Promise<number> => {
  const checked = { ...spec, key: `${spec.key} ${checkKey}`, requestsPerMinute: null }
  try {
    await host.call(checked, 'ping', undefined, { deadlineMs })
    const startedAt = performance.now()
    await host.call(checked, 'ping', undefined, { deadlineMs })
    return Math.round(performance.now() - startedAt)
  } finally {
    void host.forget(({ key }) => key === checked.key)
  }
}

const whoIs = async (db: ReadDb, { pluginId, userId }: PluginRef) => {
  if (userId === undefined) return null
  const own = await selectUserConfig(db, pluginId, userId)
  return { userId, config: own?.config, changedAt: own?.updated_at }
}

interface Asked {
  readonly method: string
  readonly reports: Reports
}

const requirePlugin = async (row: PluginRow | undefined, { method, reports }: Asked): Promise<PluginRow> => {
  if (!row) throw new PluginFault('UNAVAILABLE', 'There is no such plugin.')
  const fault = unableTo(row, method)
  if (!fault) return row
  reports.called(row.id, { method, durationMs: 0, fault, isRejected: false })
  throw fault
}

const unableTo = (row: PluginRow, method: string): PluginFault | undefined => {
  if (row.enabled === 0)
    return new PluginFault('UNAVAILABLE', `It is switched off. ${row.disabled_reason ?? ''}`.trimEnd())
  const needs = methods.get(method)?.needs
  const manifest = manifestOf(row)
  return needs === undefined || !manifest || isAble(manifest.capabilities, needs)
    ? undefined
    : new PluginFault('UNAVAILABLE', `It has not said that it can do ${method}.`)
}

const offeringOf = (rows: readonly PluginRow[], ability: Ability): Offering[] =>
  rows.flatMap((plugin) => {
    const manifest = manifestOf(plugin)
    if (!manifest || !isAble(manifest.capabilities, ability)) return []
    return [{ pluginId: plugin.id, name: plugin.name, displayName: plugin.display_name, manifest, plugin }]
  })

/** What was changed, switched off or removed does not run on. */
const endOutOfDate = async (host: PluginHost, { db, log }: Surroundings): Promise<void> => {
  const running = host.running.filter(({ key }) => !key.endsWith(` ${checkKey}`))
  if (running.length === 0) return
  const ids = [...new Set(running.map(({ pluginId }) => pluginId))]
  const now = new Map((await selectRevisions(db.read, ids)).map((row) => [row.id, row]))
  const isOutOfDate = ({ pluginId, revision, key }: (typeof running)[number]): boolean => {
    const row = now.get(pluginId)
    return !key.endsWith(` ${checkKey}`) && (row?.enabled !== 1 || String(row.revision) !== revision.split(' ')[0])
  }
  // Nobody waits for their end: the next is another process.
  if (running.some(isOutOfDate))
    host.forget(isOutOfDate).catch((err: unknown) => log.warn({ err }, 'A plugin could not be ended'))
}
