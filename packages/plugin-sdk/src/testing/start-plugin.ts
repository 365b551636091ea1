import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type CallHost, type Calls, openCalls } from '../calls.ts'
import { linesOf } from '../lines.ts'
import {
  type InitializeParams,
  type Message,
  type PluginManifest,
  initialize,
  limits,
  methods,
  readMessage,
  shutdown,
} from '../protocol/index.ts'
import { type HostAnswers, type StoredValue, answerTo, storageAnswers } from './stored-values.ts'

export interface HostOptions extends InitializeParams {
  /** The whole environment of the plugin: it gets nothing of the test's own. */
  readonly env?: Readonly<Record<string, string>>
  /** These arguments are passed to Node, before the program. */
  readonly nodeArguments?: readonly string[]
  /** The host answers these beyond `storage/…`. */
  readonly answers?: HostAnswers
  /** An answer may take this long. */
  readonly waitMs?: number
  /** `no`: the test says `initialize` itself. */
  readonly initialize?: 'no'
}

export interface Ended {
  readonly code: number | null
  readonly signal: string | null
}

/** A host for one plugin, which runs as a process of its own and is spoken to over its standard streams, as in earnest. */
export interface TestHost extends AsyncDisposable {
  readonly manifest: PluginManifest | undefined
  /** It calls a method of the plugin, checks the answer against the protocol, and throws what it refuses with. */
  readonly call: CallHost
  /** It is the plugin's storage at its host. */
  readonly storage: Map<string, StoredValue>
  /** It returns what the plugin has written to standard error so far. */
  readonly log: () => string
  /** These are the requests to its host so far. */
  readonly requests: readonly (Message & { readonly kind: 'request' })[]
  /** A line as it is, for what no host would say. */
  readonly send: (line: string) => void
  /** It returns the next message that answers no call, in order. */
  readonly nextStray: () => Promise<Message>
  readonly closeInput: () => void
  readonly kill: (signal: NodeJS.Signals) => void
  /** It asks the process to end, and waits until it has. */
  readonly stop: () => Promise<Ended>
  readonly ended: Promise<Ended>
  readonly pid: number | undefined
}

/**
 * It starts the program of a plugin with this Node and says `initialize`. Use it with `await using`, so that it always
 * ends.
 */
export const startPlugin = async (program: string, options: HostOptions = {}): Promise<TestHost> => {
  const { env = {}, nodeArguments = [], answers = {}, waitMs, initialize: greeting, ...params } = options
  const child = spawn(process.execPath, [...nodeArguments, program], {
    env: { ...compileCache(), ...env },
    stdio: 'pipe',
  })
  const host = hostOf(child, answers, waitMs)
  if (greeting === 'no') return host
  try {
    const manifest = await host.call(initialize, params)
    return { ...host, manifest }
  } catch (error) {
    await host[Symbol.asyncDispose]()
    throw error
  }
}

/** A plugin that is started for each test is read and compiled for the first of them. */
const compileCache = (): Readonly<Record<string, string>> => {
  const { NODE_COMPILE_CACHE } = process.env
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
}

const hostOf = (child: ChildProcessWithoutNullStreams, answers: HostAnswers, waitMs?: number): TestHost => {
  const send = (line: string): void => void (child.stdin.writable && child.stdin.write(line))
  // A plugin that is gone is noticed by its end.
  child.stdin.on('error', () => undefined)
  const calls = openCalls(send, 'plugin', waitMs)
  const call = calls.inCourseOf(undefined)
  const storage = new Map<string, StoredValue>()
  const ear = listenTo(child, calls, { ...storageAnswers(storage), ...answers }, send)
  const ended = endOf(child, calls, ear.log)
  return {
    manifest: undefined,
    call,
    storage,
    ...ear,
    send,
    closeInput: () => void child.stdin.end(),
    kill: (signal) => void child.kill(signal),
    stop: async () => {
      await call(shutdown)
      const tooLong = setTimeout(() => child.kill('SIGKILL'), limits.shutdownMs)
      const end = await ended
      clearTimeout(tooLong)
      return end
    },
    ended,
    pid: child.pid,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

const endOf = async (child: ChildProcessWithoutNullStreams, calls: Calls, log: () => string): Promise<Ended> => {
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  calls.giveUp(`The plugin has ended (${signal ?? code}). ${log()}`.trim())
  return { code, signal }
}

const listenTo = (
  child: ChildProcessWithoutNullStreams,
  calls: Calls,
  answers: HostAnswers,
  send: (line: string) => void,
): Pick<TestHost, 'log' | 'requests' | 'nextStray'> => {
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log = `${log}${text}`.slice(-1_000_000)))
  const requests: (Message & { readonly kind: 'request' })[] = []
  const strays: Message[] = []
  const waiting: ((message: Message) => void)[] = []
  const stray = (message: Message): void => {
    const next = waiting.shift()
    if (next) next(message)
    else strays.push(message)
  }
  const hear = (message: Message): void => {
    if (message.kind === 'request') {
      requests.push(message)
      void answerTo(answers, methods, message).then(send)
    } else if ((message.kind === 'result' || message.kind === 'error') && calls.isOpen(message.id)) {
      calls.settle(message)
    } else stray(message)
  }
  void (async () => {
    for await (const line of linesOf(child.stdout, limits.lineFromPluginBytes)) {
      hear(typeof line === 'string' ? readMessage(line) : tooLong(line.bytes))
    }
  })()
  return {
    log: () => log,
    requests,
    nextStray: () => {
      const first = strays.shift()
      return first ? Promise.resolve(first) : new Promise((resolve) => waiting.push(resolve))
    },
  }
}

const tooLong = (bytes: number): Message => ({
  kind: 'unreadable',
  id: undefined,
  code: 'invalid_request',
  why: `The line has ${bytes} bytes; ${limits.lineFromPluginBytes} are allowed.`,
})
