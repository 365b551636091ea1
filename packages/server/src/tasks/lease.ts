import type { Database, WriteDb } from '../database/database.ts'
import { wakeAfterCommit } from '../database/transaction.ts'
import type { TaskDefinition } from './define-task.ts'
import { writtenFailure } from './failure.ts'
import { announceTasks } from './news.ts'
import { deleteIdleWorkers, deleteWorker, selectHolders, updateLetGo, updateReleased } from './queries.ts'
import { recordDeaths } from './run.ts'
import { isKnownGone, type ProcessIdentity } from './this-process.ts'

/** A task that was interrupted this often may be what kills its workers. */
const interruptionsMax = 10
const idleRowKeptMs = 24 * 60 * 60 * 1000

interface WatchOptions<Resources> {
  readonly definitionOf: ReadonlyMap<string, TaskDefinition<never, Resources>>
  readonly db: Database
  readonly clock: () => Date
  readonly ownId: () => string
  readonly here: ProcessIdentity
  readonly leaseMs: number
  /** It is the interval between checks; time that passes beyond it between two of them is not counted. */
  readonly everyMs: number
}

interface SeenHeartbeat {
  readonly heartbeat: number
  /** It is the time without a heartbeat, as far as that was watched. */
  readonly stillMs: number
}

/**
 * It finds workers that hold tasks and give no sign of life, and takes the tasks away from them. Time is what passes
 * here while the database answers: no clock on a wall is compared with another, and none that was put forward ends a
 * lease.
 */
export const watchOtherWorkers = <Resources>(options: WatchOptions<Resources>) => {
  const { db, clock, ownId, here, leaseMs, everyMs } = options
  const release = (db: WriteDb, workerId: string) => releaseFrom(db, workerId, { ...options, now: clock() })
  const seen = new Map<string, SeenHeartbeat>()
  let checkedAt = Number.NEGATIVE_INFINITY

  return async (): Promise<void> => {
    const now = performance.now()
    if (now - checkedAt < everyMs) return
    const holders = (await selectHolders(db.read)).filter(({ workerId }) => workerId !== ownId())
    // While the database was away nobody could give a sign of life.
    const passedMs = Math.min(now - checkedAt, 1.5 * everyMs)
    checkedAt = now
    for (const id of seen.keys()) if (!holders.some(({ workerId }) => workerId === id)) seen.delete(id)
    for (const { workerId, heartbeat, host, pid, process } of holders) {
      if (workerId === null) continue
      if (heartbeat === null || host === null || pid === null || process === null) {
        await db.write((db) => release(db, workerId))
        continue
      }
      const lastSeen = seen.get(workerId)
      const stillMs = lastSeen?.heartbeat === heartbeat ? lastSeen.stillMs + passedMs : 0
      seen.set(workerId, { heartbeat, stillMs })
      if (stillMs > leaseMs || isKnownGone({ host, pid, process }, here)) {
        await db.write(async (db) => {
          if (await deleteWorker(db, workerId, heartbeat)) await release(db, workerId)
        })
      }
    }
  }
}

const releaseFrom = async <Resources>(
  db: WriteDb,
  workerId: string,
  { definitionOf, now }: Pick<WatchOptions<Resources>, 'definitionOf'> & { readonly now: Date },
): Promise<void> => {
  const message = `Its worker died while it ran, ${interruptionsMax + 1} times.`
  const failure = { code: 'worker_died', message } as const
  const reason = writtenFailure(failure)
  const at = now.toISOString()
  const released = await updateReleased(db, { workerId, interrupted: true, interruptionsMax, at, reason })
  await updateLetGo(db, workerId)
  await announceTasks(
    db,
    released.map((task) => ({ task, status: task.status, error: task.status === 'failed' ? message : null })),
    now,
  )
  if (released.length > 0) wakeAfterCommit(db, 'tasks')
  const dead = released.filter(({ status }) => status === 'failed')
  await recordDeaths(db, dead, failure, { definitionOf, now })
}

/**
 * It hands back tasks that this worker holds and does not run, or will not: they go back to the queue as they were.
 * Undefined means all.
 */
export const handBack = async (
  db: WriteDb,
  workerId: string,
  ids: readonly string[] | undefined,
  now: Date,
): Promise<void> => {
  const released = await updateReleased(db, {
    workerId,
    ...(ids && { ids }),
    interrupted: false,
    interruptionsMax: Number.MAX_SAFE_INTEGER,
    at: now.toISOString(),
    reason: '',
  })
  if (released.length > 0) wakeAfterCommit(db, 'tasks')
}

export const forgetIdleWorkers = (db: WriteDb, now: Date): Promise<void> =>
  deleteIdleWorkers(db, new Date(now.getTime() - idleRowKeptMs).toISOString())
