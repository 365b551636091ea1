import { parentPort } from 'node:worker_threads'
import type { QueryResult } from 'kysely'
import { restWhenQuiet } from '../../../platform/memory/rest.ts'
import type { NamedWriteCall, NamedWriteOptions, NamedWritesRunner, WriteOutcome } from './named-write-messages.ts'
import {
  beginImmediate,
  type ConnectionOptions,
  openConnection,
  type SqliteConnection,
  type Statement,
} from './connection.ts'

export interface ThreadRequest extends Statement {
  readonly id: number
  /** Begin a transaction with this statement; if that fails the statement is not run. */
  readonly begins: boolean
}

interface NamedWritesRequest extends NamedWriteOptions {
  readonly id: number
  readonly calls: readonly NamedWriteCall[]
}

/** After `close` a thread waits for another file to open. */
export type ThreadCommand = ThreadRequest | NamedWritesRequest | { readonly open: ConnectionOptions } | 'close'

export type ThreadReply =
  | 'closed'
  | { readonly id: number; readonly rows: unknown[]; readonly numAffectedRows?: bigint }
  | { readonly id: number; readonly outcomes: readonly WriteOutcome[] }
  | { readonly id: number; readonly failure: { readonly message: string; readonly code: string } }

if (!parentPort) throw new Error('This file runs as a worker thread')
const port = parentPort
let opened: SqliteConnection | undefined
let cannotOpen: unknown
restWhenQuiet()

/** A database that cannot be opened fails the first statement, and every other. */
const connection = (): SqliteConnection => {
  if (!opened) throw cannotOpen
  return opened
}

const open = (options: ConnectionOptions): void => {
  try {
    opened = openConnection(options)
  } catch (error) {
    cannotOpen = error
  }
}

port.on('message', (command: ThreadCommand) => {
  if (command === 'close') void running.then(close)
  else if ('open' in command) open(command.open)
  else if ('calls' in command) running = answerNamed(command)
  else port.postMessage(answer(command))
})

const answer = (request: ThreadRequest): ThreadReply => {
  try {
    return { id: request.id, ...(request.begins ? runFirst(request) : connection().run(request)) }
  } catch (error) {
    const { message, code = 'SQLITE_UNKNOWN' } = error as Error & { code?: string }
    return { id: request.id, failure: { message, code } }
  }
}

const close = (): void => {
  opened?.close()
  opened = undefined
  named = undefined
  port.postMessage('closed' satisfies ThreadReply)
}

/** Named writes that have begun come to their end before the connection is closed. */
let running: Promise<void> = Promise.resolve()
/** It is there once somebody has asked for a named write. */
let named: NamedWritesRunner | undefined

const answerNamed = async ({ id, calls, ...options }: NamedWritesRequest): Promise<void> => {
  try {
    // Loaded only where it is used: a thread that reads needs no more than SQLite.
    named ??= await (await import('./named-writes-thread.ts')).openNamedWrites({ connection, begin }, options)
    port.postMessage({ id, outcomes: await named(calls) } satisfies ThreadReply)
  } catch (error) {
    const { message, code = 'SQLITE_UNKNOWN' } = error as Error & { code?: string }
    port.postMessage({ id, failure: { message, code } } satisfies ThreadReply)
  }
}

const waitMs = 5000
const askAgainMs = 1
/** Nobody of ours holds the lock for so long: whoever waits behind the first asks in short whether it is free again. */
const waitForHeldMs = 20
let isHeld = false
const sleeper = new Int32Array(new SharedArrayBuffer(4))

/**
 * SQLite itself would ask for the lock at longer and longer intervals, and beside a process that writes without a pause
 * find it taken nearly every time. This thread has nothing else to do.
 */
const begin = (): void => {
  const startedAt = performance.now()
  for (;;) {
    try {
      connection().run({ sql: beginImmediate, parameters: [] })
      isHeld = false
      return
    } catch (error) {
      const isBusy = String((error as { code?: string }).code).startsWith('SQLITE_BUSY')
      if (!isBusy) throw error
      if (performance.now() - startedAt > (isHeld ? waitForHeldMs : waitMs)) {
        isHeld = true
        throw error
      }
      Atomics.wait(sleeper, 0, 0, askAgainMs)
    }
  }
}

/** A transaction whose first statement fails has not begun. */
const runFirst = (statement: Statement): QueryResult<unknown> => {
  begin()
  try {
    return connection().run(statement)
  } catch (error) {
    if (connection().isInTransaction()) connection().run({ sql: 'rollback', parameters: [] })
    throw error
  }
}
