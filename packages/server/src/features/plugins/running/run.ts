import { type Ability, isAble, methods, type PluginManifest } from '@carrel/plugin-sdk/protocol'
import type { Context } from '../../../context.ts'
import type { ReadDb } from '../../../database/database.ts'
import { afterCommits } from '../../../database/after-commits.ts'
import { repeat } from '../../../platform/repeat.ts'
import { PluginFault } from '../../../plugins/fault.ts'
import { openPluginHost, type PluginHost } from '../../../plugins/host.ts'
import type { CallOptions } from '../../../plugins/peer.ts'
import type { PluginSpec } from '../../../plugins/supervised.ts'
import { answerCalls } from './answer-calls.ts'
import { type BuiltIns, knowBuiltIns, ownBuiltIns } from '../installing/built-in.ts'
import { fetchCandidateCover } from '../covers/found-covers.ts'
import { endOutOfDate, isFirstStart, type Trial } from '../installing/out-of-date.ts'
import { specOf } from './launch.ts'
import { manifestOf } from '../installing/manifests.ts'
import { isSwitchedOn } from '../own-switch.ts'
import { noOwnTrust, type OwnCredentials, type OwnTrust } from '../secrets/own-trust.ts'
import { type PluginRow, selectEnabled, selectPluginRow, selectUserConfig } from '../queries.ts'
import { keepReports, type Reports } from './reports.ts'
import { reencrypt } from '../secrets/reencrypt.ts'
import { answerPlugin } from './storage.ts'

type PluginRunContext = Pick<Context, 'db' | 'log' | 'clock' | 'config' | 'settings' | 'secret' | 'decoders'>

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
  /** It is the row as the administrator has set the plugin up, for callers who need it. */
  readonly plugin: PluginRow
}

/** The front door to plugins for whatever runs in a worker. A question ends with an answer that fits the protocol, or a `PluginFault`. */
export interface Plugins {
  call(ref: PluginRef, method: string, params: unknown, callOptions?: Partial<CallOptions>): Promise<unknown>
  /** It returns the plugins that are switched on and have this ability, by name. */
  offering(ability: Ability): Promise<readonly Offering[]>
}

export interface RunningPlugins extends Plugins {
  /** No plugin has a process, and nobody waits for an answer. */
  isIdle(): boolean
  /** It ends all processes in good order. */
  stop(): Promise<void>
}

export interface RunOptions {
  readonly timing?: PluginTiming | undefined
  /** Absent: nobody entrusts them with anything of their own. */
  readonly own?: OwnTrust
  /** Absent: those that come with this program. */
  readonly builtIns?: BuiltIns
}

export interface PluginTiming {
  readonly idleMs?: number
  readonly shutdownMs?: number
  readonly backOffFirstMs?: number
}

const pluginsMax = 200
const pollMs = 1000
const answerMs = 30_000

/** It does everything about plugins that happens in a worker. */
export const runPlugins = (
  context: PluginRunContext,
  { timing = {}, own = noOwnTrust, builtIns = ownBuiltIns }: RunOptions = {},
): RunningPlugins => {
  const { db, log, clock, config, settings, secret } = context
  const secrets = { secret, formerSecret: config.formerSecretKey }
  const around = { config, db: db.read, secrets, memoryMaxMib: () => settings.get('plugins.memory_max_mib'), builtIns }
  const reports = keepReports(context, (ids) => {
    void host.forget(({ pluginId }) => ids.includes(pluginId))
  })
  const host = openPluginHost({
    log,
    timing,
    sandbox: config.pluginSandbox,
    answer: answerPlugin({ db, clock }),
    onCall: ({ pluginId, key }, report) => {
      // Nobody asked.
      if (!isFirstStart(key)) reports.called(pluginId, report)
    },
    // The administrator who switches it on gets the error: it does not switch the plugin off again.
    onTrouble: ({ pluginId, key }, trouble) =>
      reports.troubled(pluginId, isFirstStart(key) ? { ...trouble, isGrave: false } : trouble),
    onStarted: ({ pluginId }, started) => reports.started(pluginId, started),
    onLine: ({ pluginId }, line) => reports.logLine(pluginId, line),
  })

  const call = callThrough({ db: db.read, host, reports, around, own })

  const attempt = async (trial: Trial, pluginId: string, deadlineMs: number): Promise<unknown> => {
    const plugin = await selectPluginRow(db.read, pluginId)
    if (!plugin) throw new PluginFault('UNAVAILABLE', 'There is no such plugin.')
    try {
      const spec = specOf(plugin, null, around)
      return { latencyMs: await latencyOf(host, { ...spec, key: `${spec.key} ${trial}` }, deadlineMs) }
    } finally {
      // The caller reads its manifest next, or why it failed.
      await reports.flush()
    }
  }

  const answering = answerCalls({ db, log, clock }, { call, attempt, picture: fetchCandidateCover(context) })
  const check = afterCommits(db, () => endOutOfDate(host, context).then(answering.check))
  const loop = repeat({
    work: () => ready.then(answering.sweep).then(check),
    everyMs: pollMs,
    log,
    trouble: 'What plugins are asked could not be read; trying again',
  })
  const ready = Promise.all([reencrypt(db, secrets, { log, own }), knowBuiltIns(db, context, builtIns)])
  const stopListening = db.wakeUps.on('tasks', loop.wake)

  return {
    call,
    offering: async (ability) => offeringOf(await selectEnabled(db.read, pluginsMax), ability),
    isIdle: () => host.running.length === 0 && answering.isIdle(),
    stop: async () => {
      stopListening()
      await Promise.all([loop.stop(), ready])
      await host.close()
      await answering.settled()
      await reports.flush()
    },
  }
}

/** The check starts a process beside the one that may be running: it has to start, and to answer. */
const latencyOf = async (host: PluginHost, spec: PluginSpec, deadlineMs: number): Promise<number> => {
  const checked = { ...spec, requestsPerMinute: null }
  try {
    await host.call(checked, 'ping', undefined, { deadlineMs })
    const startedAt = performance.now()
    await host.call(checked, 'ping', undefined, { deadlineMs })
    return Math.round(performance.now() - startedAt)
  } finally {
    void host.forget(({ key }) => key === checked.key)
  }
}

interface Calling {
  readonly db: ReadDb
  readonly host: PluginHost
  readonly reports: Reports
  readonly around: Parameters<typeof specOf>[2]
  readonly own: OwnTrust
}

const callThrough =
  ({ db, host, reports, around, own }: Calling): Plugins['call'] =>
  async ({ pluginId, userId }, method, params, { deadlineMs, signal } = {}) => {
    const plugin = await requirePlugin(await selectPluginRow(db, pluginId), { method, reports })
    const usualMs = plugin.request_timeout_seconds === null ? answerMs : plugin.request_timeout_seconds * 1000
    const callOptions = { deadlineMs: deadlineMs ?? usualMs, signal }
    if (userId === undefined) return host.call(specOf(plugin, null, around), method, params, callOptions)
    await requireSwitchedOn(db, plugin, userId)
    return askFor(own, { plugin, userId }, async (credentials) => {
      const changes = await selectUserConfig(db, pluginId, userId)
      const who = { userId, config: changes?.config, changedAt: changes?.updated_at, own: credentials }
      return host.call(specOf(plugin, who, around), method, params, callOptions)
    })
  }

/**
 * It guards every call for a user: nothing of theirs, not even their token, goes to a plugin that is not switched on
 * for them.
 */
const requireSwitchedOn = async (db: ReadDb, { id, enabled_for }: PluginRow, userId: string): Promise<void> => {
  const own = await selectUserConfig(db, id, userId)
  if (!isSwitchedOn({ enabled_for, switched_at: own?.switched_at ?? null, switched: own?.switched ?? null }))
    throw new PluginFault('UNAVAILABLE', 'It is not switched on for this user.')
}

interface PluginOfUser {
  readonly plugin: PluginRow
  readonly userId: string
}

/**
 * The call carries the user's credentials; where the service refuses them, it is repeated once with the refreshed ones.
 */
const askFor = async (
  own: OwnTrust,
  { plugin, userId }: PluginOfUser,
  ask: (own: OwnCredentials | undefined) => Promise<unknown>,
): Promise<unknown> => {
  for (let times = 1; ; times += 1) {
    const credentials = await own.of(plugin, userId)
    try {
      return await ask(credentials)
    } catch (error) {
      const isRefusal = error instanceof PluginFault && error.code === 'AUTH_FAILED'
      if (!isRefusal || !credentials) throw error
      if (!(await own.refused(plugin, userId, { credentials, times }))) throw error
    }
  }
}

interface MethodCall {
  readonly method: string
  readonly reports: Reports
}

const requirePlugin = async (row: PluginRow | undefined, { method, reports }: MethodCall): Promise<PluginRow> => {
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
