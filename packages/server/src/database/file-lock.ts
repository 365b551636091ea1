import Sqlite from 'better-sqlite3'

export interface FileLock {
  release(): void
}

/**
 * A lock that ends with the process that holds it, however that ends: the one SQLite takes on a file. `shared` goes
 * together with others of its kind. Undefined: somebody is in the way.
 */
export const lockFile = (file: string, kind: 'shared' | 'alone'): FileLock | undefined => {
  const database = new Sqlite(file, { timeout: 0 })
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
    throw error
  }
  return { release: () => database.close() }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')
