import { Check } from 'typebox/value'
import type { Database, WriteDb } from '../database/database.ts'
import { announce, type Announcement } from '../events/outbox.ts'
import { AppError } from '../platform/errors.ts'
import { type Failure, failureOf, readFailure, writtenFailure } from './failure.ts'
import type { Log } from '../platform/log.ts'
import { moreToDo, type TaskContext, type TaskDefinition, type TaskResult } from './define-task.ts'
import { recordFigures, type RunFigures } from './figures.ts'
import { announceTasks, type Progress } from './news.ts'
import { lockRun, type TaskRow, updateEnded, updateProgress } from './queries.ts'

/** It says why a run is told to stop. */
export type StopReason = 'cancelled' | 'overdue' | 'stopping' | 'lost'

/** The right to run a task has gone to somebody else, or the task was cancelled: nothing more may be written for it. */
class LostRun extends Error {
  override readonly name = 'LostRun'
  constructor() {
    super('This task is no longer ours to run')
  }
}

type Outcome =
  | { readonly kind: 'completed'; readonly result: TaskResult }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly isFinal: boolean }
  | { readonly kind: 'put off'; readonly until: Date; readonly payload: unknown }
  /** Its last transaction has ended it already. */
  | { readonly kind: 'finished' }
  | { readonly kind: 'handed back' }
  | { readonly kind: 'lost' }

export interface RunContext<Resources> {
  readonly db: Database
  readonly log: Log
  readonly clock: () => Date
  readonly resources: Resources
}

export interface Run {
  readonly task: TaskRow
  /** Its last transaction is on its way: what the database says of it may be newer than what we know. */
  isFinishing(): boolean
  latestProgress(): Progress | undefined
  stop(reason: StopReason): void
  /** The promise settles when the outcome is known; a run that takes too long is over before it has stopped. */
  readonly ended: Promise<{ readonly outcome: Outcome; readonly durationMs: number }>
  /** The promise settles when nothing of the run is running any more. */
  readonly settled: Promise<void>
}

const progressEveryMs = 500
const unexpectedPayload = 'Its payload is not what this version of Carrel expects.'
const resultLengthMax = 16_000

/** It is the state of a run while it runs. */
interface RunState {
  readonly startedAt: number
  readonly abort: AbortController
  stopReason: StopReason | undefined
  isFinishing: boolean
  hasFinished: boolean
}

/** It starts one task. */
export const startRun = <Resources>(
  task: TaskRow,
  definition: TaskDefinition<never, Resources>,
  context: RunContext<Resources>,
): Run => {
  const state: RunState = {
    startedAt: performance.now(),
    abort: new AbortController(),
    stopReason: undefined,
    isFinishing: false,
    hasFinished: false,
  }
  const write = fencedWrite(task, state, context.db)
  const progress = showProgress(task, definition.quiet === true, write, context.clock)
  const running = outcomeOf({ task, definition, state, context, write, progress })
  const stop = (reason: StopReason): void => {
    state.stopReason ??= reason
    state.abort.abort(new Error(`The task was told to stop: ${reason}`))
  }
  const overdue = Promise.withResolvers<Outcome>()
  const timer = setTimeout(() => {
    stop('overdue')
    const message = `It took longer than ${definition.endsWithinMs / 1000} seconds.`
    overdue.resolve({ kind: 'failed', failure: { code: 'too_slow', message }, isFinal: false })
  }, definition.endsWithinMs)
  const ended = async () => {
    const outcome = await Promise.race([running, overdue.promise])
    clearTimeout(timer)
    await progress.end()
    return { outcome, durationMs: durationOf(state) }
  }

  return {
    task,
    isFinishing: () => state.isFinishing,
    latestProgress: progress.latest,
    stop,
    ended: ended(),
    settled: running.then(() => undefined),
  }
}

const durationOf = ({ startedAt }: RunState): number => Math.round(performance.now() - startedAt)

/** A transaction that changes nothing once the right to run this task has gone to somebody else. */
const fencedWrite =
  ({ id, fence }: TaskRow, state: RunState, db: Database): TaskContext['write'] =>
  async (work) => {
    if (state.stopReason === 'lost' || state.stopReason === 'cancelled') throw new LostRun()
    return db.write(async (db) => {
      if (!(await lockRun(db, id, fence))) throw new LostRun()
      return work(db)
    })
  }

interface RunParts<Resources> {
  readonly task: TaskRow
  readonly definition: TaskDefinition<never, Resources>
  readonly state: RunState
  readonly context: RunContext<Resources>
  readonly write: TaskContext['write']
  readonly progress: ReturnType<typeof showProgress>
}

const outcomeOf = async <Resources>(parts: RunParts<Resources>): Promise<Outcome> => {
  const { task, definition, state, context, write, progress } = parts
  const { db, log, clock, resources } = context
  try {
    const payload: unknown = JSON.parse(task.payload)
    if (!Check(definition.payload, payload))
      return { kind: 'failed', failure: failureOf(unexpectedPayload), isFinal: true }
    const { signal } = state.abort
    const isRepeated = task.fence > 1
    const runContext = { db, log, clock, signal, isRepeated, write, finish: finishOnce(parts), progress: progress.show }
    // The payload was checked just now.
    const result = await definition.run(payload as never, runContext, resources)
    if (state.hasFinished) return { kind: 'finished' }
    if (result && 'putOff' in result) return { kind: 'put off', ...result.putOff }
    return { kind: 'completed', result: result ?? {} }
  } catch (error) {
    return outcomeOfError(error, state)
  }
}

const outcomeOfError = (error: unknown, { hasFinished, stopReason }: RunState): Outcome => {
  if (hasFinished) return { kind: 'finished' }
  if (error instanceof LostRun || stopReason === 'lost' || stopReason === 'cancelled') return { kind: 'lost' }
  if (stopReason === 'stopping') return { kind: 'handed back' }
  return { kind: 'failed', failure: failureOf(error), isFinal: isFinal(error) }
}

const finishOnce =
  <Resources>({ task, definition, state, context, write, progress }: RunParts<Resources>): TaskContext['finish'] =>
  async (work) => {
    state.isFinishing = true
    try {
      state.hasFinished = await write(async (db) => {
        const result = (await work(db)) ?? {}
        if (result === moreToDo) return false
        const outcome = { kind: 'completed' as const, result }
        const end = { task, definition, outcome, durationMs: durationOf(state), progress: progress.latest() }
        await endRuns(db, [end], context.clock())
        return true
      })
      return state.hasFinished
    } finally {
      state.isFinishing = state.hasFinished
    }
  }

const showProgress = (
  task: TaskRow,
  isQuiet: boolean,
  write: (work: (db: WriteDb) => Promise<void>) => Promise<void>,
  clock: () => Date,
) => {
  let latest: Progress | undefined
  let shownAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let hasEnded = false

  const store = async (): Promise<void> => {
    timer = undefined
    shownAt = performance.now()
    const progress = latest
    if (hasEnded || progress === undefined) return
    await write(async (db) => {
      await updateProgress(db, task.id, JSON.stringify(progress))
      if (!isQuiet) await announceTasks(db, [{ task, status: 'processing', progress }], clock())
    })
  }

  return {
    show: (progress: Progress): void => {
      latest = progress
      timer ??= setTimeout(
        () => {
          // A failure to store the progress does not stop the work; a lost right to write will stop it by itself.
          writing = store().catch(() => undefined)
        },
        Math.max(0, shownAt + progressEveryMs - performance.now()),
      )
    },
    latest: () => latest,
    end: async (): Promise<void> => {
      hasEnded = true
      clearTimeout(timer)
      await writing
    },
  }
}

export interface EndedRun<Resources> {
  readonly task: TaskRow
  readonly definition: TaskDefinition<never, Resources>
  readonly outcome: Extract<Outcome, { kind: 'completed' | 'failed' | 'put off' }>
  readonly durationMs: number
  readonly progress: Progress | undefined
}

/** It writes down how runs ended. It returns which were not this worker's to end any more. */
export const endRuns = async <Resources>(
  db: WriteDb,
  runs: readonly EndedRun<Resources>[],
  now: Date,
): Promise<string[]> => {
  const ends = runs.map((run) => ({ run, end: endOf(run, now) }))
  const accepted = await updateEnded(
    db,
    ends.map(({ end }) => end),
  )
  const written = ends.filter(({ end }) => accepted.has(end.id))
  await announceTasks(
    db,
    written.flatMap(({ run: { task, definition, progress }, end: { status, lastError } }) =>
      definition.quiet
        ? []
        : [{ task, status, progress, error: status === 'completed' ? null : readFailure(lastError).lastError }],
    ),
    now,
  )
  await announce(
    db,
    written.flatMap(({ run }) => wordOfFailure(run)),
    now,
  )
  await recordFigures(
    db,
    written.flatMap(({ run, end }) => (run.outcome.kind === 'put off' ? [] : figuresOf(run, end.status))),
    now,
  )
  return ends.filter(({ end }) => !accepted.has(end.id)).map(({ end }) => end.id)
}

type Definitions<Resources> = ReadonlyMap<string, TaskDefinition<never, Resources>>

/** It counts and tells of runs that failed for good because their workers died. */
export const recordDeaths = async <Resources>(
  db: WriteDb,
  tasks: readonly TaskRow[],
  failure: Failure,
  { definitionOf, now }: { readonly definitionOf: Definitions<Resources>; readonly now: Date },
): Promise<void> => {
  const outcome = { kind: 'failed', failure, isFinal: true } as const
  const runs = tasks.map((task) => {
    const durationMs = Math.max(0, now.getTime() - Date.parse(task.started_at ?? task.created_at))
    return { task, outcome, durationMs, definition: definitionOf.get(task.type) }
  })
  await announce(db, runs.flatMap(wordOfFailure), now)
  await recordFigures(
    db,
    runs.map((run) => figuresOf(run, 'failed')),
    now,
  )
}

interface FailedRun<Resources> extends Pick<EndedRun<Resources>, 'task' | 'outcome'> {
  /** Undefined: it is one of another version. */
  readonly definition: TaskDefinition<never, Resources> | undefined
}

const wordOfFailure = <Resources>({ task, definition, outcome }: FailedRun<Resources>): Announcement[] => {
  if (outcome.kind !== 'failed' || definition?.whenFailed === undefined) return []
  const payload: unknown = JSON.parse(task.payload)
  // The payload has just been checked.
  return Check(definition.payload, payload) ? [definition.whenFailed(payload as never)] : []
}

const endOf = <Resources>({ task, definition, outcome, progress }: EndedRun<Resources>, now: Date) => {
  const { id, fence, attempts } = task
  const shown = progress ? JSON.stringify(progress) : null
  const base = { id, fence, attempts, isDue: 1 as const, progress: shown, payload: null }
  const at = laterOf(now.toISOString(), task.started_at)
  if (outcome.kind === 'completed') {
    const result = resultText(outcome.result.result)
    const { scheduled_for: scheduledFor } = task
    return { ...base, status: 'completed' as const, lastError: task.last_error, result, scheduledFor, completedAt: at }
  }
  if (outcome.kind === 'put off')
    return {
      ...base,
      status: 'pending' as const,
      isDue: outcome.until > now ? (0 as const) : (1 as const),
      attempts: attempts - 1,
      lastError: task.last_error,
      result: null,
      payload: JSON.stringify(outcome.payload),
      scheduledFor: outcome.until.toISOString(),
      completedAt: null,
    }
  const failure = { ...base, lastError: writtenFailure(outcome.failure), result: null }
  if (outcome.isFinal || task.attempts >= task.max_attempts)
    return { ...failure, status: 'failed' as const, scheduledFor: task.scheduled_for, completedAt: at }
  const scheduledFor = new Date(now.getTime() + definition.backOffMs(task.attempts)).toISOString()
  return { ...failure, status: 'pending' as const, isDue: 0 as const, scheduledFor, completedAt: null }
}

/** A clock that was set back must not make a task end before it began. */
const laterOf = (one: string, other: string | null): string => (other !== null && other > one ? other : one)

const figuresOf = <Resources>(
  { task, outcome, durationMs }: Pick<EndedRun<Resources>, 'task' | 'outcome' | 'durationMs'>,
  status: 'completed' | 'failed' | 'pending',
): RunFigures => {
  const waitedSince = Math.max(Date.parse(task.created_at), Date.parse(task.scheduled_for))
  const startedAt = Date.parse(task.started_at ?? task.created_at)
  const { items = 0, bytes = 0 } = outcome.kind === 'completed' ? outcome.result : {}
  return {
    type: task.type,
    how: status === 'completed' ? 'succeeded' : status === 'failed' ? 'failed' : 'retried',
    durationMs,
    waitMs: Math.max(0, startedAt - waitedSince),
    items,
    bytes,
    error: outcome.kind === 'failed' ? writtenFailure(outcome.failure) : null,
  }
}

const resultText = (result: unknown): string | null => {
  if (result === undefined) return null
  const text = JSON.stringify(result)
  return text.length <= resultLengthMax ? text : JSON.stringify({ tooLong: true })
}

/** An error the caller could have foreseen will occur again next time; one of the database or a disk may not. */
const isFinal = (error: unknown): boolean => error instanceof AppError && error.status < 500
