import { join } from 'node:path'
import type { BenchDatabase, CommitLoop } from './database.ts'
import { loadSqlite } from './server-drivers.ts'

export const sqliteBench: BenchDatabase = {
  name: 'sqlite',
  environment: {},
  openCommits: async (directory) => openCommits(join(directory, 'bench-commits.db')),
  [Symbol.asyncDispose]: async () => undefined,
}

const openCommits = (file: string): CommitLoop => {
  const Sqlite = loadSqlite()
  const database = new Sqlite(file)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec('create table if not exists item (key integer primary key, value text not null) strict')
  const upsert = database.prepare(
    'insert into item (key, value) values (?, ?) on conflict (key) do update set value = excluded.value',
  )
  return {
    commit: (key, value) => {
      upsert.run(key, value)
    },
    [Symbol.asyncDispose]: async () => {
      database.close()
    },
  }
}
