import { readConfig, readCredentials } from './configuration.ts'
import type { AnyHandler, Plugin, Setup } from './define-plugin.ts'
import { type Calls, openCalls } from './calls.ts'
import { type PassedOver, linesOf } from './lines.ts'
import { type Log, type LogSettings, logTo, withoutSecrets } from './log.ts'
import { PluginError, toRpcError } from './plugin-error.ts'
import {
  InitializeParams,
  type Message,
  type Method,
  type PluginManifest,
  type RequestId,
  errorCodes,
  errorLine,
  fits,
  limits,
  logLevels,
  methods,
  misfitOf,
  readMessage,
  resultLine,
} from './protocol/index.ts'
import { storageOf } from './storage.ts'

/** This much of the time for `shutdown` is reserved for pending writes and for the process to end. */
const endingMs = 1_000

export interface Streams {
  readonly input: AsyncIterable<Uint8Array>
  readonly write: (line: string) => void
  readonly writeLog: (line: string) => void
  readonly environment: Readonly<Record<string, string | undefined>>
}

type Basis = Omit<Setup<unknown, unknown>, 'host' | 'storage' | 'signal'> & { readonly state: unknown }
type Request = Message & { readonly kind: 'request' }

/** `new` → `starting` → `ready` → `ending`; back to `new` when the start has failed. */
interface Session {
  readonly plugin: Plugin
  readonly streams: Streams
  readonly log: Log
  readonly logSettings: LogSettings
  readonly hostCalls: Calls
  readonly stopping: AbortController
  /** The calls that are under way, each with what stops it. */
  readonly open: Map<AbortController, Promise<unknown>>
  readonly over: PromiseWithResolvers<void>
  phase: 'new' | 'starting' | 'ready' | 'ending'
  basis: Basis | undefined
}

/** It returns what comes in until the host asks the plugin to end, or is gone. */
export const openSession = (
  plugin: Plugin,
  streams: Streams,
): { readonly over: Promise<void>; end: () => Promise<void> } => {
  const logSettings: LogSettings = { level: 'info', secrets: [] }
  const session: Session = {
    plugin,
    streams,
    log: logTo(streams.writeLog, logSettings),
    logSettings,
    hostCalls: openCalls(streams.write, 'host'),
    stopping: new AbortController(),
    open: new Map(),
    over: Promise.withResolvers(),
    phase: 'new',
    basis: undefined,
  }
  void listen(session)
  return { over: session.over.promise, end: () => end(session) }
}

const listen = async (session: Session): Promise<void> => {
  try {
    for await (const line of linesOf(session.streams.input, limits.lineFromHostBytes)) hear(session, line)
  } catch (error) {
    session.log.error('What the host says can no longer be read.', error)
  }
  await end(session)
  session.over.resolve()
}

const hear = (session: Session, line: string | PassedOver): void => {
  if (typeof line !== 'string') {
    const message = `A line of ${line.bytes} bytes was passed over; ${limits.lineFromHostBytes} are allowed.`
    return session.streams.write(errorLine(undefined, { code: errorCodes.parse_error, message }))
  }
  const message = readMessage(line)
  switch (message.kind) {
    case 'request':
      return void answer(session, message)
    case 'result':
    case 'error':
      return session.hostCalls.settle(message)
    case 'notification':
      return session.log.debug(`The notification ${message.method} was passed over.`)
    case 'unreadable':
      return session.streams.write(errorLine(message.id, { code: errorCodes[message.code], message: message.why }))
  }
}

const answer = async (session: Session, request: Request): Promise<void> => {
  let line: string
  try {
    line = resultLine(request.id, await resultOf(session, request))
    const bytes = Buffer.byteLength(line)
    if (bytes > limits.lineFromPluginBytes) {
      throw new PluginError(
        'internal_error',
        `The answer has ${bytes} bytes; ${limits.lineFromPluginBytes} are allowed.`,
      )
    }
  } catch (error) {
    line = refusal(session, request, error)
  }
  session.streams.write(line)
  if (request.method === 'shutdown') session.over.resolve()
}

const refusal = ({ log, logSettings }: Session, { id, method }: Request, error: unknown): string => {
  if (!(error instanceof PluginError)) log.error(`${method} failed.`, error)
  const { code, message, data } = toRpcError(
    error instanceof PluginError
      ? error
      : new PluginError('internal_error', `The plugin has a fault: ${wordsOf(error)}`),
  )
  return errorLine(id, { code, message: withoutSecrets(message, logSettings.secrets), data })
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const resultOf = async (session: Session, request: Request): Promise<unknown> => {
  switch (request.method) {
    case 'ping':
      return 'pong'
    case 'shutdown':
      await end(session)
      return null
    case 'initialize':
      return begin(session, request)
    default:
      return callHandler(session, request)
  }
}

const begin = async (session: Session, { id, params }: Request): Promise<PluginManifest> => {
  if (session.phase !== 'new') throw new PluginError('invalid_request', 'The plugin is initialized already.')
  const { plugin, log } = session
  session.phase = 'starting'
  try {
    const basis = setupFrom(session, params ?? {})
    const state = await plugin.start({ ...basis, ...reachOf(session, id, session.stopping.signal) })
    session.basis = { ...basis, state }
    if (session.phase === 'starting') session.phase = 'ready'
    log.info(`${plugin.manifest.displayName} ${plugin.manifest.version} is ready.`)
    return plugin.manifest
  } catch (error) {
    if (session.phase === 'starting') session.phase = 'new'
    if (!(error instanceof PluginError)) throw error
    // The manifest goes along, so that a host can show the form in which the mistake can be corrected.
    throw new PluginError(error.code, error.message, { ...error.details, manifest: plugin.manifest })
  }
}

const setupFrom = (session: Session, params: unknown): Omit<Basis, 'state'> => {
  const { plugin, log, logSettings, streams } = session
  if (!fits(InitializeParams, params)) {
    throw new PluginError('invalid_params', `initialize: ${misfitOf(InitializeParams, params)}.`)
  }
  logSettings.level = logLevels.find((level) => level === params.logLevel) ?? 'info'
  const credentials = readCredentials(
    plugin.manifest.requiredCredentials ?? [],
    params.credentials ?? {},
    streams.environment,
  )
  logSettings.secrets = Object.values(credentials)
  return {
    config: readConfig(plugin.config, params.adminConfig ?? params.config),
    userConfig: readConfig(plugin.userConfig, params.userConfig ?? params.config),
    credentials,
    dataDir: params.dataDir ?? undefined,
    userId: params.userId ?? undefined,
    log,
  }
}

const reachOf = ({ hostCalls }: Session, id: RequestId, signal: AbortSignal) => {
  const host = hostCalls.inCourseOf(id)
  return { host, storage: storageOf(host), signal }
}

const callHandler = async (session: Session, { id, method: name, params }: Request): Promise<unknown> => {
  if (session.phase === 'ending') throw new PluginError('invalid_request', 'The plugin is ending.')
  if (session.basis === undefined) throw new PluginError('invalid_request', 'The plugin is not initialized.')
  const method = methods.get(name)
  const handler = method && session.plugin.handlers.get(method)
  if (!method || !handler) throw new PluginError('method_not_found', `The plugin has no ${name}.`)
  if (session.open.size >= limits.openCalls) {
    throw new PluginError('internal_error', `${limits.openCalls} calls are open already.`)
  }
  const misfit = method.params && misfitOf(method.params, params)
  if (misfit !== undefined) throw new PluginError('invalid_params', `${name}: ${misfit}.`)
  return withEnd(session, method, (signal) => handler(params, { ...basisOf(session), ...reachOf(session, id, signal) }))
}

const basisOf = ({ basis }: Session): Basis => {
  if (!basis) throw new PluginError('invalid_request', 'The plugin is not initialized.')
  return basis
}

/** The work of one call: it ends when it ends, when the plugin does, or when no host can be waiting any longer. */
const withEnd = async (
  { open }: Session,
  { name, result }: Method,
  work: (signal: AbortSignal) => ReturnType<AnyHandler>,
): Promise<unknown> => {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const stop = new AbortController()
  const timer = setTimeout(() => {
    const error = new PluginError('internal_error', `${name} was not done within ${limits.longestAnswerMs} ms.`)
    stop.abort(error)
    reject(error)
  }, limits.longestAnswerMs)
  const running = (async () => work(stop.signal))()
  const settled = Promise.allSettled([running])
  open.set(stop, settled)
  void settled.then(() => open.delete(stop))
  try {
    const value = await Promise.race([running, late])
    const misfit = misfitOf(result, value ?? null)
    if (misfit !== undefined) throw new Error(`the answer to ${name} does not fit: ${misfit}`)
    return value
  } finally {
    clearTimeout(timer)
  }
}

/** Calls that are under way may finish, then the plugin cleans up; both within the time a host gives. */
const end = async (session: Session): Promise<void> => {
  if (session.phase === 'ending') return session.over.promise
  session.phase = 'ending'
  const why = new PluginError('internal_error', 'The plugin is ending.')
  for (const stop of [session.stopping, ...session.open.keys()]) stop.abort(why)
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => resolve('late'), limits.shutdownMs - endingMs)
  const outcome = await Promise.race([cleanUp(session), late])
  clearTimeout(timer)
  if (outcome === 'late') session.log.warn('The plugin was not done in time and ends as it is.')
  session.hostCalls.giveUp('The plugin is ending.')
}

const cleanUp = async ({ plugin, open, basis, log }: Session): Promise<'done'> => {
  await Promise.all(open.values())
  try {
    if (basis) await plugin.stop(basis.state)
  } catch (error) {
    log.error('Cleaning up failed.', error)
  }
  return 'done'
}
