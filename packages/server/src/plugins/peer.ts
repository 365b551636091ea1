import type { Readable, Writable } from 'node:stream'
import {
  errorCodes,
  errorLine,
  limits,
  type Message,
  readMessage,
  type RequestId,
  requestLine,
  resultLine,
  type RpcError,
} from '@carrel/plugin-sdk/protocol'
import { leakyBucket } from './buckets.ts'
import { faultOfError, PluginFault } from './fault.ts'
import { isTooDeep, readLines } from './frames.ts'

export interface CallOptions {
  readonly deadlineMs: number
  readonly signal?: AbortSignal | undefined
}

/** The other side of two pipes: JSON-RPC 2.0, one message a line, questions both ways. */
export interface Peer {
  ask(method: string, params: unknown, options: CallOptions): Promise<unknown>
  /** It counts requests that are not answered yet. */
  readonly open: number
  /** All open requests end with this fault. */
  close(fault: PluginFault): void
}

export interface PeerOptions {
  readonly input: Readable
  readonly output: Writable
  /** It answers the requests of the other side. */
  readonly answer: (method: string, params: unknown) => Promise<unknown>
  /** It broke the rules: nothing more is read of it. */
  readonly onProblem: (fault: PluginFault) => void
  /** It removes the credentials it was given from its text. */
  readonly redact: (text: string) => string
}

/** A question of a plugin that is refused, with the number the protocol has for why. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly number: number

  constructor(number: number, message: string) {
    super(message)
    this.number = number
  }
}

const { openCalls: inFlightMax, lineFromPluginBytes: lineBytesMax } = limits
const waitingMax = 256
/** Answers that come too late are known by these. */
const abandonedMax = 1000
/** The limits hold for what a plugin says unasked: for all of it, and for each message. */
const flood = { bytesMax: 64 * 1024 * 1024, bytesPerMs: 4 * 1024, messagesMax: 1000, messagesPerMs: 0.2 }

interface Question {
  readonly id: number
  readonly line: string
  readonly resolve: (result: unknown) => void
  readonly reject: (fault: Error) => void
}

export const openPeer = (options: PeerOptions): Peer => {
  const talk = new Talk(options)
  return {
    ask: talk.ask,
    get open() {
      return talk.open
    },
    close: talk.close,
  }
}

class Talk {
  readonly #options: PeerOptions
  readonly #pending = new Map<number, Question>()
  readonly #waiting: Question[] = []
  readonly #abandoned = new Set<number>()
  readonly #bytes = leakyBucket(flood.bytesMax, flood.bytesPerMs)
  readonly #messages = leakyBucket(flood.messagesMax, flood.messagesPerMs)
  #lastId = 0
  #answering = 0
  #isFull = false
  /** When the pipe takes more again. */
  #drained: PromiseWithResolvers<void> | undefined
  #closed: PluginFault | undefined

  constructor(options: PeerOptions) {
    this.#options = options
    const { input, output } = options
    const onProblem = (problem: string) => this.#break(problem)
    readLines(input, { lineBytesMax, onLine: (line) => this.#receive(line), onProblem })
    // The code that watches the process reports its end.
    output.on('error', () => undefined)
    output.on('drain', () => {
      this.#isFull = false
      this.#letGo()
      this.#send()
    })
  }

  get open(): number {
    return this.#pending.size + this.#waiting.length
  }

  readonly ask = async (method: string, params: unknown, { deadlineMs, signal }: CallOptions): Promise<unknown> => {
    if (this.#closed) throw this.#closed
    if (signal?.aborted) throw new PluginFault('CANCELLED', 'Nobody waits for it any more.')
    if (this.#waiting.length >= waitingMax)
      throw new PluginFault('UNAVAILABLE', 'Too many questions wait for this plugin.', { retryAfterSeconds: 1 })
    const id = (this.#lastId += 1)
    const line = requestLine({ id, method, params })
    if (Buffer.byteLength(line) > limits.lineFromHostBytes)
      throw new PluginFault('UNAVAILABLE', 'The question is too long for a plugin.')
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const question: Question = { id, line, resolve, reject }
    const seconds = Math.round(deadlineMs / 100) / 10
    const timer = setTimeout(() => {
      this.#giveUp(question, new PluginFault('TIMEOUT', `It did not answer ${method} within ${seconds} seconds.`))
    }, deadlineMs)
    const cancel = () => this.#giveUp(question, new PluginFault('CANCELLED', 'Nobody waits for it any more.'))
    signal?.addEventListener('abort', cancel)
    this.#waiting.push(question)
    this.#send()
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
    }
  }

  readonly close = (fault: PluginFault): void => {
    if (this.#closed) return
    this.#closed = fault
    for (const { reject } of [...this.#pending.values(), ...this.#waiting.splice(0)]) reject(fault)
    this.#pending.clear()
    this.#letGo()
  }

  #letGo(): void {
    this.#drained?.resolve()
    this.#drained = undefined
  }

  /** It sends as many requests as the plugin may have at once, and no more than the pipe takes. */
  #send(): void {
    while (!this.#isFull && this.#pending.size < inFlightMax) {
      const next = this.#waiting.shift()
      if (!next) return
      this.#pending.set(next.id, next)
      this.#write(next.line)
    }
  }

  #write(line: string): void {
    if (this.#closed || this.#options.output.destroyed) return
    this.#isFull = !this.#options.output.write(line)
  }

  #giveUp(question: Question, fault: PluginFault): void {
    const index = this.#waiting.indexOf(question)
    if (index >= 0) this.#waiting.splice(index, 1)
    else if (this.#pending.delete(question.id)) this.#abandon(question.id)
    question.reject(fault)
    this.#send()
  }

  #abandon(id: number): void {
    this.#abandoned.add(id)
    const [oldest] = this.#abandoned
    if (this.#abandoned.size > abandonedMax && oldest !== undefined) this.#abandoned.delete(oldest)
  }

  #break(problem: string): void {
    if (this.#closed) return
    const fault = new PluginFault('PROTOCOL_ERROR', problem)
    this.close(fault)
    this.#options.onProblem(fault)
  }

  #receive(line: string): void {
    if (this.#closed) return
    if (!this.#bytes(line.length)) return this.#break('It floods its output.')
    if (isTooDeep(line)) return this.#break('It wrote a message that stands too deep in itself.')
    const message = readMessage(line)
    switch (message.kind) {
      case 'result':
      case 'error':
        return this.#settle(message)
      case 'request':
        return this.#hear(message)
      case 'notification':
        if (!this.#messages(1)) this.#break('It says more than anybody can listen to.')
        return undefined
      case 'unreadable':
        return this.#break(`It wrote something that is no message. ${message.why}`)
    }
  }

  #settle(message: Extract<Message, { kind: 'result' | 'error' }>): void {
    const { id } = message
    const question = typeof id === 'number' ? this.#pending.get(id) : undefined
    if (!question) {
      if (typeof id !== 'number' || !this.#abandoned.delete(id))
        this.#break('It answered what it was not asked, or twice.')
      return
    }
    this.#pending.delete(question.id)
    if (message.kind === 'result') question.resolve(message.result)
    else question.reject(faultOfError(this.#withoutSecrets(message.error)))
    this.#send()
  }

  #withoutSecrets(error: RpcError): RpcError {
    return { ...error, message: this.#options.redact(error.message) }
  }

  #hear({ id, method, params }: Extract<Message, { kind: 'request' }>): void {
    if (!this.#messages(1)) return this.#break('It asks more than anybody can answer.')
    this.#answering += 1
    if (this.#answering >= inFlightMax) this.#options.input.pause()
    void this.#reply(id, method, params).finally(() => {
      this.#answering -= 1
      if (this.#answering < inFlightMax) this.#options.input.resume()
    })
  }

  async #reply(id: RequestId, method: string, params: unknown): Promise<void> {
    const line = await this.#options.answer(method, params).then(
      (result) => resultLine(id, result),
      (error: unknown) => errorLine(id, refusalOf(error)),
    )
    this.#write(line)
    // It may ask again once it has taken the answer.
    if (this.#isFull && !this.#closed) await (this.#drained ??= Promise.withResolvers<void>()).promise
  }
}

const refusalOf = (error: unknown): { code: number; message: string } =>
  error instanceof Refusal
    ? { code: error.number, message: error.message }
    : { code: errorCodes.internal_error, message: 'The server could not do that. Its log says why.' }
