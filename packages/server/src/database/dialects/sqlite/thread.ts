import { Worker } from 'node:worker_threads'
import type { QueryResult } from 'kysely'
import { stopping } from '../../../platform/errors.ts'
import type { ConnectionOptions, Statement } from './connection.ts'
import type { ThreadReply, ThreadRequest } from './connection-thread.ts'

export interface ThreadConnection {
  run<Row>(statement: Statement, options?: { readonly begins: boolean }): Promise<QueryResult<Row>>
  close(): Promise<void>
}

/** The error of a statement, carried over from the thread that ran it. */
class SqliteFailure extends Error {
  override readonly name = 'SqliteFailure'
  readonly code: string
  constructor({ message, code }: { message: string; code: string }) {
    super(message)
    this.code = code
  }
}

interface Waiting {
  readonly resolve: (result: QueryResult<unknown>) => void
  readonly reject: (error: Error) => void
}

/** A connection in a thread of its own, started when it is first used, so that waiting for the disk or a lock blocks nobody. */
export const connectionInThread = (options: ConnectionOptions, onCrash: (error: Error) => void): ThreadConnection => {
  const waiting = new Map<number, Waiting>()
  let thread: Worker | undefined
  let lastId = 0
  let closed = false
  let isOver = false

  const start = (): Worker => {
    const started = new Worker(threadFile, { workerData: options, resourceLimits: { maxYoungGenerationSizeMb: 4 } })
    started.on('message', (reply: ThreadReply) => settle(waiting, reply))
    started.once('exit', () => {
      isOver = true
    })
    started.on('error', (error) => {
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
      onCrash(error)
    })
    return started
  }

  return {
    run: <Row>({ sql, parameters, rows }: Statement, { begins } = { begins: false }) =>
      new Promise<QueryResult<Row>>((resolve, reject) => {
        if (closed) throw stopping()
        thread ??= start()
        lastId += 1
        waiting.set(lastId, { resolve: resolve as Waiting['resolve'], reject })
        thread.postMessage({ id: lastId, sql, parameters, rows, begins } satisfies ThreadRequest)
      }),
    close: async () => {
      closed = true
      if (!thread || isOver) return
      const ended = new Promise((resolve) => thread?.once('exit', resolve))
      thread.postMessage('close')
      await ended
    },
  }
}

const settle = (waiting: Map<number, Waiting>, reply: ThreadReply): void => {
  const asked = waiting.get(reply.id)
  waiting.delete(reply.id)
  if (!asked) return
  if ('failure' in reply) asked.reject(new SqliteFailure(reply.failure))
  else asked.resolve(reply)
}

// The sources run the .ts file beside this one in the thread, the bundle the .js file beside the bundle.
const threadFile = new URL(
  import.meta.url.endsWith('.ts') ? './connection-thread.ts' : './connection-thread.js',
  import.meta.url,
)
