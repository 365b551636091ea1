import type { WriteDb } from './db.ts'
import type { Dialect } from './dialects/dialect.ts'
import type { Topic } from './wake-ups.ts'

/** What an open transaction knows of itself beyond its statements. */
interface OpenTransaction {
  readonly dialect: Dialect
  readonly topics: Set<Topic>
}

const open = new WeakMap<WriteDb, OpenTransaction>()

/** For the one who begins transactions. */
export const enterTransaction = (db: WriteDb, dialect: Dialect): OpenTransaction => {
  const transaction = { dialect, topics: new Set<Topic>() }
  open.set(db, transaction)
  return transaction
}

const transactionOf = (db: WriteDb): OpenTransaction => {
  const transaction = open.get(db)
  if (!transaction) throw new Error('This is not the handle of a transaction of ours')
  return transaction
}

export const dialectOf = (db: WriteDb): Dialect => transactionOf(db).dialect

/** Whoever waits for such a thing is told once the transaction is committed, and not at all if it never is. */
export const wakeAfterCommit = (db: WriteDb, topic: Topic): void => {
  transactionOf(db).topics.add(topic)
}
