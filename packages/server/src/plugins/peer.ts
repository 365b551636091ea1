import type { Readable, Writable } from 'node:stream'
import { asRecord, faultOfError, PluginFault } from './fault.ts'
import { isTooDeep, readLines } from './frames.ts'

export interface Asking {
  readonly deadlineMs: number
  readonly signal?: AbortSignal | undefined
}

/** The other side of two pipes: JSON-RPC 2.0, one message a line, questions both ways. */
export interface Peer {
  ask(method: string, params: unknown, asking: Asking): Promise<unknown>
  /** Asked and not answered. */
  readonly open: number
  /** Whatever is open ends with this. */
  close(fault: PluginFault): void
}

export interface PeerOptions {
  readonly input: Readable
  readonly output: Writable
  /** What it asks of us. */
  readonly answer: (method: string, params: unknown) => Promise<unknown>
  /** It broke the rules: nothing more is read of it. */
  readonly onProblem: (fault: PluginFault) => void
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
export const refusals = { noSuchMethod: -32_601, wrongParams: -32_602, internal: -32_603 } as const

export const lineBytesMax = 1024 * 1024
const inFlightMax = 32
const waitingMax = 256
/** Answers that come too late are known by these. */
const abandonedMax = 1000
/** Of what it says without being asked, all of it and each message. */
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
  readonly #asked = new Map<number, Question>()
  readonly #waiting: Question[] = []
  readonly #abandoned = new Set<number>()
  readonly #bytes = leakyBucket(flood.bytesMax, flood.bytesPerMs)
  readonly #messages = leakyBucket(flood.messagesMax, flood.messagesPerMs)
  #lastId = 0
  #answering = 0
  #isFull = false
  #closed: PluginFault | undefined

  constructor(options: PeerOptions) {
    this.#options = options
    const { input, output } = options
    const onProblem = (problem: string) => this.#break(problem)
    readLines(input, { lineBytesMax, onLine: (line) => this.#receive(line), onProblem })
    // Its end is told by whoever watches the process.
    output.on('error', () => undefined)
    output.on('drain', () => {
      this.#isFull = false
      this.#send()
    })
  }

  get open(): number {
    return this.#asked.size + this.#waiting.length
  }

  readonly ask = async (method: string, params: unknown, { deadlineMs, signal }: Asking): Promise<unknown> => {
    if (this.#closed) throw this.#closed
    if (signal?.aborted) throw new PluginFault('CANCELLED', 'Nobody waits for it any more.')
    if (this.#waiting.length >= waitingMax)
      throw new PluginFault('UNAVAILABLE', 'Too many questions wait for this plugin.', { retryAfterSeconds: 1 })
    const id = (this.#lastId += 1)
    const line = `${JSON.stringify({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) })}\n`
    if (Buffer.byteLength(line) > lineBytesMax)
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
    for (const { reject } of [...this.#asked.values(), ...this.#waiting.splice(0)]) reject(fault)
    this.#asked.clear()
  }

  /** As many as it may have at once, and no more than the pipe takes. */
  #send(): void {
    while (!this.#isFull && this.#asked.size < inFlightMax) {
      const next = this.#waiting.shift()
      if (!next) return
      this.#asked.set(next.id, next)
      this.#write(next.line)
    }
  }

  #write(line: string): void {
    if (this.#closed || this.#options.output.destroyed) return
    this.#isFull = !this.#options.output.write(line)
  }

  #giveUp(question: Question, fault: PluginFault): void {
    const at = this.#waiting.indexOf(question)
    if (at >= 0) this.#waiting.splice(at, 1)
    else if (this.#asked.delete(question.id)) this.#abandon(question.id)
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
    let message: unknown
    try {
      message = JSON.parse(line)
    } catch {
      return this.#break('It wrote something that is not JSON.')
    }
    const { jsonrpc, id, method, params, result, error } = asRecord(message)
    if (jsonrpc !== '2.0') return this.#break('It wrote something that is not a message of JSON-RPC 2.0.')
    if (typeof method === 'string') this.#hear(id, method, params)
    else if (typeof id === 'number')
      this.#settle(id, message !== null && 'result' in asRecord(message), result ?? error)
    else this.#break('It wrote a message that is neither a question nor an answer.')
  }

  #settle(id: number, isResult: boolean, content: unknown): void {
    const question = this.#asked.get(id)
    if (!question) {
      if (!this.#abandoned.delete(id)) this.#break('It answered what it was not asked, or twice.')
      return
    }
    this.#asked.delete(id)
    if (isResult) question.resolve(content)
    else question.reject(faultOfError(content))
    this.#send()
  }

  /** A question of its own, or a remark, which nobody answers. */
  #hear(id: unknown, method: string, params: unknown): void {
    if (!this.#messages(1)) return this.#break('It says more than anybody can listen to.')
    if (id === undefined) return
    if (typeof id !== 'number' && typeof id !== 'string')
      return this.#break('It asked something without a number to answer it by.')
    this.#answering += 1
    if (this.#answering >= inFlightMax) this.#options.input.pause()
    void this.#reply(id, method, params).finally(() => {
      this.#answering -= 1
      if (this.#answering < inFlightMax) this.#options.input.resume()
    })
  }

  async #reply(id: number | string, method: string, params: unknown): Promise<void> {
    const reply = await this.#options.answer(method, params).then(
      (result) => ({ result: result ?? null }),
      (error: unknown) => ({ error: refusalOf(error) }),
    )
    const line = `${JSON.stringify({ jsonrpc: '2.0', id, ...reply })}\n`
    this.#write(line)
    // It may ask again once it has taken the answer.
    const { output } = this.#options
    if (this.#isFull && !output.destroyed)
      await new Promise<void>((resolve) => {
        output.once('drain', resolve)
        output.once('close', resolve)
      })
  }
}

const refusalOf = (error: unknown): { code: number; message: string } =>
  error instanceof Refusal
    ? { code: error.number, message: error.message }
    : { code: refusals.internal, message: 'The server could not do that. Its log says why.' }

/** Takes so much at once, and then so much a millisecond. */
const leakyBucket = (sizeMax: number, perMs: number): ((amount: number) => boolean) => {
  let filled = 0
  let at = performance.now()
  return (amount) => {
    const now = performance.now()
    filled = Math.max(0, filled - (now - at) * perMs) + amount
    at = now
    return filled <= sizeMax
  }
}
