import Sqlite from 'better-sqlite3'
import type { CompiledQuery, QueryResult } from 'kysely'
import { hideValues, parametersIn } from './hidden-values.ts'
import { openSameFile } from './same-file.ts'

export interface ConnectionOptions {
  readonly file: string
  /** `frozen`: the only one there is, of whom nothing is written, not even what is shared with others. */
  readonly mode: 'read' | 'write' | 'frozen'
}

export interface Statement extends Pick<CompiledQuery, 'sql' | 'parameters'> {
  /** The statement runs once for each of these rows instead. */
  readonly rows?: AlikeRows | undefined
}

/** Parameters of many runs. Most are the same in all of them, and one long list is sent faster than many short ones. */
export interface AlikeRows {
  /** Every run has these values in common, except those at `positions`. */
  readonly shared: readonly unknown[]
  readonly positions: readonly number[]
  readonly count: number
  /** They go to `positions`, one run after the other. */
  readonly values: readonly unknown[]
}

/**
 * It takes the write lock at once: with a plain `begin` a transaction that reads before it writes fails as soon as
 * another process has committed in between.
 */
export const beginImmediate = 'begin immediate'

export interface SqliteConnection {
  run<Row>(statement: Statement): QueryResult<Row>
  /** It returns the steps that a statement would take, without running it or knowing its parameters. */
  explain(sql: string): string[]
  /** It changes whenever another connection has committed. Costs about a microsecond. */
  dataVersion(): number
  isInTransaction(): boolean
  close(): void
}

/** Before 3.51.3, resetting the write-ahead log could lose a commit. */
const oldestVersion = [3, 51, 3] as const
const preparedMax = 300
/** A statement with a long list takes much memory. */
const preparedLongMax = 100
const longList = 64
const walBytesMax = 64 * 1024 * 1024
/** Pages of 4 KiB. More often, and a scan would write the same pages of its indexes to the file again and again. */
const checkpointPages = 8000
/**
 * Changes of a transaction beyond this size are written to the log before its end, and read again when they change once
 * more.
 */
const writerCacheKib = 8 * 1024

export const openConnection = ({ file, mode }: ConnectionOptions): SqliteConnection => {
  const readonly = mode === 'read'
  const database = new Sqlite(file, { readonly, fileMustExist: readonly, timeout: readonly ? 1000 : 5000 })
  try {
    prepareConnection(database, mode)
  } catch (error) {
    // Its locks would keep others from opening the file.
    database.close()
    throw error
  }
  // From now on a lock that is taken is reported at once: connection-thread.ts retries by itself.
  if (mode === 'write') database.pragma('busy_timeout = 0')
  const sameFile = mode === 'write' ? openSameFile(database, file) : undefined
  const dataVersion = database.prepare<[], number>('pragma data_version').pluck()
  const prepared = new Map<string, Sqlite.Statement>()
  const preparedLong = new Map<string, Sqlite.Statement>()

  const prepare = (text: string, parameterCount: number): Sqlite.Statement => {
    const isLong = parameterCount > longList
    const statements = isLong ? preparedLong : prepared
    const cached = statements.get(text)
    if (cached) return cached
    if (statements.size >= (isLong ? preparedLongMax : preparedMax)) statements.clear()
    const statement = database.prepare(hideValues(text))
    statements.set(text, statement)
    return statement
  }

  return {
    run: <Row>({ sql, parameters, rows }: Statement): QueryResult<Row> => {
      const statement = prepare(sql, parameters.length)
      if (sql === beginImmediate) sameFile?.requireBack()
      if (rows) return { rows: [], numAffectedRows: BigInt(runForEach(statement, rows)) }
      // The caller says what a row is, in the type of its query; the driver cannot know.
      if (statement.reader) return { rows: statement.all(...parameters) as Row[] }
      const { changes } = statement.run(...parameters)
      // Whoever is told that it was written must find it again.
      if (sql === 'commit') sameFile?.requireSame()
      return { rows: [], numAffectedRows: BigInt(changes) }
    },
    explain: (sql) => {
      const statement = database.prepare<unknown[], { detail: string }>(`explain query plan ${hideValues(sql)}`)
      return statement.all(...parametersIn(sql).map(() => null)).map(({ detail }) => detail)
    },
    dataVersion: () => dataVersion.get() ?? 0,
    isInTransaction: () => database.inTransaction,
    close: () => database.close(),
  }
}

const runForEach = (statement: Sqlite.Statement, { shared, positions, count, values }: AlikeRows): number => {
  const parameters = [...shared]
  let changes = 0
  let offset = 0
  for (let run = 0; run < count; run += 1) {
    for (const position of positions) {
      parameters[position] = values[offset]
      offset += 1
    }
    changes += statement.run(parameters).changes
  }
  return changes
}

/** An acknowledged write must survive a power cut, and the driver's own default (NORMAL) does not give that. */
const prepareConnection = (database: Sqlite.Database, mode: ConnectionOptions['mode']): void => {
  if (mode === 'frozen') {
    // With exclusive access it keeps the index of the write-ahead log in memory: on the disk there is no room for one.
    database.pragma('locking_mode = EXCLUSIVE')
    database.pragma('query_only = ON')
  }
  if (mode === 'write') {
    database.pragma('journal_mode = WAL')
    database.pragma(`journal_size_limit = ${walBytesMax}`)
    database.pragma(`wal_autocheckpoint = ${checkpointPages}`)
    database.pragma(`cache_size = -${writerCacheKib}`)
  }
  database.pragma('synchronous = FULL')
  database.pragma('foreign_keys = ON')
  database.pragma('trusted_schema = OFF')
  // Whoever only reads may come before the first server: a copy has no write-ahead log until one opens it.
  const expected = { ...(mode !== 'read' && { journal_mode: 'wal' }), synchronous: 2, foreign_keys: 1 }
  for (const [name, value] of Object.entries(expected)) {
    const actual: unknown = database.pragma(name, { simple: true })
    if (actual !== value)
      throw new Error(
        `SQLite runs with ${name}=${String(actual)}, not ${value}: this file system cannot hold the database`,
      )
  }
  const version = String(database.prepare('select sqlite_version()').pluck().get())
  if (isOlder(version)) throw new Error(`SQLite ${version} is older than ${oldestVersion.join('.')}`)
}

const isOlder = (version: string): boolean => {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  const [oldMajor, oldMinor, oldPatch] = oldestVersion
  return major !== oldMajor ? major < oldMajor : minor !== oldMinor ? minor < oldMinor : patch < oldPatch
}
