import { Kysely, type LogEvent, sql } from 'kysely'
import { AppError } from '../../../platform/errors.ts'
import type { Database } from '../../database.ts'
import { oncePerTurn } from '../../once-per-turn.ts'
import { selectRevisions } from '../../revisions.ts'
import type { Schema } from '../../schema.ts'
import { watchRevisions } from '../../watch-revisions.ts'
import { wakeUpsInProcess } from '../../wake-ups.ts'
import { writer } from '../../write.ts'
import type { Dialect } from '../dialect.ts'
import { sqliteMany } from './many.ts'
import { sqliteTextIndex } from './text-index.ts'
import { openConnection, type SqliteConnection } from './connection.ts'
import { readHere, readInThread, writeInThread } from './drivers.ts'
import { connectionInThread } from './thread.ts'

export interface SqliteOptions {
  readonly file: string
  readonly log: (event: LogEvent) => void
  /** The thread that writes is gone: what is in memory may not be what is on disk. */
  readonly onCrash: (error: Error) => void
}

const revisionsStaleMs = 20

/**
 * Three connections: one that reads on the spot, one that reads in a thread, one that writes in a thread. Writing in
 * the thread that answers requests would hold up all of them for the time of a disk flush, and for other processes' locks.
 */
export const openSqlite = async ({ file, log, onCrash }: SqliteOptions): Promise<Database> => {
  const writeThread = connectionInThread({ file, mode: 'write' }, onCrash)
  const readThread = connectionInThread({ file, mode: 'read' }, onCrash)
  const writeKysely = new Kysely<Schema>({ dialect: writeInThread(writeThread), log })
  // The writer creates the file and turns it to WAL; only then can a reader open it.
  await sql`select 1`.execute(writeKysely)
  const here = openConnection({ file, mode: 'read' })
  const read = new Kysely<Schema>({ dialect: readHere(here), log })
  const watched = watchRevisions({
    select: () => selectRevisions(read),
    staleMs: revisionsStaleMs,
    mayHaveChanged: commitDetector(here),
  })

  const marked = oncePerTurn(here.dataVersion)
  const wakeUps = wakeUpsInProcess()
  wakeUps.on('revisions', watched.forget)
  const onEnd = (): void => {
    watched.forget()
    marked.forget()
  }

  return {
    dialect: sqliteDialect,
    read,
    readSlowly: new Kysely<Schema>({ dialect: readInThread(readThread), log }),
    write: writer(writeKysely, { dialect: sqliteDialect, onEnd, wake: wakeUps.send }),
    revisions: watched.read,
    commitMark: marked.read,
    wakeUps,
    buckets: undefined,
    close: async () => {
      here.close()
      await readThread.close()
      await writeThread.close()
    },
  }
}

/** Answers whether another connection has committed since the last time. */
const commitDetector = (connection: SqliteConnection) => {
  let seen: number | undefined
  return (): boolean => {
    const version = connection.dataVersion()
    const isNew = version !== seen
    seen = version
    return isNew
  }
}

const sqliteDialect: Dialect = {
  name: 'sqlite',
  hasSeveralNodes: false,
  text: sql`text`,
  integer: sql`integer`,
  real: sql`real`,
  bytes: sql`blob`,
  tableEnd: sql`strict`,
  indexesAnyText: true,
  numbersAtOnce: true,
  skipLocked: sql``,
  lockedRows: () => sql``,
  lockRow: async () => undefined,
  many: sqliteMany,
  turns: { inCompany: async () => undefined, alone: async () => true },
  textIndex: sqliteTextIndex,
  tableExists: async (db, name) => {
    const { rows } = await sql`select 1 from sqlite_schema where type = 'table' and name = ${name}`.execute(db)
    return rows.length > 0
  },
  size: async (db) => {
    const { rows } = await sql<{ bytes: number }>`
      select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`.execute(db)
    return rows[0]?.bytes ?? 0
  },
  shouldTryAgain: (error) => codeOf(error).startsWith('SQLITE_BUSY'),
  explain: (error) => {
    const code = codeOf(error)
    if (code.startsWith('SQLITE_BUSY')) {
      return new AppError('unavailable', 'The database is busy. Try again in a moment.', {
        retryAfterSeconds: 1,
        cause: error,
      })
    }
    if (code === 'SQLITE_FULL') return diskFull(error)
    return error
  },
}

const diskFull = (cause: unknown) =>
  new AppError(
    'disk_full',
    'The disk of the data directory is full. Reading goes on; free some space to change things again.',
    { cause },
  )

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
