import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BareQueue, type BenchDatabase, type CommitLoop, queueStatements } from './database.ts'
import { loadSqlite } from './server-drivers.ts'

export const sqliteBench: BenchDatabase = {
  name: 'sqlite',
  environment: {},
  // Each server has its database in its own data directory.
  freshEnvironment: async () => ({}),
  withContent: async ({ file }) => ({
    environment: {},
    prepare: (directory) => copyFile(file, join(directory, 'carrel.db')),
  }),
  openCommits: async (directory) => openCommits(join(directory, 'bench-commits.db')),
  openQueue: async (directory) => openQueue(join(directory, 'bench-queue.db')),
  [Symbol.asyncDispose]: async () => undefined,
}

const openCommits = (file: string): CommitLoop => {
  const database = openDurably(file)
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

const openDurably = (file: string) => {
  const Sqlite = loadSqlite()
  const database = new Sqlite(file)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  return database
}

const openQueue = (file: string): BareQueue => {
  const database = openDurably(file)
  database.exec(`${queueStatements.create} strict; ${queueStatements.index}`)
  const insert = database.prepare(`insert into queue (id, status) values (?, 'pending')`)
  const claim = database.prepare<[], { id: number }>(queueStatements.claim(''))
  const finish = database.prepare(`update queue set status = 'completed' where id = ?`)
  return {
    fill: (count) => {
      database.transaction(() => {
        database.exec(queueStatements.empty)
        for (let id = 0; id < count; id += 1) insert.run(id)
      })()
    },
    claimTen: () =>
      database
        .transaction(() => {
          const claimed = claim.all()
          for (const { id } of claimed) finish.run(id)
          return claimed.length
        })
        .immediate(),
    [Symbol.asyncDispose]: async () => {
      database.close()
    },
  }
}
