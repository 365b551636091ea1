import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { CompiledQuery, LogEvent } from 'kysely'
import type { Log } from '../platform/log.ts'
import type { Database } from './database.ts'
import { openDegraded } from './degraded.ts'
import { openFrozenSqlite, openSqlite, openSqliteForReading } from './dialects/sqlite/sqlite.ts'
import type { ReplicaAddress, ReplicaState } from './replica.ts'
import type { Telemetry } from '../platform/telemetry/telemetry.ts'
import { slowStatements } from './slow-statements.ts'

export type DatabaseAddress =
  | { readonly kind: 'sqlite'; readonly file: string }
  | {
      readonly kind: 'postgres'
      readonly url: string
      /** A pooler before it, which hands connections out for one transaction at a time. */
      readonly poolerUrl?: string | undefined
      /** One or more servers that follow it. */
      readonly replica?: ReplicaAddress | undefined
    }

interface OpenOptions {
  /** This module lists the named writes, for connections that can run them by themselves. */
  readonly namedWritesFile?: URL
  /** Statements that take at least this long are logged with their plans; 0 or absent: none is. */
  readonly slowStatementMs?: number
  /** Every statement that has ended is told here, without its parameters. */
  readonly noteStatement?: Telemetry['noteStatement'] | undefined
}

/** `onCrash`: the connection that writes is beyond repair, and with it this process. */
export const openDatabase = async (
  address: DatabaseAddress,
  log: Log,
  onCrash: (error: Error) => void,
  { namedWritesFile, slowStatementMs = 0, noteStatement }: OpenOptions = {},
): Promise<Database> => {
  const opening = { log, onCrash, namedWritesFile }
  const logStatement = logStatements(log)
  if (slowStatementMs === 0 && !noteStatement) return openWith(address, { ...opening, listen: logStatement })
  let opened: Database | undefined
  const planOf = async (query: CompiledQuery): Promise<readonly string[]> => opened?.planOf(query) ?? []
  const noticeSlow = slowStatementMs > 0 ? slowStatements({ log, slowMs: slowStatementMs, planOf }) : undefined
  const system = address.kind === 'postgres' ? 'postgresql' : 'sqlite'
  const listen = (event: LogEvent): void => {
    logStatement(event)
    noticeSlow?.(event)
    noteStatement?.({ sql: event.query.sql, ms: event.queryDurationMillis, system })
  }
  opened = await openWith(address, { ...opening, listen, isTimed: true })
  return opened
}

interface Opening {
  readonly log: Log
  readonly onCrash: (error: Error) => void
  readonly namedWritesFile: URL | undefined
  readonly listen: (event: LogEvent) => void
  /** Also the statements of named writes are told to `listen`. */
  readonly isTimed?: boolean
}

const openWith = async (
  address: DatabaseAddress,
  { log, onCrash, namedWritesFile, listen, isTimed = false }: Opening,
): Promise<Database> => {
  if (address.kind === 'postgres') {
    const degraded = openDegraded({ log })
    const onIdleError = (err: Error) => log.warn({ err }, 'A connection to PostgreSQL was lost')
    const onUnlimited = () => log.warn('Nothing ends statements that take too long: the role has no statement_timeout')
    // Loaded only where it is used: most installations run without it.
    const { openPostgres } = await import('./dialects/postgres.ts')
    const onReplica = ({ status, detail }: ReplicaState) =>
      status === 'follows'
        ? log.info('The replica follows: lists, searches and figures are read there')
        : log.warn({ status, detail }, 'The replica cannot be asked: everything is read from the database itself')
    return openPostgres({ ...address, log: listen, onIdleError, onUnlimited, onReplica, degraded })
  }
  mkdirSync(dirname(address.file), { recursive: true, mode: 0o700 })
  const degraded = openDegraded({ log, databaseFile: address.file })
  const isTraced = isTimed || log.isLevelEnabled('trace')
  const options = { file: address.file, log: listen, onCrash, degraded, namedWritesFile, isTraced }
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
