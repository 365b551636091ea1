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
