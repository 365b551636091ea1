import type { WriteDb } from './db.ts'

/**
 * A write known by its name, so that whoever holds the connection can run all of it: on SQLite that is one message to a
 * thread instead of one for each statement. What goes in and comes out is data, for it may change threads.
 */
export interface NamedWrite<Input, Result> {
  readonly name: string
  /** The person whose row it locks before anything else: those of one person can only run one after the other. */
  readonly lockedUser?: (input: Input) => string
  readonly work: (db: WriteDb, input: Input) => Promise<Result>
}
