import { setTimeout as delay } from 'node:timers/promises'
import type { WriteDb } from '../database/database.ts'
import { newId } from '../platform/ids.ts'
import { repeat } from '../platform/repeat.ts'
import { Hold, type HoldOptions } from './hold.ts'
import { handBack, watchOtherWorkers } from './lease.ts'
import { lookWhenChanged, nothingToDo, type WaitingWork } from './look-when-changed.ts'
import { announceTasks } from './news.ts'
import {
  claimTasks,
  deleteWorker,
  insertWorker,
  selectHeld,
  selectWork,
  type TaskRow,
  updateHeartbeat,
  updateDue,
  updateLetGo,
} from './queries.ts'
import { endRuns } from './run.ts'
import { thisProcess } from './this-process.ts'

export interface WorkerOptions<Resources> extends Omit<HoldOptions<Resources>, 'settleMs'> {
  readonly timing?: Partial<WorkerTiming>
}

export interface WorkerTiming {
  /** A worker without a heartbeat for this long loses its tasks. */
  readonly leaseMs: number
  readonly heartbeatEveryMs: number
  readonly pollMs: number
  /** A run may take this long to stop before its process is given up. */
  readonly settleMs: number
  /** Runs may take this long to stop when the worker is told to. */
  readonly stopMs: number
}

const usualTiming: WorkerTiming = {
  leaseMs: 15_000,
  heartbeatEveryMs: 5000,
  pollMs: 1000,
  settleMs: 30_000,
  stopMs: 5000,
}

export interface Worker {
  isIdle(): boolean
  /** It hands tasks that cannot be finished at once back to the queue, and ends. */
  stop(): Promise<void>
}

interface State<Resources> {
  readonly options: WorkerOptions<Resources>
  readonly timing: WorkerTiming
  readonly hold: Hold<Resources>
  /** The types this worker can run: one of a newer version is left to those that know it. */
  readonly types: readonly string[]
  readonly lookForWork: (now: string) => Promise<WaitingWork>
  /** The id changes once this worker has been given up. */
  id: string
  heartbeatAt: number
  /** A task may have been cancelled, or rows written, without our hearing of it. */
  mustCompare: boolean
  stopping: boolean
}

/**
 * It takes tasks from the queue and runs them. All that it does to the queue happens in one place, one transaction
 * after the other: a sign of life, what has ended, what is taken next.
 */
export const startWorker = <Resources>(options: WorkerOptions<Resources>): Worker => {
  const { db, log, clock, definitions } = options
  const timing = { ...usualTiming, ...options.timing }
  const { leaseMs, settleMs } = timing
  const types = definitions.map(({ type }) => type)
  const state: State<Resources> = {
    options,
    timing,
    hold: new Hold({ ...options, settleMs }, () => loop.wake()),
    types,
    lookForWork: lookWhenChanged(db, (now) => selectWork(db.read, types, now)),
    id: newId(),
    heartbeatAt: performance.now(),
    mustCompare: false,
    stopping: false,
  }
  const watch = watchOtherWorkers({
    db,
    clock,
    definitionOf: state.hold.definitionOf,
    ownId: () => state.id,
    here: thisProcess(),
    leaseMs,
    everyMs: leaseMs / 3,
  })
  const loop = repeat({
    work: async () => {
      await watch()
      await compare(state)
      while (await takeTurn(state));
    },
    everyMs: timing.pollMs,
    log,
    trouble: 'The queue could not be read; trying again',
  })
  const stopListening = db.wakeUps.on('tasks', () => {
    state.mustCompare ||= state.hold.holdsTasks
    loop.wake()
  })

  return {
    isIdle: () => state.hold.isIdle,
    stop: async () => {
      state.stopping = true
      stopListening()
      state.hold.stopAll('stopping')
      await Promise.race([state.hold.settled(), delay(timing.stopMs, undefined, { ref: false })])
      await loop.stop()
      await leave(state)
    },
  }
}

/** One transaction. It returns whether there may be more to do at once. */
const takeTurn = async <Resources>(state: State<Resources>): Promise<boolean> => {
  const { hold, timing, options } = state
  const { db, clock } = options
  const now = clock()
  const room = state.stopping ? 0 : hold.room
  const work = room > 0 ? await state.lookForWork(now.toISOString()) : nothingToDo
  const mustHeartbeat = hold.holdsTasks && performance.now() - state.heartbeatAt >= timing.heartbeatEveryMs
  if (!hold.hasNews && !work.isDue && !work.isDueLater && !mustHeartbeat) return false
  const { holdsTasks } = hold
  const news = hold.collectNews()
  try {
    const claimed = await db.write(async (db) => {
      await giveSignOfLife(db, state, holdsTasks, now)
      const notOurs = await endRuns(db, news.ended, now)
      await updateLetGo(db, state.id, [...news.letGo, ...notOurs])
      if (work.isDueLater) await updateDue(db, now.toISOString())
      return room > 0 ? claim(db, state, room, now) : []
    })
    state.heartbeatAt = performance.now()
    // A worker that is told to stop meanwhile hands them back with all the rest.
    if (!state.stopping) hold.take(claimed)
    return claimed.length > 0
  } catch (error) {
    if (error instanceof GivenUp) {
      startAnew(state)
      return true
    }
    hold.putBack(news)
    // It may have been committed all the same.
    state.mustCompare = true
    throw error
  }
}

/** This worker has been given up: what it held is somebody else's by now. */
class GivenUp extends Error {
  override readonly name = 'GivenUp'
}

const giveSignOfLife = async <Resources>(
  db: WriteDb,
  { id }: State<Resources>,
  holdsTasks: boolean,
  now: Date,
): Promise<void> => {
  const at = now.toISOString()
  if (await updateHeartbeat(db, id, at)) return
  if (holdsTasks) throw new GivenUp()
  await insertWorker(db, { id, ...thisProcess(), heartbeat: 0, started_at: at, heartbeat_at: at })
}

const claim = async <Resources>(
  db: WriteDb,
  { id, types, hold }: State<Resources>,
  limit: number,
  now: Date,
): Promise<TaskRow[]> => {
  const claimed = await claimTasks(db, { workerId: id, types, limit, at: now.toISOString() })
  const told = claimed.filter(({ type }) => hold.definitionOf.get(type)?.quiet !== true)
  await announceTasks(
    db,
    told.map((task) => ({ task, status: 'processing' })),
    now,
  )
  return claimed
}

const startAnew = <Resources>(state: State<Resources>): void => {
  const { log } = state.options
  log.warn({ workerId: state.id }, 'This worker gave no sign of life for too long; its tasks were taken away')
  state.hold.stopAll('lost')
  state.id = newId()
}

/** Cancelled tasks are stopped; tasks that run here only according to the database are handed back. */
const compare = async <Resources>(state: State<Resources>): Promise<void> => {
  if (state.hold.dropsWaiting()) state.mustCompare = true
  if (!state.mustCompare) return
  const { db, clock } = state.options
  const unknown = state.hold.compareWith(await selectHeld(db.read, state.id))
  if (unknown.length > 0) await db.write((db) => handBack(db, state.id, unknown, clock()))
  state.mustCompare = false
}

const leave = async <Resources>(state: State<Resources>): Promise<void> => {
  const { db, clock } = state.options
  await takeTurn(state)
  await db.write(async (db) => {
    await handBack(db, state.id, undefined, clock())
    await updateLetGo(db, state.id)
    await deleteWorker(db, state.id)
  })
}
