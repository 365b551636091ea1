import { Worker } from 'node:worker_threads'
import type { QueryResult } from 'kysely'
import { stopping } from '../../../platform/errors.ts'
import type { ConnectionOptions, Statement } from './connection.ts'
import type { ThreadCommand, ThreadReply } from './connection-thread.ts'
import type { NamedWriteCall, NamedWriteOptions, WriteOutcome } from './named-write-messages.ts'

export interface ThreadConnection {
  run<Row>(statement: Statement, options?: { readonly begins: boolean }): Promise<QueryResult<Row>>
  runNamed(calls: readonly NamedWriteCall[], options: NamedWriteOptions): Promise<readonly WriteOutcome[]>
  close(): Promise<void>
}

/** The error of a statement, carried over from the thread that ran it. */
export class SqliteFailure extends Error {
  override readonly name = 'SqliteFailure'
  readonly code: string
  constructor({ message, code }: { message: string; code: string }) {
    super(message)
    this.code = code
  }
}

type Answer = Exclude<ThreadReply, 'closed' | { readonly failure: unknown }>

interface Waiting {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
}

/** Threads whose connection is closed: to start one takes longer than to open another file in it. */
const idle: Worker[] = []

const startThread = (): Worker => {
  const thread = new Worker(threadFile, { resourceLimits: { maxYoungGenerationSizeMb: 4 } })
  thread.once('exit', () => {
    const index = idle.indexOf(thread)
    if (index >= 0) idle.splice(index, 1)
  })
  return thread
}

/** It starts a thread for the connection that is opened next. */
export const prepareThread = (): void => {
  const thread = startThread()
  thread.unref()
  idle.push(thread)
}

/** A thread that was prepared for a connection that is not opened after all would still look for its folder. */
export const endIdleThreads = async (): Promise<void> => {
  await Promise.all(idle.splice(0).map((thread) => thread.terminate()))
}

/** A connection in a thread of its own, opened when it is first used, so that waiting for the disk or a lock blocks nobody. */
export const connectionInThread = (options: ConnectionOptions, onCrash: (error: Error) => void): ThreadConnection => {
  const waiting = new Map<number, Waiting>()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  let thread: Worker | undefined
  let lastId = 0
  let closed = false

  const tell = (command: ThreadCommand): void => thread?.postMessage(command)
  const hear = (reply: ThreadReply): void => {
    if (reply === 'closed') release()
    else settle(waiting, reply)
  }
  const crash = (error: Error): void => {
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
    onCrash(error)
  }
  const start = (): Worker => {
    const started = idle.pop() ?? startThread()
    started.ref()
    started.on('message', hear)
    started.on('error', crash)
    started.on('exit', end)
    return started
  }
  const release = (): void => {
    if (!thread) return
    thread.off('message', hear)
    thread.off('error', crash)
    thread.off('exit', end)
    thread.unref()
    idle.push(thread)
    end()
  }

  const ask = (commandWith: (id: number) => ThreadCommand) =>
    new Promise<Answer>((resolve, reject) => {
      if (closed) throw stopping()
      if (!thread) {
        thread = start()
        tell({ open: options })
      }
      lastId += 1
      waiting.set(lastId, { resolve, reject })
      tell(commandWith(lastId))
    })

  return {
    run: <Row>({ sql, parameters, rows }: Statement, { begins } = { begins: false }) =>
      ask((id) => ({ id, sql, parameters, rows, begins })) as Promise<QueryResult<Row>>,
    runNamed: async (calls, { modules, isTraced }) => {
      const answer = await ask((id) => ({ id, calls, modules, isTraced }))
      return 'outcomes' in answer ? answer.outcomes : []
    },
    close: async () => {
      if (!closed) tell('close')
      closed = true
      if (thread) await ended
    },
  }
}

const settle = (waiting: Map<number, Waiting>, reply: Exclude<ThreadReply, 'closed'>): void => {
  const question = waiting.get(reply.id)
  waiting.delete(reply.id)
  if (!question) return
  if ('failure' in reply) question.reject(new SqliteFailure(reply.failure))
  else question.resolve(reply)
}

// The sources run the .ts file beside this one in the thread, the bundle the .js file beside the bundle.
const threadFile = new URL(
  import.meta.url.endsWith('.ts') ? './connection-thread.ts' : './connection-thread.js',
  import.meta.url,
)
