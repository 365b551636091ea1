import { readFile, writeFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import Sqlite from 'better-sqlite3'

const packed = new URL('carrel-at-version-41.db.gz', import.meta.url)

/**
 * Writes a database that the last tree with 41 migrations has made: rows in every table, an administrator `ana`, the readers `ben`
 * and `cleo` with the password of tests, and in the queue what those migrations leave to tasks. Decision 049 says how.
 */
export const writeDataOfBefore = async (file: string): Promise<void> => {
  await writeFile(file, gunzipSync(await readFile(packed)))
}

/** It leaves the file as a program does that was ended, or was of an older commit, before all migrations had run. */
export const stopAtVersion = (file: string, version: number): void => {
  const database = new Sqlite(file)
  database.prepare('update schema_version set version = ?').run(version)
  database.close()
}

type Row = Readonly<Record<string, unknown>>

/** All rows of all tables, those of the text index too. */
export const contentOf = (file: string): Readonly<Record<string, readonly Row[]>> => {
  const database = new Sqlite(file, { readonly: true })
  const tables = database.prepare<[], string>("select name from sqlite_schema where type = 'table'").pluck().all()
  const content = tables.map((table) => [table, database.prepare<[], Row>(`select * from "${table}"`).all()] as const)
  database.close()
  return Object.fromEntries(content)
}

/** What a database of SQLite is made of, however the statements were written that made it. */
export const schemaOf = (file: string): Readonly<Record<string, readonly unknown[]>> => {
  const database = new Sqlite(file, { readonly: true })
  const ask = (statement: string, ...values: readonly string[]) =>
    database.prepare<string[], Row>(statement).all(...values)
  const names = (type: string): string[] =>
    ask('select name from sqlite_schema where type = ? order by name', type).map(({ name }) => String(name))
  const described: Record<string, readonly unknown[]> = {
    statements: ask(
      "select name, sql from sqlite_schema where type in ('index', 'trigger') and sql is not null order by name",
    ).map(({ name, sql }) => [name, String(sql).replace(/"|\s/g, '')]),
    virtual: ask("select name, sql from sqlite_schema where sql like 'create virtual %' order by name"),
  }
  for (const table of names('table')) {
    described[table] = [
      ask('select type, wr, strict from pragma_table_list where name = ?', table),
      ask('select * from pragma_table_xinfo(?)', table),
      ask('select * from pragma_foreign_key_list(?)', table),
      ask('select * from pragma_index_list(?)', table),
    ]
  }
  for (const index of names('index')) described[index] = ask('select * from pragma_index_xinfo(?)', index)
  database.close()
  return described
}
