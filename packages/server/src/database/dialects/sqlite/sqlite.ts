import { basename, dirname } from 'node:path'
import { Kysely, type LogEvent, sql } from 'kysely'
import { AppError } from '../../../platform/errors.ts'
import { BoundedMap } from '../../../platform/memory/bounded-map.ts'
import { everybody, markIn, type MarkRow } from '../../change-marks.ts'
import type { Database } from '../../database.ts'
import type { Degraded } from '../../degraded.ts'
import { oncePerTurn } from '../../once-per-turn.ts'
import { selectRevisions } from '../../revisions.ts'
import type { Schema } from '../../schema.ts'
import { watchRevisions } from '../../watch-revisions.ts'
import { wakeUpsInProcess } from '../../wake-ups.ts'
import { writer } from '../../write.ts'
import { codeOf, isDamage } from './codes.ts'
import { openConnection, type SqliteConnection } from './connection.ts'
import { readHere, readInThread, writeInThread } from './drivers.ts'
import { namedWrites } from './named-writes.ts'
import { diskFull, sqliteDialect } from './sqlite-dialect.ts'
import { connectionInThread, type ThreadConnection } from './thread.ts'
import { writeQueue } from './write-queue.ts'

export interface SqliteOptions {
  readonly file: string
  readonly log: (event: LogEvent) => void
  /** The thread that writes is gone: what is in memory may not be what is on disk. */
  readonly onCrash: (error: Error) => void
  readonly degraded: Degraded
  /** The module that lists the named writes. Without it they run like all others, a message for each statement. */
  readonly namedWritesFile?: URL | undefined
  /** Each statement is told to `log`. */
  readonly isTraced: boolean
}

const revisionsStaleMs = 20

/**
 * Three connections: one that reads on the spot, one that reads in a thread, one that writes in a thread. Writing in
 * the thread that answers requests would hold up all of them for the time of a disk flush, and for other processes' locks.
 */
export const openSqlite = async (options: SqliteOptions): Promise<Database> => {
  const writeThread = connectionInThread({ file: options.file, mode: 'write' }, options.onCrash)
  try {
    return await openOver(writeThread, options)
  } catch (error) {
    // It would keep the process alive.
    await writeThread.close()
    throw error
  }
}

const openOver = async (
  writeThread: ThreadConnection,
  { file, log, onCrash, degraded, namedWritesFile, isTraced }: SqliteOptions,
): Promise<Database> => {
  const noticeFault = faultsNoticed(file, degraded)
  const readThread = connectionInThread({ file, mode: 'read' }, onCrash)
  const queue = writeQueue((calls) => writeThread.runNamed(calls, { modules: namedWritesFile?.href ?? '', isTraced }))
  const writeKysely = new Kysely<Schema>({ dialect: writeInThread(writeThread, queue), log })
  // The writer creates the file and turns it to WAL; only then can a reader open it.
  await sql`select 1`.execute(writeKysely)
  const here = openConnection({ file, mode: 'read' })
  const read = new Kysely<Schema>({ dialect: readHere(here, noticeFault), log })
  const watched = watchRevisions({
    select: () => selectRevisions(read),
    staleMs: revisionsStaleMs,
    mayHaveChanged: commitDetector(here),
  })

  const version = oncePerTurn(here.dataVersion)
  const wakeUps = wakeUpsInProcess()
  wakeUps.on('revisions', watched.forget)
  const onEnd = (isSure: boolean): void => {
    if (!isSure) watched.forget()
    version.forget()
  }

  return {
    dialect: sqliteDialect,
    read,
    readSlowly: new Kysely<Schema>({ dialect: readInThread(readThread, noticeFault), log }),
    ...writer(writeKysely, {
      dialect: sqliteDialect,
      tryForMs: lockedMsMax,
      onEnd,
      wake: wakeUps.send,
      refusal: () => (degraded.has('database_damaged') ? readOnly(file) : undefined),
      onFailure: noticeFault,
      ...(namedWritesFile && { runNamed: namedWrites(queue, log) }),
    }),
    revisions: watched.read,
    changeMark: marksAt(here, version.read),
    commitsSeen: here.dataVersion,
    planOf: async (query) => here.explain(query.sql),
    wakeUps,
    degraded,
    buckets: undefined,
    close: async () => {
      degraded.close()
      here.close()
      await readThread.close()
      await writeThread.close()
    },
  }
}

/** Another program may hold the lock for as long as it likes: a change does not wait for more than this. */
const lockedMsMax = 10_000

const readersMax = 1000

/** While nobody commits anything the marks are what they were. */
const marksAt = (connection: SqliteConnection, version: () => number) => {
  const marks = new BoundedMap<string>(readersMax)
  let seen: number | undefined
  return (reader: string): string => {
    const now = version()
    if (now !== seen) marks.clear()
    seen = now
    const cached = marks.get(reader)
    if (cached !== undefined) return cached
    const parameters = [everybody, reader]
    const mark = markIn(connection.run<MarkRow>({ sql: markStatement, parameters }).rows)
    marks.set(reader, mark)
    return mark
  }
}

const markStatement = 'select reader, value from change_mark where reader in (?, ?)'

/**
 * It is for a disk without a free byte, on which not even the file that connections share can be created: there is one
 * connection, in this thread, that only reads. Nobody else can open the file meanwhile.
 */
export const openFrozenSqlite = ({
  file,
  log,
  degraded,
}: Pick<SqliteOptions, 'file' | 'log' | 'degraded'>): Database => {
  const here = openConnection({ file, mode: 'frozen' })
  const read = new Kysely<Schema>({ dialect: readHere(here, faultsNoticed(file, degraded)), log })
  const noRoom = diskFull(undefined)
  degraded.report({ reason: 'disk_full', path: dirname(file), detail: 'There was no room to open the database.' })
  return {
    dialect: sqliteDialect,
    read,
    readSlowly: read,
    write: async () => {
      throw noRoom
    },
    writeNamed: async () => {
      throw noRoom
    },
    revisions: watchRevisions({ select: () => selectRevisions(read), staleMs: Number.POSITIVE_INFINITY }).read,
    changeMark: () => '',
    commitsSeen: () => 0,
    planOf: async (query) => here.explain(query.sql),
    wakeUps: wakeUpsInProcess(),
    degraded,
    isFrozen: true,
    buckets: undefined,
    close: async () => {
      degraded.close()
      here.close()
    },
  }
}

export const openSqliteForReading = (
  file: string,
  log: SqliteOptions['log'],
): Pick<Database, 'read' | 'dialect' | 'close'> => {
  const here = openConnection({ file, mode: 'read' })
  return {
    dialect: sqliteDialect,
    read: new Kysely<Schema>({ dialect: readHere(here, () => undefined), log }),
    close: async () => here.close(),
  }
}

/**
 * It reports damage, or a full disk, to everybody as soon as a statement meets it. The result is true when somebody who
 * was told that the disk is full may have made room.
 */
const faultsNoticed =
  (file: string, degraded: Degraded) =>
  (error: unknown): boolean => {
    const detail = error instanceof Error ? error.message : String(error)
    if (isDamage(error)) degraded.report({ reason: 'database_damaged', path: file, detail })
    if (codeOf(error) !== 'SQLITE_FULL') return false
    return degraded.report({ reason: 'disk_full', path: dirname(file), detail })
  }

/** It returns whether another connection has committed since the last time. */
const commitDetector = (connection: SqliteConnection) => {
  let seen: number | undefined
  return (): boolean => {
    const version = connection.dataVersion()
    const isNew = version !== seen
    seen = version
    return isNew
  }
}

const readOnly = (file: string) =>
  new AppError(
    'read_only',
    `The database ${basename(file)} is damaged: nothing is changed until an administrator has put a backup in its place (carrel restore).`,
  )
