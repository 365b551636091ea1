import Sqlite from 'better-sqlite3'
import { AppError } from '../platform/errors.ts'

export interface FileLock {
  release(): void
}

/**
 * A lock that ends with the process that holds it, however that ends: the one SQLite takes on a file. `shared` goes
 * together with others of its kind. Undefined: somebody is in the way.
 */
export const lockFile = (file: string, kind: 'shared' | 'alone'): FileLock | undefined => {
  const database = openLock(file)
  try {
    if (kind === 'alone') database.exec('begin exclusive')
    else {
      database.exec('begin')
      // SQLite takes the shared lock only with the first read.
      database.prepare('select count(*) from sqlite_schema').get()
    }
  } catch (error) {
    database.close()
    if (isBusy(error)) return undefined
    throw cannotLock(file, error)
  }
  return { release: () => database.close() }
}

export const openLock = (file: string): Sqlite.Database => {
  try {
    return new Sqlite(file, { timeout: 0 })
  } catch (error) {
    throw cannotLock(file, error)
  }
}

/** Whoever has once started Carrel as another account, root for one, has left such files. */
export const cannotLock = (file: string, cause: unknown): AppError =>
  new AppError(
    'unavailable',
    `${file} cannot be locked (${(cause as Error).message}): it belongs to another account, or is damaged. Nothing is kept in it: while no Carrel runs here, remove it.`,
    { cause },
  )

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')
