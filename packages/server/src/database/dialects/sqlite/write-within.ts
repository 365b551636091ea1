import { CompiledQuery, type Dialect as KyselyDialect } from 'kysely'
import type { SqliteConnection } from './connection.ts'
import { connectionOver, dialectWith } from './kysely-parts.ts'

/**
 * It is for the thread that holds the connection. Each transaction is a part of the one that is open; alone in it, it
 * needs no way back to where it began.
 */
export const writeWithin = (connection: SqliteConnection, isAlone: () => boolean): KyselyDialect => {
  const over = connectionOver(async (statement) => connection.run(statement))
  const step = (text: string) => async (): Promise<void> => {
    if (!isAlone() && connection.isInTransaction()) connection.run(CompiledQuery.raw(text))
  }
  return dialectWith({
    init: async () => undefined,
    acquireConnection: async () => over,
    releaseConnection: async () => undefined,
    beginTransaction: step('savepoint one'),
    commitTransaction: step('release one'),
    rollbackTransaction: async () => {
      await step('rollback to one')()
      await step('release one')()
    },
    destroy: async () => undefined,
  })
}
