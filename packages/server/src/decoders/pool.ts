import { type ChildProcess, spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { BookFault, type Fault } from '../formats/book-format.ts'
import { childEnvironment } from '../platform/processes/child-environment.ts'
import { AppError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import type { Jobs } from './jobs.ts'
import type { DecoderReply, DecoderRequest } from './main.ts'
import { endWithUs } from '../platform/processes/end-with-us.ts'

type Kind = keyof Jobs
type InputOf<K extends Kind> = Parameters<Jobs[K]>[0]
type OutputOf<K extends Kind> = Awaited<ReturnType<Jobs[K]>>
type PartOf<K extends Kind> = Parameters<Jobs[K]> extends [unknown, (part: infer Part) => void] ? Part : never

interface RunOptions<K extends Kind> {
  /** It is the longest silence between two signs of life: parts of a result, or its end. */
  readonly silenceMaxMs?: number
  readonly onPart?: (part: PartOf<K>) => void
  readonly signal?: AbortSignal
  /** The job goes before those that others are waiting for. */
  readonly urgent?: boolean
  /** The job goes after all others, including those that come later. */
  readonly patient?: boolean
}

/**
 * Processes that open what strangers have made. One may hang, grow without end or crash: it is ended then, its job fails
 * with a `BookFault` that says so, and another takes its place. Where none can be started jobs wait for a moment, and then fail with an
 * `AppError` that blames no book.
 */
export interface Decoders {
  run<K extends Kind>(kind: K, input: InputOf<K>, options?: RunOptions<K>): Promise<OutputOf<K>>
  readonly size: number
  close(): Promise<void>
}

export interface DecoderOptions {
  readonly log: Log
  readonly size: number
  /** They leave after this long without work. */
  readonly idleMs?: number
  readonly memoryMaxBytes?: number
  /** Lower goes later: 19 is the nicest. */
  readonly niceness?: number
  /** One that was killed and has not ended by then is not waited for. */
  readonly endsWithinMs?: number
  /** Nobody waits longer for a machine on which none can be started. */
  readonly startsWithinMs?: number
  /** Tests run another program instead of the decoder. */
  readonly program?: URL
}

const usual = {
  idleMs: 60_000,
  memoryMaxBytes: 512 * 1024 * 1024,
  niceness: 10,
  silenceMaxMs: 30_000,
  endsWithinMs: 3000,
  startsWithinMs: 5000,
}
/** A process ends after this many jobs, and with it whatever a library of ours or of others leaks. */
const jobsMax = 2000
const memoryAfterMaxBytes = 320 * 1024 * 1024
const jobCheckMs = 250
/** However little of the processor it gets, a job that says nothing for so many times its limit is over. */
const starvedTimesMax = 20
/** The limit holds for each place in the pool. */
const abandonedMax = 4
const waitingMax = 5000
/** After this pause it is tried again to start one, where the machine has no memory, descriptors or processes left. */
const startAgainMs = 500
/** Reading memory figures is for Linux; elsewhere only time bounds a job. */
const pageBytes = 4096

const flags = ['--max-old-space-size=384', '--max-semi-space-size=2']

interface Waiting {
  readonly request: Omit<DecoderRequest, 'id'>
  readonly options: RunOptions<Kind>
  readonly resolve: (output: unknown) => void
  readonly reject: (error: Error) => void
  /** Since then decoders that got it have ended before they took it. */
  failingSince: number | undefined
}

interface Decoder {
  readonly child: ChildProcess
  /** It has ended, or cannot be ended and is not waited for. */
  readonly gone: Promise<void>
  readonly markGone: () => void
  jobs: number
  current: Waiting | undefined
  currentId: number
  hasTaken: boolean
  lastSign: number
  /** What it had waited for a processor when half of its time without a sign was over. */
  halfTime: { readonly sign: number; readonly queuedMs: number } | undefined
  /** It says why we ended the decoder. */
  fault: Fault | undefined
  idleTimer: NodeJS.Timeout | undefined
  endTimer: NodeJS.Timeout | undefined
}

// The sources run the .ts file beside this one as decoder, the bundle the .js file beside the bundle.
const ownProgram = new URL(import.meta.url.endsWith('.ts') ? './main.ts' : './decoder.js', import.meta.url)

export const openDecoders = (options: DecoderOptions): Decoders => {
  const pool = new DecoderPool(options)
  return { run: pool.run, size: options.size, close: pool.close }
}

class DecoderPool {
  readonly #options: Required<DecoderOptions>
  readonly #decoders = new Set<Decoder>()
  /** Killed, and held by the kernel in a call to storage that hangs: they end when that does. */
  readonly #abandoned = new Set<Decoder>()
  readonly #waiting: Waiting[] = []
  #watch: NodeJS.Timeout | undefined
  /** Since then none has taken a job: they cannot be started, or end before. */
  #failingSince: number | undefined
  #startAgain: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: DecoderOptions) {
    this.#options = { ...usual, program: ownProgram, ...options }
  }

  readonly run = async <K extends Kind>(
    kind: K,
    input: InputOf<K>,
    options: RunOptions<K> = {},
  ): Promise<OutputOf<K>> => {
    if (this.#closed) throw new BookFault('unreadable', 'The server is stopping.')
    options.signal?.throwIfAborted()
    if (this.#waiting.length >= waitingMax) throw new BookFault('timeout', 'Too many books are being opened at once.')
    const { promise, resolve, reject } = Promise.withResolvers<OutputOf<K>>()
    const waiting: Waiting = {
      request: { kind, input },
      options,
      resolve: resolve as Waiting['resolve'],
      reject,
      failingSince: undefined,
    }
    const forget = () => this.#forget(waiting)
    // The signal is often that of a task which asks a hundred thousand times: it must not keep what it was asked.
    options.signal?.addEventListener('abort', forget)
    if (options.urgent) this.#waiting.unshift(waiting)
    else this.#waiting.push(waiting)
    this.#assign()
    try {
      return await promise
    } finally {
      options.signal?.removeEventListener('abort', forget)
    }
  }

  readonly close = async (): Promise<void> => {
    this.#closed = true
    clearInterval(this.#watch)
    clearTimeout(this.#startAgain)
    for (const { reject } of this.#waiting.splice(0)) reject(new BookFault('unreadable', 'The server is stopping.'))
    const all = [...this.#decoders]
    for (const decoder of all) this.#end(decoder, { code: 'unreadable', message: 'The server is stopping.' })
    await Promise.all(all.map(({ gone }) => gone))
  }

  #forget(waiting: Waiting): void {
    const index = this.#waiting.indexOf(waiting)
    if (index >= 0) this.#waiting.splice(index, 1)
    waiting.reject(new BookFault('unreadable', 'Nobody waits for it any more.'))
    for (const decoder of this.#decoders)
      if (decoder.current === waiting)
        this.#end(decoder, { code: 'unreadable', message: 'Nobody waits for it any more.' })
  }

  #assign(): void {
    while (this.#waiting.length > 0) {
      const decoder = this.#free() ?? this.#start()
      if (!decoder) return
      const next = this.#takeNext()
      if (next) this.#give(decoder, next)
    }
  }

  #takeNext(): Waiting | undefined {
    const index = this.#waiting.findIndex(({ options }) => options.patient !== true)
    return this.#waiting.splice(Math.max(0, index), 1)[0]
  }

  #free(): Decoder | undefined {
    return [...this.#decoders].find(({ current, fault }) => !current && !fault)
  }

  #start(): Decoder | undefined {
    const { size } = this.#options
    if (this.#closed || this.#decoders.size >= size || this.#abandoned.size >= size * abandonedMax) return undefined
    const child = this.#startAgain ? undefined : this.#spawn()
    if (!child) return undefined
    endWithUs(child)
    const exited = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message))
      child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`))
    })
    const { promise: gone, resolve: markGone } = Promise.withResolvers<void>()
    const decoder: Decoder = {
      child,
      gone,
      markGone,
      jobs: 0,
      current: undefined,
      currentId: 0,
      hasTaken: false,
      lastSign: performance.now(),
      halfTime: undefined,
      fault: undefined,
      idleTimer: undefined,
      endTimer: undefined,
    }
    child.on('message', (reply: DecoderReply) => this.#receive(decoder, reply))
    void exited.then((how) => this.#ended(decoder, how))
    this.#decoders.add(decoder)
    this.#watch ??= setInterval(() => void this.#checkJobs(), jobCheckMs)
    return decoder
  }

  #spawn(): ChildProcess | undefined {
    const { program, niceness } = this.#options
    try {
      const child = spawn(process.execPath, [...flags, program.pathname, String(niceness)], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        serialization: 'advanced',
        env: childEnvironment({ UV_THREADPOOL_SIZE: '4', MALLOC_ARENA_MAX: '2' }),
      })
      if (child.pid !== undefined) return child
      child.once('error', ({ message }) => this.#startLater(message))
    } catch (error) {
      this.#startLater(error instanceof Error ? error.message : String(error))
    }
    return undefined
  }

  /** No book is to blame for a machine that has no process left: those that there are go on, and the rest waits for a while. */
  #startLater(reason: string): void {
    if (this.#closed) return
    if (this.#failingSince === undefined) {
      this.#failingSince = performance.now()
      this.#options.log.warn({ reason }, 'A process that reads books could not be started')
    }
    if (this.#decoders.size === 0 && this.#hasFailedLong(this.#failingSince))
      for (const { reject } of this.#waiting.splice(0)) reject(noneStarts(reason))
    this.#startAgain ??= setTimeout(() => {
      this.#startAgain = undefined
      if (this.#waiting.length === 0) this.#failingSince = undefined
      this.#assign()
    }, startAgainMs)
  }

  /** Whoever ended the decoder, it was not the book; one that ends all it is given to is not given out for ever. */
  #giveBack(job: Waiting, how: string): void {
    job.failingSince ??= performance.now()
    if (this.#closed || this.#hasFailedLong(job.failingSince)) job.reject(noneStarts(how))
    else this.#waiting.unshift(job)
    this.#startLater(how)
  }

  #hasFailedLong(since: number): boolean {
    return performance.now() - since >= this.#options.startsWithinMs
  }

  #give(decoder: Decoder, waiting: Waiting): void {
    clearTimeout(decoder.idleTimer)
    decoder.current = waiting
    decoder.currentId += 1
    decoder.hasTaken = false
    decoder.jobs += 1
    decoder.lastSign = performance.now()
    decoder.child.send({ id: decoder.currentId, ...waiting.request } satisfies DecoderRequest, () => undefined)
  }

  #receive(decoder: Decoder, reply: DecoderReply): void {
    const { current } = decoder
    if (!current || reply.id !== decoder.currentId) return
    decoder.lastSign = performance.now()
    decoder.hasTaken = true
    this.#failingSince = undefined
    if ('isTaken' in reply) return
    if ('part' in reply) {
      current.options.onPart?.(reply.part as never)
      return
    }
    decoder.current = undefined
    if ('fault' in reply)
      current.reject(new BookFault(reply.fault.code, reply.fault.message, { wasCostly: reply.fault.wasCostly }))
    else current.resolve(reply.output)
    if (decoder.jobs >= jobsMax || reply.memoryBytes > memoryAfterMaxBytes) this.#retire(decoder)
    else decoder.idleTimer = setTimeout(() => this.#retire(decoder), this.#options.idleMs).unref()
    this.#assign()
  }

  /** It ends by itself when nobody speaks to it any more. */
  #retire(decoder: Decoder): void {
    decoder.fault = { code: 'unreadable', message: 'It has done enough.' }
    decoder.child.disconnect()
  }

  #end(decoder: Decoder, fault: Fault): void {
    decoder.fault ??= fault
    decoder.child.kill('SIGKILL')
    decoder.endTimer ??= setTimeout(() => this.#abandon(decoder), this.#options.endsWithinMs)
  }

  /** Others need its slot; only so many may be held up at once. */
  #abandon(decoder: Decoder): void {
    if (!this.#decoders.has(decoder)) return
    this.#options.log.warn({ pid: decoder.child.pid }, 'A decoder does not even end when it is killed')
    this.#abandoned.add(decoder)
    decoder.child.unref()
    decoder.child.channel?.unref()
    this.#gone(decoder, 'SIGKILL')
  }

  #ended(decoder: Decoder, how: string): void {
    if (this.#abandoned.delete(decoder)) this.#assign()
    else this.#gone(decoder, how)
  }

  #gone(decoder: Decoder, how: string): void {
    clearTimeout(decoder.idleTimer)
    clearTimeout(decoder.endTimer)
    this.#decoders.delete(decoder)
    decoder.markGone()
    const { current, fault } = decoder
    decoder.current = undefined
    if (current && !fault) this.#options.log.warn({ end: how, job: current.request.kind }, 'A decoder has crashed')
    if (fault) current?.reject(new BookFault(fault.code, fault.message, { wasCostly: fault.code === 'limit' }))
    else if (current && !decoder.hasTaken) this.#giveBack(current, how)
    else current?.reject(new BookFault('crashed', `Reading it ended its process (${how}).`))
    if (this.#decoders.size === 0) {
      clearInterval(this.#watch)
      this.#watch = undefined
    }
    this.#assign()
  }

  async #checkJobs(): Promise<void> {
    for (const decoder of this.#decoders) {
      if (!decoder.current) continue
      const silenceMax = decoder.current.options.silenceMaxMs ?? usual.silenceMaxMs
      if (await isSilentFor(decoder, silenceMax))
        this.#end(decoder, {
          code: 'timeout',
          message: `It took longer than ${Math.round(silenceMax / 1000)} seconds to read.`,
        })
      else if ((await memoryOf(decoder.child.pid)) > this.#options.memoryMaxBytes)
        this.#end(decoder, { code: 'limit', message: 'Reading it takes more memory than a book may.' })
    }
  }
}

const noneStarts = (reason: string): AppError =>
  new AppError('unavailable', 'The server cannot start the processes that read books. Try again in a moment.', {
    retryAfterSeconds: 5,
    cause: new Error(reason),
  })

/**
 * A machine that has much else to do leaves a decoder, which lets everybody go first, hardly any of its processors. From
 * the half of its time on, what it waits for one does not count: the book is not to blame.
 */
const isSilentFor = async (decoder: Decoder, limitMs: number): Promise<boolean> => {
  const sign = decoder.lastSign
  const silentMs = performance.now() - sign
  if (silentMs < limitMs / 2) return false
  const queuedMs = await queuedMsOf(decoder.child.pid)
  if (decoder.lastSign !== sign) return false
  if (decoder.halfTime?.sign !== sign) decoder.halfTime = { sign, queuedMs }
  return silentMs - (queuedMs - decoder.halfTime.queuedMs) > limitMs || silentMs > starvedTimesMax * limitMs
}

/** It tells how long the thread of a process that waited longest was ready to run and had no processor. */
const queuedMsOf = async (pid: number | undefined): Promise<number> => {
  try {
    const threads = await readdir(`/proc/${pid}/task`)
    const waits = await Promise.all(
      threads.map(async (thread) => (await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')).split(' ')[1]),
    )
    return Math.max(...waits.map(Number)) / 1e6
  } catch {
    return 0
  }
}

const memoryOf = async (pid: number | undefined): Promise<number> => {
  try {
    const [, resident = '0'] = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')
    return Number(resident) * pageBytes
  } catch {
    return 0
  }
}
