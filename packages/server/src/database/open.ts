import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { LogEvent } from 'kysely'
import type { Log } from '../platform/log.ts'
import type { Database } from './database.ts'
import { openSqlite } from './dialects/sqlite/sqlite.ts'

export type DatabaseAddress =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string }

/** `onCrash`: the connection that writes is beyond repair, and with it this process. */
export const openDatabase = async (
  address: DatabaseAddress,
  log: Log,
  onCrash: (error: Error) => void,
): Promise<Database> => {
  if (address.kind === 'postgres') {
    const onIdleError = (err: Error) => log.warn({ err }, 'A connection to PostgreSQL was lost')
    // Loaded only where it is used: most installations run without it.
    const { openPostgres } = await import('./dialects/postgres.ts')
    return openPostgres({ url: address.url, log: logStatements(log), onIdleError })
  }
  mkdirSync(dirname(address.file), { recursive: true, mode: 0o700 })
  return openSqlite({ file: address.file, log: logStatements(log), onCrash })
}

/** Statements without their parameters: those may be secrets. */
const logStatements = (log: Log) => (event: LogEvent) => {
  if (event.level === 'query') {
    log.trace({ sql: event.query.sql, ms: Math.round(event.queryDurationMillis * 100) / 100 }, 'Statement')
  } else {
    log.debug({ sql: event.query.sql, err: event.error }, 'Statement failed')
  }
}
