import type { SeededContent } from '../seeding/seeded-content.ts'

/** One of the two databases, and what it can do when nothing stands before it. */
export interface BenchDatabase extends AsyncDisposable {
  readonly name: 'sqlite' | 'postgres'
  /** Settings of the server that make it use this database. */
  readonly environment: Readonly<Record<string, string>>
  /** The same for another server with a database of its own, where nothing is yet. */
  freshEnvironment(): Promise<Readonly<Record<string, string>>>
  /** The same where a library is already. */
  withContent(content: SeededContent): Promise<FilledDatabase>
  /** A table and connections of their own, on the same disk as the server's. */
  openCommits(directory: string): Promise<CommitLoop>
  /** The same for a queue. */
  openQueue(directory: string): Promise<BareQueue>
}

interface FilledDatabase {
  readonly environment: Readonly<Record<string, string>>
  /** It is called before a server is started in this directory. */
  prepare(directory: string): Promise<void>
}

export interface CommitLoop extends AsyncDisposable {
  /** One row set, one durable commit. Its answer waits for the disk. */
  commit(key: number, value: string): void | Promise<void>
}

/** The least a queue can be: a table of ids, each with a state. */
export interface BareQueue extends AsyncDisposable {
  /** The tasks replace those that were there. */
  fill(count: number): void | Promise<void>
  /** It takes up to ten and finishes them, in one durable commit. It returns how many there were. */
  claimTen(): number | Promise<number>
}

/** Both databases understand these. */
export const queueStatements = {
  create: 'create table if not exists queue (id integer primary key, status text not null)',
  index: `create index if not exists queue_pending on queue (id) where status = 'pending'`,
  empty: 'delete from queue',
  claim: (locking: string) => `update queue set status = 'processing' where id in
    (select id from queue where status = 'pending' order by id limit 10 ${locking}) returning id`,
}
