import type { Database } from './database.ts'

/**
 * The work is done only if anybody may have committed anything since it was last done to its end: whoever looks once in a while
 * need not read a database in which nothing has changed.
 */
export const afterCommits = (db: Pick<Database, 'commitsSeen'>, work: () => Promise<unknown>) => {
  let done: number | undefined
  return async (): Promise<void> => {
    const commits = db.commitsSeen()
    if (commits !== undefined && commits === done) return
    await work()
    done = commits
  }
}

interface Cached<Value> {
  readonly value: Value
  readonly commits: number | undefined
  readonly readAt: number
}

/** What was read stays for `knownForMs`, and after that for as long as nobody may have committed anything. A read that fails keeps nothing. */
export const keptUntilCommits = <Value>(
  db: Pick<Database, 'commitsSeen'>,
  knownForMs: number,
  read: () => Promise<Value>,
): (() => Promise<Value>) => {
  let cached: Cached<Value> | undefined
  return async () => {
    const commits = db.commitsSeen()
    const isSame = commits !== undefined && commits === cached?.commits
    if (cached && (isSame || performance.now() - cached.readAt < knownForMs)) return cached.value
    const value = await read()
    cached = { value, commits, readAt: performance.now() }
    return value
  }
}
