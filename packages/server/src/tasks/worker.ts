import { setTimeout as delay } from 'node:timers/promises'
import type { Database, WriteDb } from '../database/database.ts'
import type { Log } from '../platform/log.ts'
import { newId } from '../platform/ids.ts'
import { repeat } from '../platform/repeat.ts'
import type { TaskDefinition } from './define-task.ts'
import { handBack, watchOtherWorkers } from './lease.ts'
import { announceTasks } from './news.ts'
import {
  claimTasks,
  deleteWorker,
  insertWorker,
  selectHeld,
  selectWork,
  type TaskRow,
  updateBeat,
  updateDue,
  updateLetGo,
} from './queries.ts'
import { type EndedRun, endRuns, type Run, startRun } from './run.ts'
import { thisProcess } from './this-process.ts'

export interface WorkerOptions<Surroundings> {
  readonly db: Database
  readonly log: Log
  readonly clock: () => Date
  readonly surroundings: Surroundings
  readonly definitions: readonly TaskDefinition<never, Surroundings>[]
  /** How many tasks run at the same time. */
  readonly concurrency: number
  /** Something runs on although it was told to stop long ago: only the end of the process ends it. */
  readonly onStuck: (task: Pick<TaskRow, 'id' | 'type'>) => void
  readonly timing?: Partial<WorkerTiming>
}

export interface WorkerTiming {
  /** After this without a sign of life a worker's tasks are taken away. */
  readonly leaseMs: number
  readonly beatEveryMs: number
  readonly lookEveryMs: number
  /** How long a run may take to stop. */
  readonly settleMs: number
  readonly stopMs: number
}

const usualTiming: WorkerTiming = {
  leaseMs: 15_000,
  beatEveryMs: 5000,
  lookEveryMs: 1000,
  settleMs: 30_000,
  stopMs: 5000,
}

export interface Worker {
  /** Hands back what cannot be done at once, and ends. */
  stop(): Promise<void>
}

/** Of short tasks, about what is done in this time is taken ahead, so that a commit serves many of them. */
const aheadMs = 50
const aheadMax = 50

/** This worker has been given up: what it held is somebody else's by now. */
class GivenUp extends Error {
  override readonly name = 'GivenUp'
}

/**
 * Takes tasks from the queue and runs them. All that it does to the queue happens in one place, one transaction after
 * the other: a sign of life, what has ended, what is taken next.
 */
export const startWorker = <Surroundings>(options: WorkerOptions<Surroundings>): Worker => {
  const { db, log, clock, definitions, concurrency, onStuck } = options
  const timing = { ...usualTiming, ...options.timing }
  const here = thisProcess()
  const definitionOf = new Map(definitions.map((definition) => [definition.type, definition]))
  const types = [...definitionOf.keys()]
  const running = new Map<string, Run>()
  let waiting: TaskRow[] = []
  let ended: EndedRun<Surroundings>[] = []
  let letGo: string[] = []
  let id = newId()
  let usualMs = Number.POSITIVE_INFINITY
  let beatAt = performance.now()
  let mayHaveLost = false
  let stopping = false

  const watch = watchOtherWorkers({
    db,
    clock,
    ownId: () => id,
    here,
    leaseMs: timing.leaseMs,
    everyMs: timing.leaseMs / 3,
  })

  const holds = (): boolean => running.size + waiting.length + ended.length + letGo.length > 0

  const wanted = (): number => {
    if (stopping) return 0
    const ahead = Math.min(aheadMax, Math.floor((concurrency * aheadMs) / usualMs))
    return concurrency + ahead - running.size - waiting.length
  }

  const runNext = (): void => {
    while (running.size < concurrency) {
      const task = waiting.shift()
      const definition = task && definitionOf.get(task.type)
      if (!definition) return
      run(task, definition)
    }
  }

  const run = (task: TaskRow, definition: TaskDefinition<never, Surroundings>): void => {
    const started = startRun(task, definition, options)
    running.set(task.id, started)
    void started.ended.then(({ outcome, durationMs }) => {
      usualMs = Number.isFinite(usualMs) ? 0.9 * usualMs + 0.1 * durationMs : durationMs
      if (outcome.kind === 'completed' || outcome.kind === 'failed')
        ended.push({ task, definition, outcome, durationMs, progress: started.latestProgress() })
      loop.wake()
      return settle(started)
    })
  }

  /** It keeps its place until nothing of it runs any more. */
  const settle = async (started: Run): Promise<void> => {
    const { task } = started
    const timer = setTimeout(() => {
      log.error({ taskId: task.id, taskType: task.type }, 'A task does not stop; its process will be replaced')
      onStuck(task)
    }, timing.settleMs)
    await started.settled
    clearTimeout(timer)
    running.delete(task.id)
    letGo.push(task.id)
    runNext()
    loop.wake()
  }

  /** One transaction. Answers whether there may be more to do at once. */
  const takeTurn = async (): Promise<boolean> => {
    const now = clock()
    const limit = wanted()
    const work = limit > 0 ? await selectWork(db.read, types, now.toISOString()) : { isDue: false, isDueLater: false }
    const mustBeat = holds() && performance.now() - beatAt >= timing.beatEveryMs
    if (ended.length + letGo.length === 0 && !work.isDue && !work.isDueLater && !mustBeat) return false
    const [ends, gone] = [ended, letGo]
    ended = []
    letGo = []
    try {
      const claimed = await db.write(async (db) => {
        await giveSignOfLife(db, now, running.size + waiting.length + ends.length > 0)
        if (ends.length > 0) await endRuns(db, ends, now)
        await updateLetGo(db, id, gone)
        if (work.isDueLater) await updateDue(db, now.toISOString())
        return limit > 0 ? claim(db, limit, now) : []
      })
      beatAt = performance.now()
      waiting.push(...claimed)
      runNext()
      return claimed.length > 0
    } catch (error) {
      if (error instanceof GivenUp) {
        abandonAll()
        return true
      }
      ended.unshift(...ends)
      letGo.unshift(...gone)
      // It may have been committed all the same, and nobody told us.
      mayHaveLost = true
      throw error
    }
  }

  const giveSignOfLife = async (db: WriteDb, now: Date, holdsTasks: boolean): Promise<void> => {
    const at = now.toISOString()
    if (await updateBeat(db, id, at)) return
    if (holdsTasks) throw new GivenUp()
    await insertWorker(db, { id, ...here, beat: 0, started_at: at, beat_at: at })
  }

  const claim = async (db: WriteDb, limit: number, now: Date): Promise<TaskRow[]> => {
    const claimed = await claimTasks(db, { workerId: id, types, limit, at: now.toISOString() })
    const told = claimed.filter(({ type }) => definitionOf.get(type)?.quiet !== true)
    await announceTasks(
      db,
      told.map((task) => ({ task, status: 'processing' })),
      now,
    )
    return claimed
  }

  const abandonAll = (): void => {
    log.warn({ workerId: id }, 'This worker gave no sign of life for too long; its tasks were taken away')
    for (const run of running.values()) run.stop('lost')
    waiting = []
    ended = []
    id = newId()
  }

  /** What was cancelled is stopped; what the database believes to run here and does not is handed back. */
  const compare = async (): Promise<void> => {
    if (!mayHaveLost) return
    const held = await selectHeld(db.read, id)
    for (const [taskId, run] of running) {
      if (held.get(taskId) !== run.task.fence && !run.isFinishing()) run.stop('cancelled')
    }
    waiting = waiting.filter(({ id: taskId, fence }) => {
      const isOurs = held.get(taskId) === fence
      if (!isOurs) letGo.push(taskId)
      return isOurs
    })
    const known = new Set([...running.keys(), ...[...waiting, ...ended.map(({ task }) => task)].map((task) => task.id)])
    const unknown = [...held.keys()].filter((taskId) => !known.has(taskId))
    if (unknown.length > 0) await db.write((db) => handBack(db, id, unknown, clock()))
    mayHaveLost = false
  }

  const loop = repeat({
    look: async () => {
      await watch()
      await compare()
      while (await takeTurn());
    },
    everyMs: timing.lookEveryMs,
    log,
    trouble: 'The queue could not be read; trying again',
  })

  const stopListening = db.wakeUps.on('tasks', () => {
    mayHaveLost ||= holds()
    loop.wake()
  })

  return {
    stop: async () => {
      stopping = true
      stopListening()
      waiting = []
      for (const run of running.values()) run.stop('stopping')
      const settled = Promise.all([...running.values()].map((run) => run.settled))
      await Promise.race([settled, delay(timing.stopMs, undefined, { ref: false })])
      await loop.stop()
      await takeTurn()
      await db.write(async (db) => {
        await handBack(db, id, undefined, clock())
        await updateLetGo(db, id)
        await deleteWorker(db, id)
      })
    },
  }
}
