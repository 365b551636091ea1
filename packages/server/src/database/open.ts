import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { LogEvent } from 'kysely'
import type { Log } from '../platform/log.ts'
import type { Database } from './database.ts'
import { openDegraded } from './degraded.ts'
import { openFrozenSqlite, openSqlite, openSqliteForReading } from './dialects/sqlite/sqlite.ts'

export type DatabaseAddress =
  | { readonly kind: 'sqlite'; readonly file: string }
  | {
      readonly kind: 'postgres'
      readonly url: string
      /** A pooler before it, which hands connections out for one transaction at a time. */
      readonly poolerUrl?: string | undefined
    }

/**
 * `onCrash`: the connection that writes is beyond repair, and with it this process. `namedWritesFile` is the module that lists
 * the named writes, for connections that can run them by themselves.
 */
export const openDatabase = async (
  address: DatabaseAddress,
  log: Log,
  onCrash: (error: Error) => void,
  namedWritesFile?: URL,
): Promise<Database> => {
  if (address.kind === 'postgres') {
    const degraded = openDegraded({ log })
    const onIdleError = (err: Error) => log.warn({ err }, 'A connection to PostgreSQL was lost')
    const onUnlimited = () => log.warn('Nothing ends statements that take too long: the role has no statement_timeout')
    // Loaded only where it is used: most installations run without it.
    const { openPostgres } = await import('./dialects/postgres.ts')
    const { url, poolerUrl } = address
    return openPostgres({ url, poolerUrl, log: logStatements(log), onIdleError, onUnlimited, degraded })
  }
  mkdirSync(dirname(address.file), { recursive: true, mode: 0o700 })
  const degraded = openDegraded({ log, databaseFile: address.file })
  const isTraced = log.isLevelEnabled('trace')
  const options = { file: address.file, log: logStatements(log), onCrash, degraded, namedWritesFile, isTraced }
  return openSqlite(options).catch((error: unknown) => {
    degraded.close()
    throw error
  })
}

/** It serves when the disk has no room to open the database: it can only be read, and by nobody else meanwhile. */
export const openFrozenDatabase = async (file: string, log: Log): Promise<Database> => {
  const degraded = openDegraded({ log, databaseFile: file })
  try {
    return openFrozenSqlite({ file, log: logStatements(log), degraded })
  } catch (error) {
    degraded.close()
    throw error
  }
}

/** Statements without their parameters: those may be secrets. */
const logStatements = (log: Log) => (event: LogEvent) => {
  if (event.level === 'query') {
    log.trace({ sql: event.query.sql, ms: Math.round(event.queryDurationMillis * 100) / 100 }, 'Statement')
  } else {
    log.debug({ sql: event.query.sql, err: event.error }, 'Statement failed')
  }
}

/** The database is only read: nothing is created, and nothing is migrated. */
export const openForReading = async (
  address: DatabaseAddress,
  log: Log,
): Promise<Pick<Database, 'read' | 'dialect' | 'close'>> =>
  address.kind === 'postgres'
    ? openDatabase(address, log, () => undefined)
    : openSqliteForReading(address.file, logStatements(log))
