import { CompiledQuery, type Dialect as KyselyDialect, type Driver, type QueryResult } from 'kysely'
import type { SqliteConnection, Statement } from './connection.ts'
import { connectionOver, dialectWith } from './kysely-parts.ts'
import type { ThreadConnection } from './thread.ts'
import type { WriteQueue } from './write-queue.ts'

const refuseTransaction = (): never => {
  throw new Error('This connection only reads')
}

type Run = <Row>(statement: Statement) => Promise<QueryResult<Row>>
/** Hears of every statement that has failed. */
type OnFailure = (error: unknown) => void

const readDriver = (run: Run, onFailure: OnFailure): Driver => {
  const connection = connectionOver(async <Row>(statement: Statement) => {
    try {
      return await run<Row>(statement)
    } catch (error) {
      onFailure(error)
      throw error
    }
  })
  return {
    init: async () => undefined,
    acquireConnection: async () => connection,
    releaseConnection: async () => undefined,
    beginTransaction: refuseTransaction,
    commitTransaction: refuseTransaction,
    rollbackTransaction: refuseTransaction,
    destroy: async () => undefined,
  }
}

/** It runs each statement on the spot, in the calling thread. */
export const readHere = (connection: SqliteConnection, onFailure: OnFailure): KyselyDialect =>
  dialectWith(readDriver(async (statement) => connection.run(statement), onFailure))

export const readInThread = (thread: ThreadConnection, onFailure: OnFailure): KyselyDialect =>
  dialectWith(readDriver((statement) => thread.run(statement), onFailure))

/**
 * One connection, one transaction after the other. A transaction begins with its first statement, in the same message
 * to the thread; one that never runs a statement never begins.
 */
export const writeInThread = (thread: ThreadConnection, queue: WriteQueue): KyselyDialect => {
  let state: 'none' | 'to begin' | 'begun' = 'none'
  const connection = connectionOver(async (statement) => {
    const begins = state === 'to begin'
    const result = await thread.run<never>(statement, { begins })
    if (begins) state = 'begun'
    return result
  })
  const end = async (command: 'commit' | 'rollback'): Promise<void> => {
    const wasBegun = state === 'begun'
    state = 'none'
    if (wasBegun) await thread.run(CompiledQuery.raw(command))
  }

  return dialectWith({
    init: async () => undefined,
    acquireConnection: async () => {
      await queue.take()
      return connection
    },
    releaseConnection: async () => queue.end(),
    beginTransaction: async () => {
      state = 'to begin'
    },
    commitTransaction: () => end('commit'),
    rollbackTransaction: () => end('rollback').catch(unlessEndedAlready),
    destroy: async () => undefined,
  })
}

/** On a full disk SQLite has rolled back by itself; the error worth reporting is the one that led here. */
const unlessEndedAlready = (error: Error): void => {
  if (!error.message.includes('no transaction is active')) throw error
}
