import type { WriteDb } from './db.ts'
import type { Dialect } from './dialects/dialect.ts'
import type { Topic } from './wake-ups.ts'

/** An open transaction carries this beside its statements. */
interface OpenTransaction {
  readonly dialect: Dialect
  readonly topics: Set<Topic>
  /** The people whose rows are locked in it. */
  readonly lockedUsers: Set<string>
}

const open = new WeakMap<WriteDb, OpenTransaction>()

/** Only code that begins transactions calls it. */
export const enterTransaction = (db: WriteDb, dialect: Dialect): OpenTransaction => {
  const transaction = { dialect, topics: new Set<Topic>(), lockedUsers: new Set<string>() }
  open.set(db, transaction)
  return transaction
}

const transactionOf = (db: WriteDb): OpenTransaction => {
  const transaction = open.get(db)
  if (!transaction) throw new Error('This is not the handle of a transaction of ours')
  return transaction
}

export const dialectOf = (db: WriteDb): Dialect => transactionOf(db).dialect

export const lockedUsersIn = (db: WriteDb): Set<string> => transactionOf(db).lockedUsers

/** The wake-up goes out once the transaction is committed, and not at all if it never is. */
export const wakeAfterCommit = (db: WriteDb, topic: Topic): void => {
  transactionOf(db).topics.add(topic)
}
