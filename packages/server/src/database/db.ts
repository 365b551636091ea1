import type { Kysely, Transaction } from 'kysely'
import type { Schema } from './schema.ts'

/** Can ask, cannot change: a query function that takes this one writes nothing, and the compiler holds it to that. */
export type ReadDb = Pick<
  Kysely<Schema>,
  'selectFrom' | 'selectNoFrom' | 'with' | 'withRecursive' | 'fn' | 'getExecutor'
>

/** A transaction that changes things. There is no way to write outside one. */
export type WriteDb = Transaction<Schema>
