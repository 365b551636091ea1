import { constants } from 'node:fs'
import { copyFile, open, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { recordLimits, SourceFault } from '../records.ts'

/** It runs in the process of a reader alone: what a stranger's database does to its memory or time ends that process. */

const storeBytesMax = 8 * 1024 ** 3
const heapBytesMax = 256 * 1024 ** 2
const cacheKiB = 32 * 1024
const magic = 'SQLite format 3\0'

type Parameters = Readonly<Record<string, string | number | null>>
/** What a column holds is not what it is declared as: `values.ts` makes something of it. */
export type StoreRow = Readonly<Record<string, unknown>>

export interface StoreDatabase extends Disposable {
  /** Real tables alone: a view or a virtual table of that name is not there. Names are compared as SQLite does. */
  has(table: string, column?: string): boolean
  /** At most `most` rows, and one past them is told by `onMore`. */
  rows(sql: string, options?: RowsOptions): Iterable<StoreRow>
  first(sql: string, parameters?: Parameters): StoreRow | undefined
}

interface RowsOptions {
  readonly parameters?: Parameters
  readonly most?: number
  readonly onMore?: () => void
}

/**
 * It opens a copy of its own, with what stands in the log beside it: opening the store itself would fold the log into it,
 * and a server that runs could change it between two statements. A store that does not fit is refused.
 */
export const openStore = async (
  path: string,
  scratch: string,
  requireFit: (db: StoreDatabase) => void,
): Promise<StoreDatabase> => {
  const copy = join(scratch, `${basename(path).replaceAll(/[^\w.-]/g, '_')}.copy`)
  await copyWhole(path, copy)
  let db: StoreDatabase | undefined
  try {
    db = openCopy(copy)
    requireFit(db)
    return db
  } catch (error) {
    db?.[Symbol.dispose]()
    throw faultOf(error)
  }
}

const copyWhole = async (path: string, copy: string): Promise<void> => {
  const before = await figuresOf(path)
  if (before.size === undefined) throw new SourceFault('not_found', 'There is no such file, or it cannot be read.')
  if (before.size > storeBytesMax) throw new SourceFault('too_large', 'This file is larger than 8 GiB.')
  if (before.size === 0) throw new SourceFault('wrong_kind', 'This file is empty. Copy it again.')
  await requireMagic(path)
  // A journal that is played back may name other files, which are removed then.
  if (before.journal) throw inUse()
  await copyFile(path, copy, constants.COPYFILE_FICLONE)
  if (before.logSize) await copyFile(`${path}-wal`, `${copy}-wal`, constants.COPYFILE_FICLONE)
  const after = await figuresOf(path)
  if (JSON.stringify(after) !== JSON.stringify(before)) throw inUse()
}

const inUse = (): SourceFault =>
  new SourceFault('locked', 'Its server is writing to this file. Stop that server, or make a copy, and try again.')

const requireMagic = async (path: string): Promise<void> => {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(magic.length), 0, magic.length, 0)
    if (buffer.toString('latin1') !== magic) throw new SourceFault('wrong_kind', 'This is no SQLite database.')
  } finally {
    await file.close()
  }
}

const figuresOf = async (path: string) => {
  const [store, log, journal] = await Promise.all(['', '-wal', '-journal'].map((end) => statIfThere(path + end)))
  return {
    size: store?.isFile() ? store.size : undefined,
    changedAt: store?.mtimeMs,
    logSize: log?.size,
    logChangedAt: log?.mtimeMs,
    journal: journal !== undefined && journal.size > 0,
  }
}

const statIfThere = async (path: string) => {
  try {
    return await stat(path)
  } catch {
    return undefined
  }
}

const openCopy = (copy: string): StoreDatabase => {
  // The log beside it is read by writing an index of it, so the copy cannot be opened read-only.
  const db = new Sqlite(copy, { fileMustExist: true })
  try {
    db.pragma(`hard_heap_limit = ${heapBytesMax}`)
    db.pragma(`cache_size = -${cacheKiB}`)
    db.pragma('trusted_schema = off')
    db.pragma('cell_size_check = on')
    db.pragma('query_only = on')
    const check = db.pragma('quick_check(1)', { simple: true })
    if (check !== 'ok') throw damaged()
    return storeOf(db, columnsOf(db))
  } catch (error) {
    db.close()
    throw error
  }
}

const storeOf = (db: Sqlite.Database, columns: ReadonlyMap<string, ReadonlySet<string>>): StoreDatabase => ({
  has: (table, column) => {
    const columnNames = columns.get(table.toLowerCase())
    return columnNames !== undefined && (column === undefined || columnNames.has(column.toLowerCase()))
  },
  rows: function* (sql, { parameters = {}, most = recordLimits.rows, onMore } = {}) {
    let count = 0
    try {
      for (const row of db.prepare<[Parameters], StoreRow>(sql).iterate(parameters)) {
        if (count === most) {
          onMore?.()
          return
        }
        count += 1
        yield row
      }
    } catch (error) {
      throw faultOf(error)
    }
  },
  first: (sql, parameters = {}) => {
    try {
      return db.prepare<[Parameters], StoreRow>(sql).get(parameters)
    } catch (error) {
      throw faultOf(error)
    }
  },
  [Symbol.dispose]: () => db.close(),
})

const columnsOf = (db: Sqlite.Database): ReadonlyMap<string, ReadonlySet<string>> => {
  const columnsByTable = new Map<string, Set<string>>()
  const rows = db
    .prepare<[], { table: string; column: string }>(
      `select m.name as "table", c.name as "column" from sqlite_schema m join pragma_table_info(m.name) c
        where m.type = 'table' and m.sql not like 'create virtual%' limit 20000`,
    )
    .iterate()
  for (const { table, column } of rows) {
    const columns = columnsByTable.get(table.toLowerCase())
    if (columns) columns.add(column.toLowerCase())
    else columnsByTable.set(table.toLowerCase(), new Set([column.toLowerCase()]))
  }
  return columnsByTable
}

const faultOf = (error: unknown): unknown => {
  if (!(error instanceof Sqlite.SqliteError)) return error
  if (error.code === 'SQLITE_NOMEM' || error.code === 'SQLITE_TOOBIG')
    return new SourceFault('too_large', 'One of its rows is too large to be read.', { cause: error })
  if (error.code.startsWith('SQLITE_CORRUPT') || error.code === 'SQLITE_NOTADB') return damaged(error)
  if (/^no such (?:table|column)/.test(error.message))
    return new SourceFault(
      'unknown_version',
      `This is of a version that this Carrel does not know, or a part of it is missing (${error.message}).`,
      { cause: error },
    )
  return error
}

const damaged = (cause?: unknown): SourceFault =>
  new SourceFault('damaged', 'This file is damaged, or only a part of it was copied. Copy it again.', { cause })

/** What a column holds cut to a length while SQLite reads it: `@`-parameters cannot stand for names. */
export const cut = (column: string, most: number = recordLimits.line): string => `substr(${column}, 1, ${most + 1})`

/** One of the names is not there: this is another program's database, or another version of it. */
export const requireTables = (db: StoreDatabase, program: string, tables: readonly string[]): void => {
  const missing = tables.find((table) => !db.has(table))
  if (missing !== undefined)
    throw new SourceFault('wrong_kind', `This is no database of ${program}: it has no table ${missing}.`)
}
