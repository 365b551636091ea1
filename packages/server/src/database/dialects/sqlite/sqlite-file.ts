import { open } from 'node:fs/promises'
import Sqlite from 'better-sqlite3'

/** Says what is wrong. */
export class UnsoundDatabase extends Error {
  override readonly name = 'UnsoundDatabase'
}

/** Fails when the file is damaged. */
export const requireSound = (database: Sqlite.Database): void => {
  const [verdict] = String(database.pragma('integrity_check(1)', { simple: true })).split('\n')
  if (verdict !== 'ok') throw new UnsoundDatabase(verdict)
}

/** Fails when a row refers to one that is not there. */
export const requireReferences = (database: Sqlite.Database): void => {
  const [orphan] = database.pragma('foreign_key_check') as { table: string; parent: string }[]
  if (orphan) throw new UnsoundDatabase(`a row of ${orphan.table} refers to a ${orphan.parent} that is not there`)
}

/** Looks through the whole file. */
export const requireSoundFile = (file: string, look: (database: Sqlite.Database) => void): void => {
  let database: Sqlite.Database | undefined
  try {
    database = new Sqlite(file, { readonly: true, fileMustExist: true })
    look(database)
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

/** In the copy nothing is left of them, not even where they were. */
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

/** All that is in the log beside it goes into the file, which nobody has open. False: it is too damaged for that. */
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
