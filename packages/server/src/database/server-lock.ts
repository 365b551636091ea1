import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type Sqlite from 'better-sqlite3'
import { cannotLock, type FileLock, openLock } from './file-lock.ts'

/** It names the process that serves from a database of SQLite. */
interface Holder {
  readonly pid: number
  readonly host: string
  readonly since: string
}

const lockPathOf = (databaseFile: string): string => `${databaseFile}.server`

/** A process that was just killed releases the lock when the system has cleaned up after it. */
const waitMs = 5000
const askAgainMs = 100

/**
 * Only one server at a time may hold this lock on a database, however many commands and workers have it open: SQLite
 * takes the lock on a file of its own, and it ends with the process that holds it, for whatever reason. The result
 * names the holder if there is another.
 */
export const lockForServing = async (databaseFile: string): Promise<FileLock | { readonly heldBy: string }> => {
  const startedAt = performance.now()
  for (;;) {
    const answer = tryToLock(lockPathOf(databaseFile))
    if ('release' in answer || performance.now() - startedAt > waitMs) return answer
    await delay(askAgainMs)
  }
}

const tryToLock = (file: string): FileLock | { readonly heldBy: string } => {
  const database = openLock(file)
  try {
    signIn(database)
    // Others may read who holds the lock, but not take it.
    database.exec('begin immediate')
    return { release: () => database.close() }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code.startsWith('SQLITE_BUSY')) return { heldBy: holderOf(database) }
    database.close()
    // A full disk keeps nobody from reading: then there is no lock.
    if (code === 'SQLITE_FULL') return { release: () => undefined }
    throw cannotLock(file, error)
  }
}

const signIn = (database: Sqlite.Database): void => {
  database.exec('begin immediate')
  try {
    database.exec('create table if not exists holder (pid integer, host text, since text)')
    database.exec('delete from holder')
    database.prepare('insert into holder values (?, ?, ?)').run(process.pid, hostname(), new Date().toISOString())
    database.exec('commit')
  } catch (error) {
    if (database.inTransaction) database.exec('rollback')
    if (!(error instanceof Error && 'code' in error && error.code === 'SQLITE_FULL')) throw error
  }
}

const holderOf = (database: Sqlite.Database): string => {
  try {
    const holder = database.prepare<[], Holder>('select pid, host, since from holder').get()
    return holder ? `process ${holder.pid} on ${holder.host}, since ${holder.since}` : 'another process'
  } catch {
    // It is just writing who it is.
    return 'another process'
  } finally {
    database.close()
  }
}
