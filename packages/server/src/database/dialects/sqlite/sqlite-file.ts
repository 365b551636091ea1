import { open } from 'node:fs/promises'
import Sqlite from 'better-sqlite3'

/** It says what is wrong. */
export class UnsoundDatabase extends Error {
  override readonly name = 'UnsoundDatabase'
}

/** It fails when the file is damaged. */
export const requireSound = (database: Sqlite.Database): void => {
  const [verdict] = String(database.pragma('integrity_check(1)', { simple: true })).split('\n')
  if (verdict !== 'ok') throw new UnsoundDatabase(verdict)
}

/** It fails when pages of the file are damaged. Takes a small part of the time of the whole check. */
export const requireSoundPages = (database: Sqlite.Database): void => {
  const [verdict] = String(database.pragma('quick_check(1)', { simple: true })).split('\n')
  if (verdict !== 'ok') throw new UnsoundDatabase(verdict)
}

/** It fails when a row refers to one that is not there. */
export const requireReferences = (database: Sqlite.Database): void => {
  const [orphan] = database.pragma('foreign_key_check') as { table: string; parent: string }[]
  if (orphan) throw new UnsoundDatabase(`a row of ${orphan.table} refers to a ${orphan.parent} that is not there`)
}

/** It looks through the whole file as it is at one moment: another process may be making tables in it. */
export const requireSoundFile = (file: string, check: (database: Sqlite.Database) => void): void => {
  let database: Sqlite.Database | undefined
  try {
    database = new Sqlite(file, { readonly: true, fileMustExist: true })
    database.exec('begin; select count(*) from sqlite_schema')
    check(database)
  } catch (error) {
    throw error instanceof UnsoundDatabase ? error : new UnsoundDatabase((error as Error).message, { cause: error })
  } finally {
    database?.close()
  }
}

/** The file as it is at this moment, in one piece; others go on reading and writing meanwhile. */
export const copySqlite = (file: string, target: string): void => {
  const source = new Sqlite(file, { fileMustExist: true, timeout: 5000 })
  try {
    source.prepare('vacuum into ?').run(target)
  } finally {
    source.close()
  }
}

/** Nothing is left of the rows in the copy, not even in free pages. */
export const emptyTables = (file: string, tables: readonly string[]): void => {
  const database = new Sqlite(file, { fileMustExist: true })
  try {
    database.pragma('secure_delete = on')
    for (const table of tables)
      if (database.prepare('select 1 from sqlite_schema where name = ?').get(table) !== undefined)
        database.exec(`delete from "${table}"`)
  } finally {
    database.close()
  }
}

/**
 * The write-ahead log is written back into the file, which nobody has open. The result is false when it is too damaged
 * for that.
 */
export const foldLog = (file: string): boolean => {
  try {
    const database = new Sqlite(file, { fileMustExist: true, timeout: 0 })
    try {
      return database.pragma('journal_mode = delete', { simple: true }) === 'delete'
    } finally {
      database.close()
    }
  } catch {
    return false
  }
}

const magic = Buffer.from('SQLite format 3\0')

export const isSqliteFile = async (file: string): Promise<boolean> => {
  const handle = await open(file, 'r')
  try {
    const { buffer } = await handle.read({ buffer: Buffer.alloc(magic.length), position: 0 })
    return buffer.equals(magic)
  } finally {
    await handle.close()
  }
}
