import { open } from 'node:fs/promises'
import Sqlite from 'better-sqlite3'

const pageBytes = 4096

/**
 * It overwrites the first page of each of these tables in the file, as a failing disk would: whoever reads one of them
 * fails.
 */
export const damageTables = async (file: string, tables: readonly string[]): Promise<void> => {
  const handle = await open(file, 'r+')
  try {
    for (const page of rootPagesOf(file, tables))
      await handle.write(Buffer.alloc(pageBytes, 0xa5), 0, pageBytes, (page - 1) * pageBytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The log is written back into the file first, so that nobody reads these pages from elsewhere. */
const rootPagesOf = (file: string, tables: readonly string[]): number[] => {
  const database = new Sqlite(file, { fileMustExist: true, timeout: 5000 })
  try {
    database.pragma('wal_checkpoint(TRUNCATE)')
    const rootOf = database.prepare<[string], number>('select rootpage from sqlite_schema where name = ?').pluck()
    return tables.map((table) => rootOf.get(table) ?? 0)
  } finally {
    database.close()
  }
}
