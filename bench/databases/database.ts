/** One of the two databases, and what it can do when nothing stands before it. */
export interface BenchDatabase extends AsyncDisposable {
  readonly name: 'sqlite' | 'postgres'
  /** Settings of the server that make it use this database. */
  readonly environment: Readonly<Record<string, string>>
  /** A table and connections of their own, on the same disk as the server's. */
  openCommits(directory: string): Promise<CommitLoop>
}

export interface CommitLoop extends AsyncDisposable {
  /** One row set, one durable commit. Its answer waits for the disk. */
  commit(key: number, value: string): void | Promise<void>
}
