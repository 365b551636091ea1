import type { SharedBuckets } from '../platform/shared-buckets.ts'
import type { ReadDb, WriteDb } from './db.ts'
import type { Dialect } from './dialects/dialect.ts'
import type { Revisions } from './table.ts'
import type { WakeUps } from './wake-ups.ts'

export type { ReadDb, WriteDb } from './db.ts'

export interface Database {
  readonly dialect: Dialect
  /** For statements under two milliseconds. On SQLite they run on the spot, in the thread that answers requests. */
  readonly read: ReadDb
  /** For the rest: search, statistics, exports, counts. On SQLite they run in a thread of their own. */
  readonly readSlowly: ReadDb
  /**
   * Runs `work` in one transaction, the whole of it again if the database was busy. Inside, await nothing but statements
   * of this transaction: everybody else's writes wait for it. Name its handle `db` too, so the outer one is out of reach.
   */
  write<Result>(work: (db: WriteDb) => Promise<Result>): Promise<Result>
  /** What other processes may have changed, as numbers to compare. Answers on the spot when nothing can have. */
  revisions(): Revisions | Promise<Revisions>
  /**
   * Another one as soon as anybody has committed anything: what was read since the mark was asked for holds as long as it
   * stays. Costs next to nothing on SQLite, and a small statement on PostgreSQL.
   */
  commitMark(): number | Promise<string>
  readonly wakeUps: WakeUps
  /** Of the rate limiter, where several nodes may draw on them. */
  readonly buckets: SharedBuckets | undefined
  close(): Promise<void>
}
