import type { CompiledQuery } from 'kysely'
import type { SharedBuckets } from '../platform/shared-buckets.ts'
import type { ReadDb, WriteDb } from './db.ts'
import type { Degraded } from './degraded.ts'
import type { Dialect } from './dialects/dialect.ts'
import type { NamedWrite } from './named-write.ts'
import type { Replica } from './replica.ts'
import type { Revisions } from './table.ts'
import type { WakeUps } from './wake-ups.ts'

export type { ReadDb, WriteDb } from './db.ts'

export interface Database {
  readonly dialect: Dialect
  /**
   * It is for statements under two milliseconds: on SQLite they run synchronously, in the thread that answers requests.
   */
  readonly read: ReadDb
  /** It is for search, statistics, exports and counts: on SQLite they run in a thread of their own. */
  readonly readSlowly: ReadDb
  /**
   * It runs `work` in one transaction, the whole of it again if the database was busy. Inside, await nothing but
   * statements of this transaction: everybody else's writes wait for it. Name its handle `db` too, so the outer one is
   * out of reach.
   */
  write<Result>(work: (db: WriteDb) => Promise<Result>): Promise<Result>
  /**
   * The same for a write that the connection knows by its name. On SQLite it costs one message, and those that wait at the
   * same time share a commit: each is answered after it, and one that fails takes no other along.
   */
  writeNamed<Input, Result>(write: NamedWrite<Input, Result>, input: Input): Promise<Result>
  /**
   * Other processes may have changed things: these numbers show it by comparison. They are answered at once when
   * nothing can have changed.
   */
  revisions(): Revisions | Promise<Revisions>
  /**
   * The mark is another one as soon as anything has been committed that this reader may be shown (an empty name: that concerns
   * everybody). What was read after it was asked for is valid as long as it stays. It costs next to nothing on SQLite, and a
   * small statement on PostgreSQL.
   */
  changeMark(reader: string): string | Promise<string>
  /** Absent where no server that follows was named. */
  readonly replica?: Replica | undefined
  /**
   * It changes as soon as anybody has committed anything, and is never behind; undefined where to know it would take a
   * statement. Whoever looks once in a while need not look while it stays.
   */
  commitsSeen(): number | undefined
  /**
   * How the database would run a statement, a line a step; it is not run, and no parameter stands in it. It fails for what has no
   * plan.
   */
  planOf(query: CompiledQuery): Promise<readonly string[]>
  readonly wakeUps: WakeUps
  /** It says what keeps this installation from working as it should. */
  readonly degraded: Degraded
  /**
   * The disk had no room to open the database as usual: nothing can be changed, and it must be opened again when there
   * is room.
   */
  readonly isFrozen?: true
  /** The rate limiter keeps its buckets here where several nodes may share them. */
  readonly buckets: SharedBuckets | undefined
  close(): Promise<void>
}
