import { sql } from 'kysely'
import { AppError, goneMeanwhile } from '../../../platform/errors.ts'
import type { Dialect } from '../dialect.ts'
import { codeOf, isDamage, isFileReplaced, isRefusedByDisk } from './codes.ts'
import { sqliteMany } from './many.ts'
import { sqliteTextIndex } from './text-index.ts'
import { sqliteWordIndex } from './word-index.ts'

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  hasSeveralNodes: false,
  text: sql`text`,
  integer: sql`integer`,
  real: sql`real`,
  bytes: sql`blob`,
  tableEnd: sql`strict`,
  keyTableEnd: sql`strict, without rowid`,
  indexesAnyText: true,
  numbersAtOnce: true,
  skipLocked: sql``,
  unchangedRows: sql``,
  lockedRows: () => sql``,
  lockRow: async () => undefined,
  many: sqliteMany,
  turns: { inCompany: async () => undefined, alone: async () => true },
  textIndex: sqliteTextIndex,
  wordIndex: sqliteWordIndex,
  createOwnTables: async () => undefined,
  tableExists: async (db, name) => {
    const { rows } = await sql`select 1 from sqlite_schema where type = 'table' and name = ${name}`.execute(db)
    return rows.length > 0
  },
  // The file is for one program: whatever else is in it, another has made it.
  foreignTable: async (db) => {
    const { rows } = await sql<{ name: string }>`
      select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name limit 1`.execute(
      db,
    )
    return rows[0]?.name
  },
  size: async (db) => {
    const { rows } = await sql<{ bytes: number }>`
      select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`.execute(db)
    return rows[0]?.bytes ?? 0
  },
  isDuplicate: (error) => codeOf(error) === 'SQLITE_CONSTRAINT_UNIQUE',
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
    if (code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return goneMeanwhile(error)
    if (isRefusedByDisk(error))
      return new AppError(
        'unavailable',
        'The disk of the data directory reports an error, and nothing was changed. Try again later.',
        { retryAfterSeconds: 5, cause: error },
      )
    if (isFileReplaced(error))
      return new AppError(
        'unavailable',
        'The file of the database was moved, replaced or deleted, and nothing is saved. An administrator has to put it back, or to restart the server.',
        { retryAfterSeconds: 60, cause: error },
      )
    if (isDamage(error))
      return new AppError(
        'unavailable',
        'The database is damaged, and this part of it cannot be read. An administrator has to put a backup in its place.',
        { retryAfterSeconds: 60, cause: error },
      )
    return error
  },
}

export const diskFull = (cause: unknown) =>
  new AppError(
    'disk_full',
    'The disk of the data directory is full. Reading goes on; free some space to change things again.',
    { cause },
  )
