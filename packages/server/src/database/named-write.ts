import type { WriteDb } from './db.ts'

/**
 * A write known by its name, so that whoever holds the connection can run all of it: on SQLite that is one message to a
 * thread instead of one for each statement. What goes in and comes out is data, for it may change threads.
 */
export interface NamedWrite<Input, Result> {
  readonly name: string
  readonly work: (db: WriteDb, input: Input) => Promise<Result>
}
