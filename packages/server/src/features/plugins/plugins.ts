import { rm } from 'node:fs/promises'
import type {
  CreatePluginRequest,
  EventType,
  PluginDto,
  PluginFailuresResponse,
  PluginHealthDto,
  PluginLogResponse,
  PluginPackageDto,
  PluginStatusResponse,
  PluginTestResult,
  UpdatePluginRequest,
} from '@carrel/api'
import type { Context } from '../../context.ts'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { flag } from '../../database/flag.ts'
import { announce } from '../../events/outbox.ts'
import { full, invalid, nameTaken, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { PluginFault } from '../../plugins/fault.ts'
import { requireAskable } from './asking-options.ts'
import { asksNobody } from './installing/built-in.ts'
import { askPlugin } from './running/calls.ts'
import { healthOf, noOptions, type PluginOptions, toPackage, toPlugin } from './dto.ts'
import { keptFolder, programOf, requireGrantable, requireVariable } from './running/launch.ts'
import {
  countFailures,
  countPlugins,
  deletePlugin,
  insertPlugin,
  type PluginRow,
  lockPluginNamed,
  raiseRevision,
  selectFailures,
  selectLines,
  selectPackage,
  selectPackages,
  selectPlugin,
  selectPluginByName,
  selectPlugins,
  type ShownPlugin,
  updatePluginRow,
} from './queries.ts'
import { windowStart } from './running/reports.ts'
import { encrypt, type Secrets } from './secrets/encryption.ts'

export { bringConfigs, isUnset, takeConfigsBack } from './brought.ts'
export { askPlugin } from './running/calls.ts'
export { type PluginOptions, toManifest } from './dto.ts'
export { foundCoverAddresses } from './covers/found-covers.ts'
export { manifestOf } from './installing/manifests.ts'
export { isSwitchedOn } from './own-switch.ts'
export { readPluginMetrics } from './running/metrics.ts'
export { forgetFolder, forgetStored } from './installing/forget.ts'
export { isReencrypted, encrypt, type Secrets, decrypt } from './secrets/encryption.ts'
export type { OwnCredentials, OwnTrust } from './secrets/own-trust.ts'
export { coverAt } from './covers/picture-at.ts'
export { type PluginRow, selectEnabled, selectPluginByName, selectPluginRow } from './queries.ts'
export type { Plugins } from './running/run.ts'

type PluginContext = Pick<Context, 'db' | 'config' | 'settings' | 'clock' | 'secret'>
type Setting = PluginContext & Pick<Context, 'decoders'>

const pluginsMax = 200
const packagesMax = 500

const sinceOf = ({ settings, clock }: Pick<Context, 'settings' | 'clock'>): string => windowStart(settings, clock())

const requirePlugin = async (db: ReadDb, id: string, since: string): Promise<ShownPlugin> => {
  const row = await selectPlugin(db, id, since)
  if (!row) throw notFound('plugin')
  return row
}

export const listPlugins = async (context: PluginContext): Promise<{ plugins: PluginDto[]; total: number }> => {
  const rows = await selectPlugins(context.db.read, sinceOf(context), pluginsMax)
  return { plugins: rows.map(toPlugin), total: rows.length }
}

export const readPlugin = async (context: PluginContext, id: string): Promise<PluginDto> =>
  toPlugin(await requirePlugin(context.db.read, id, sinceOf(context)))

type EventName = Extract<EventType, `plugin_${string}`>

const tell = (db: WriteDb, type: EventName, pluginId: string, now: Date): Promise<void> =>
  announce(db, [{ event: { type, pluginId }, to: { permission: 'plugins:read' } }], now)

const status = (message: string, plugin: PluginDto): PluginStatusResponse => ({
  message,
  plugin,
  healthCheckPerformed: false,
})

const testMs = 20_000
const firstStartMs = 10_000
/** A worker that has just been started needs some of it. */
const takenWithinMs = 5000

/** Milliseconds until it answered. */
const attempt = async (
  context: PluginContext,
  { pluginId, method, deadlineMs }: { pluginId: string; method: 'check' | 'start'; deadlineMs: number },
): Promise<number> => {
  const question = { pluginId, method, deadlineMs, ...(method === 'start' && { takenWithinMs }) }
  const { latencyMs } = (await askPlugin(context, question)) as { latencyMs: number }
  return latencyMs
}

/** Only a plugin that has been started has announced its capabilities, so that somebody may call it. */
const startedStatus = async (context: PluginContext, id: string, message: string): Promise<PluginStatusResponse> => {
  const health = await attempt(context, { pluginId: id, method: 'start', deadlineMs: firstStartMs }).then(
    (healthCheckLatencyMs) => ({ healthCheckPassed: true, healthCheckLatencyMs }),
    (error: unknown) => {
      if (!(error instanceof PluginFault)) throw error
      return { healthCheckPassed: false, healthCheckError: `${error.code}: ${error.message}` }
    },
  )
  return { ...status(message, await readPlugin(context, id)), healthCheckPerformed: true, ...health }
}

const requestsPerMinute = 60

export const createPlugin = async (context: Setting, body: CreatePluginRequest): Promise<PluginStatusResponse> => {
  const { db, config, clock } = context
  if ((body.command === undefined) === (body.package === undefined))
    throw invalid('/command', 'Say either command or package.')
  await requireAskable(context, body)
  const packageName = body.package ?? null
  const command = body.command ?? 'node'
  const workingDirectory = body.workingDirectory ?? null
  if (packageName === null) await programOf(config, { command, args: body.args ?? [], workingDirectory })
  const now = clock()
  const at = now.toISOString()
  const row: PluginRow = {
    id: newId(now.getTime()),
    name: body.name,
    display_name: body.displayName,
    plugin_type: body.pluginType ?? 'system',
    package: packageName,
    command,
    ...emptyRow,
    ...changesOf(context, body),
    enabled: flag(body.enabled === true),
    failures_from: at,
    created_at: at,
    updated_at: at,
  }
  await db.write(async (db) => {
    if ((await countPlugins(db)) >= pluginsMax) throw full(pluginsMax, `There may be ${pluginsMax} plugins.`)
    if (await selectPluginByName(db, row.name)) throw nameTaken(row.name, 'There is a plugin with this name already.')
    const program = packageName === null ? undefined : await selectPackage(db, packageName)
    if (packageName !== null && !program)
      throw invalid('/package', 'There is no such package: install it first.', { reason: 'gone_by_now' })
    const isForAll = body.enabledFor === undefined && program !== undefined && asksNobody(program)
    await insertPlugin(db, isForAll ? { ...row, enabled_for: 'everybody' } : row)
    await tell(db, 'plugin_created', row.id, now)
  })
  return row.enabled === 1
    ? startedStatus(context, row.id, 'The plugin is set up.')
    : status('The plugin is set up.', await readPlugin(context, row.id))
}

const forWhom = (word: PluginDto['enabledFor'] | undefined): PluginRow['enabled_for'] | undefined =>
  word === 'nobody' ? null : word

const emptyRow = {
  enabled_for: null,
  description: null,
  args: '[]',
  env_keys: '[]',
  env: null,
  credentials: null,
  oauth_client_id: null,
  oauth_client_secret: null,
  working_directory: null,
  permissions: '[]',
  scopes: '[]',
  library_ids: '[]',
  config: '{}',
  credential_delivery: 'init_message',
  log_level: null,
  requests_per_minute: requestsPerMinute,
  request_timeout_seconds: null,
  options: '{}',
  disabled_reason: null,
  manifest: null,
  isolation: null,
  last_success_at: null,
  last_failure_at: null,
  revision: 1,
} as const satisfies Partial<PluginRow>

type PluginPatch = Omit<UpdatePluginRequest, 'displayName' | 'command'>

/** Absent fields stay as they are. */
const changesOf = ({ secret }: Pick<Context, 'secret'>, body: PluginPatch): Partial<PluginRow> => {
  const secrets = { secret, formerSecret: undefined }
  const json = (value: unknown): string | undefined => (value === undefined ? undefined : JSON.stringify(value))
  requireGrantable(body.permissions ?? [])
  for (const [index, { key }] of (body.env ?? []).entries()) requireVariable(key, `/env/${index}/key`)
  const env = body.env && Object.fromEntries(body.env.map(({ key, value }) => [key, value]))
  const changes: { [Column in keyof PluginRow]?: PluginRow[Column] | undefined } = {
    enabled_for: forWhom(body.enabledFor),
    description: body.description,
    args: json(body.args),
    env_keys: env && JSON.stringify(Object.keys(env)),
    env: env && (Object.keys(env).length === 0 ? null : encrypt(secrets, env)),
    ...trustIn(body.credentials, secrets),
    working_directory: body.workingDirectory,
    permissions: json(body.permissions),
    scopes: json(body.scopes),
    library_ids: json(body.libraryIds),
    config: json(body.config),
    credential_delivery: body.credentialDelivery,
    log_level: body.logLevel,
    requests_per_minute: body.rateLimitRequestsPerMinute,
    request_timeout_seconds: body.requestTimeoutSeconds,
    options: optionsIn(body, {}),
  }
  return definedOf(changes)
}

/**
 * The client with which we sign users in is ours; all other credentials are the plugin's. They are entered again as a
 * whole.
 */
const trustIn = (given: PluginPatch['credentials'], secrets: Secrets) => {
  if (given === undefined) return {}
  const { oauth_client_id: clientId, oauth_client_secret: clientSecret, ...rest } = given ?? {}
  const isNothing = given === null || (Object.keys(rest).length === 0 && clientId !== undefined)
  return {
    credentials: isNothing ? null : encrypt(secrets, rest),
    oauth_client_id: clientId ?? null,
    oauth_client_secret: clientSecret === undefined ? null : encrypt(secrets, clientSecret),
  }
}

const definedOf = (changes: { [Column in keyof PluginRow]?: PluginRow[Column] | undefined }): Partial<PluginRow> =>
  // No field is undefined any more.
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Partial<PluginRow>

const optionNames = Object.keys(noOptions) as (keyof PluginOptions)[]

const optionsIn = (body: PluginPatch, before: Partial<PluginOptions>): string | undefined => {
  const given = optionNames.filter((name) => body[name] !== undefined).map((name) => [name, body[name]] as const)
  return given.length === 0 ? undefined : JSON.stringify({ ...before, ...Object.fromEntries(given) })
}

export const updatePlugin = async (
  context: Setting,
  id: string,
  body: UpdatePluginRequest,
  expectMatch: (current: unknown) => void,
): Promise<PluginDto> => {
  const { db, config, clock } = context
  const since = sinceOf(context)
  await requireProgram(config, await requirePlugin(db.read, id, since), body)
  await requireAskable(context, body)
  const now = clock()
  return db.write(async (db) => {
    await lockPluginNamed(db, { id })
    const before = await requirePlugin(db, id, since)
    expectMatch(toPlugin(before))
    const { displayName, command, ...rest } = body
    const options = optionsIn(rest, JSON.parse(before.options) as Partial<PluginOptions>)
    await updatePluginRow(db, id, {
      ...changesOf(context, rest),
      ...(options !== undefined && { options }),
      ...(displayName !== undefined && { display_name: displayName }),
      ...(command !== undefined && { command }),
      updated_at: now.toISOString(),
    })
    await raiseRevision(db, id)
    await tell(db, 'plugin_updated', id, now)
    return toPlugin(await requirePlugin(db, id, since))
  })
}

const requireProgram = async (
  config: Context['config'],
  before: PluginRow,
  { command, args, workingDirectory }: UpdatePluginRequest,
): Promise<void> => {
  if (before.package !== null) {
    if (command !== undefined) throw invalid('/command', 'It runs a package: set up another one for a command.')
    return
  }
  if (command === undefined && args === undefined && workingDirectory === undefined) return
  await programOf(config, {
    command: command ?? before.command,
    args: args ?? (JSON.parse(before.args) as string[]),
    workingDirectory: workingDirectory === undefined ? before.working_directory : workingDirectory,
  })
}

/** What the plugin has stored, and its folder, are removed too. */
export const removePlugin = async (context: PluginContext, id: string): Promise<void> => {
  const { db, config, clock } = context
  const since = sinceOf(context)
  await db.write(async (db) => {
    await requirePlugin(db, id, since)
    await deletePlugin(db, id)
    await tell(db, 'plugin_deleted', id, clock())
  })
  await rm(keptFolder(config.dataDir, id), { recursive: true, force: true })
}

export const switchPlugin = async (
  context: PluginContext,
  id: string,
  isOn: boolean,
): Promise<PluginStatusResponse> => {
  const { db, clock } = context
  const since = sinceOf(context)
  const now = clock()
  const plugin = await db.write(async (db) => {
    const before = await requirePlugin(db, id, since)
    const at = now.toISOString()
    if (before.enabled !== flag(isOn)) {
      // Earlier failures do not count again.
      const anew = isOn && before.disabled_reason !== null ? { failures_from: at } : {}
      await updatePluginRow(db, id, { enabled: flag(isOn), disabled_reason: null, updated_at: at, ...anew })
      await tell(db, isOn ? 'plugin_enabled' : 'plugin_disabled', id, now)
    }
    return toPlugin(await requirePlugin(db, id, since))
  })
  return isOn ? startedStatus(context, id, 'The plugin is on.') : status('The plugin is off.', plugin)
}

export const resetPlugin = async (context: PluginContext, id: string): Promise<PluginStatusResponse> => {
  const { db, clock } = context
  const since = sinceOf(context)
  const at = clock().toISOString()
  const plugin = await db.write(async (db) => {
    await requirePlugin(db, id, since)
    await updatePluginRow(db, id, { failures_from: at, last_failure_at: null, updated_at: at })
    await tell(db, 'plugin_updated', id, clock())
    return toPlugin(await requirePlugin(db, id, since))
  })
  return status('Its failures are forgotten.', plugin)
}

export const testPlugin = async (context: PluginContext, id: string): Promise<PluginTestResult> => {
  await requirePlugin(context.db.read, id, sinceOf(context))
  try {
    const latencyMs = await attempt(context, { pluginId: id, method: 'check', deadlineMs: testMs })
    const { manifest } = await readPlugin(context, id)
    return { success: true, message: 'It answers.', latencyMs, manifest }
  } catch (error) {
    if (!(error instanceof PluginFault)) throw error
    return { success: false, message: `${error.code}: ${error.message}`, latencyMs: null, manifest: null }
  }
}

interface FailurePage {
  readonly limit: number
  readonly offset: number
}

export const readFailures = async (
  context: PluginContext,
  id: string,
  page: FailurePage,
): Promise<PluginFailuresResponse> => {
  const { db, settings } = context
  const row = await requirePlugin(db.read, id, sinceOf(context))
  const failures = await selectFailures(db.read, id, row.failures_from, page)
  return {
    failures: failures.map(({ id, code, message, method, last_words, at }) => ({
      id,
      errorCode: code,
      errorMessage: message,
      method,
      context: last_words === null ? null : { lastWords: last_words },
      occurredAt: at,
    })),
    total: await countFailures(db.read, id, row.failures_from),
    windowFailures: row.failures,
    windowSeconds: settings.get('plugins.failure_window_seconds'),
    threshold: settings.get('plugins.failures_max'),
  }
}

const linesOnPage = 100

export const readLog = async (
  context: PluginContext,
  id: string,
  { limit = linesOnPage, before }: { limit?: number | undefined; before?: string | undefined },
): Promise<PluginLogResponse> => {
  await requirePlugin(context.db.read, id, sinceOf(context))
  const rows = await selectLines(context.db.read, id, { limit, before })
  const oldest = rows.at(-1)
  return {
    lines: rows.toReversed().map(({ id, at, line }) => ({ id, at, text: line })),
    before: rows.length < limit ? null : (oldest?.id ?? null),
  }
}

export const readHealth = async (context: PluginContext, id: string): Promise<{ health: PluginHealthDto }> => {
  const row = await requirePlugin(context.db.read, id, sinceOf(context))
  return {
    health: {
      pluginId: row.id,
      name: row.name,
      enabled: row.enabled === 1,
      healthStatus: healthOf(row),
      failureCount: row.failures,
      lastSuccessAt: row.last_success_at,
      lastFailureAt: row.last_failure_at,
      disabledReason: row.disabled_reason,
    },
  }
}

export const listPackages = async (db: ReadDb): Promise<{ packages: PluginPackageDto[] }> => ({
  packages: (await selectPackages(db, packagesMax)).map(toPackage),
})
