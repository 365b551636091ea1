import Sqlite from 'better-sqlite3'
import { type Row, type RowSource, type RowTarget, shapesFrom, type TableShape } from '../rows.ts'
import { requireReferences } from './sqlite-file.ts'

const rowsAtOnce = 500
const cacheKib = { read: 8 * 1024, write: 64 * 1024 }

export const sqliteSource = (file: string): RowSource => {
  const database = new Sqlite(file, { readonly: true, fileMustExist: true })
  database.pragma(`cache_size = -${cacheKib.read}`)
  database.exec('begin')
  const version = versionOf(database)
  return {
    version,
    tables: tablesOf(database),
    rows: async function* ({ name, columns }) {
      const statement = database.prepare<[], Row[number][]>(
        `select ${columns.map(quoted).join(', ')} from ${quoted(name)} order by ${keyOf(database, name).join(', ')}`,
      )
      let rows: Row[] = []
      for (const row of statement.raw().iterate()) {
        rows.push(row)
        if (rows.length < rowsAtOnce) continue
        yield rows
        rows = []
      }
      if (rows.length > 0) yield rows
    },
    count: async ({ name }) =>
      Number(
        database
          .prepare(`select count(*) from ${quoted(name)}`)
          .pluck()
          .get(),
      ),
    close: async () => void database.close(),
  }
}

/** Nobody else uses the file, and it is deleted if this does not finish: nothing is flushed before. */
export const sqliteTarget = (file: string): RowTarget => {
  const database = new Sqlite(file, { fileMustExist: true })
  // The file leaves WAL mode first: only then can the journal be switched off.
  database.pragma('journal_mode = delete')
  database.pragma('journal_mode = off')
  database.pragma('synchronous = off')
  database.pragma('foreign_keys = off')
  database.pragma(`cache_size = -${cacheKib.write}`)
  const tables = tablesOf(database)
  const inserts = new Map<string, Sqlite.Statement>()
  const insertOf = ({ name, columns }: TableShape): Sqlite.Statement => {
    const cached = inserts.get(name)
    if (cached) return cached
    const statement = database.prepare(
      `insert into ${quoted(name)} (${columns.map(quoted).join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    )
    inserts.set(name, statement)
    return statement
  }
  return {
    tables,
    clear: async () => {
      for (const { name } of tables) database.exec(`delete from ${quoted(name)}`)
    },
    insert: async (table, rows) => {
      const statement = insertOf(table)
      database.transaction(() => {
        for (const row of rows) statement.run(row)
      })()
    },
    finish: async () => {
      requireReferences(database)
      database.exec('analyze')
    },
    close: async () => void database.close(),
  }
}

const quoted = (name: string): string => `"${name}"`

const versionOf = (database: Sqlite.Database): number => {
  const versionTable = database.prepare("select 1 from sqlite_schema where name = 'schema_version'").get()
  if (versionTable === undefined) return 0
  return Number(database.prepare('select version from schema_version').pluck().get() ?? 0)
}

const tablesOf = (database: Sqlite.Database): TableShape[] =>
  shapesFrom(
    database
      .prepare<[], { table: string; column: string }>(
        `select list.name as "table", info.name as "column"
         from pragma_table_list as list, pragma_table_info(list.name) as info
         where list.schema = 'main' and list.type = 'table'`,
      )
      .all(),
  )

const keyOf = (database: Sqlite.Database, table: string): string[] =>
  database
    .prepare<[string], string>('select name from pragma_table_info(?) where pk > 0 order by pk')
    .pluck()
    .all(table)
    .map(quoted)
