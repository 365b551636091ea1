import type { Database } from '../database/database.ts'

export interface WaitingWork {
  readonly isDue: boolean
  /** The time of a task has come that was to wait, and nobody has made it due yet. */
  readonly isDueLater: boolean
  /** The next task that waits for its time comes due then. */
  readonly nextAt: string | null
}

export const nothingToDo: WaitingWork = { isDue: false, isDueLater: false, nextAt: null }

interface Quiet {
  readonly commits: number
  readonly since: string
  readonly work: WaitingWork
}

/** While nobody has committed anything and nothing has come due, there is still nothing to do: nothing is asked. */
export const lookWhenChanged = (
  db: Pick<Database, 'commitsSeen'>,
  select: (now: string) => Promise<WaitingWork>,
): ((now: string) => Promise<WaitingWork>) => {
  let quiet: Quiet | undefined
  return async (now) => {
    const commits = db.commitsSeen()
    const isSame = quiet !== undefined && quiet.commits === commits && quiet.since <= now
    if (quiet && isSame && (quiet.work.nextAt === null || now < quiet.work.nextAt)) return quiet.work
    quiet = undefined
    const work = await select(now)
    if (!work.isDue && !work.isDueLater && commits !== undefined) quiet = { commits, since: now, work }
    return work
  }
}
