import type { TaskProgress } from '@carrel/api'
import type { Static, TObject } from 'typebox'
import type { Database, WriteDb } from '../database/database.ts'
import type { Announcement } from '../events/outbox.ts'
import type { Log } from '../platform/log.ts'

interface Subject {
  readonly libraryId?: string
  readonly seriesId?: string
  readonly bookId?: string
}

export const moreToDo = Symbol('more to do')

/** A task gets these while it runs. */
export interface TaskContext {
  readonly db: Pick<Database, 'read' | 'readSlowly' | 'dialect' | 'degraded'>
  readonly log: Log
  readonly clock: () => Date
  /** Aborted when the task is cancelled, takes too long, or must be handed back: stop at the next good place. */
  readonly signal: AbortSignal
  /** An earlier run did not finish: a step of it may have been taken without the next. */
  readonly isRepeated: boolean
  /** It changes something, unless the right to run this task has gone to somebody else meanwhile. */
  write<Result>(work: (db: WriteDb) => Promise<Result>): Promise<Result>
  /**
   * It changes something and ends the task in the same transaction: what must not happen twice happens here. Whoever leaves more to a
   * task joins it until then, so the last look belongs in here too: `moreToDo` lets the task go on. It returns whether it has ended.
   */
  finish(work: (db: WriteDb) => Promise<TaskResult | typeof moreToDo | undefined>): Promise<boolean>
  /** The progress is shown to whoever looks, twice a second at most. */
  progress(progress: Static<typeof TaskProgress>): void
}

export interface TaskResult {
  /** The result is shown with the task. */
  readonly result?: unknown
  /** The figures count these. */
  readonly items?: number
  readonly bytes?: number
}

/**
 * The task has come as far as it can for now. Its slot is free until then, when it continues with this payload, and the
 * pause counts as no try.
 */
interface PutOff {
  readonly putOff: { readonly until: Date; readonly payload: object }
}

export interface TaskShape<Payload, Resources> {
  readonly type: string
  /** Higher goes first. */
  readonly priority: number
  readonly attemptsMax?: number
  /** A run that takes longer counts as failed. */
  readonly endsWithinMs: number
  /** It returns the pause before the next try, by the number of tries so far. */
  readonly backOffMs?: (attempts: number) => number
  /** At most one task with the same key waits or runs. Undefined allows any number. */
  readonly key?: (payload: Payload) => string
  /** It may have passed what is new by now: whoever enqueues it while it runs has another one wait behind it. */
  readonly runsAgain?: true
  readonly subject?: (payload: Payload) => Subject
  /** Such tasks are not announced to anybody: there are thousands of them. */
  readonly quiet?: true
  /** A failed run is announced like this to those who wait for it and may see no tasks. */
  readonly whenFailed?: (payload: Payload) => Announcement
  /** Anybody who may write tasks can start it at once, with this payload. */
  readonly startable?: object
  /** May be run twice, and half: whatever it does has the same effect as once. */
  readonly run: (
    payload: Payload,
    context: TaskContext,
    resources: Resources,
  ) => Promise<TaskResult | PutOff | undefined>
}

export interface TaskDefinition<Payload = never, Resources = never> extends TaskShape<Payload, Resources> {
  readonly payload: TObject
  readonly attemptsMax: number
  readonly backOffMs: (attempts: number) => number
}

const attemptsUsual = 3
const second = 1000
/** Half a minute, two minutes, eight …, at most an hour, and not all at the same moment. */
const usualBackOffMs = (attempts: number): number =>
  Math.min(30 * second * 4 ** (attempts - 1), 3600 * second) * (0.8 + Math.random() * 0.4)

/** A kind of background work, said once: what it needs, how urgent it is, what it does. */
export const defineTask = <Schema extends TObject, Resources = unknown>(
  payload: Schema,
  shape: TaskShape<Static<Schema>, Resources>,
): TaskDefinition<Static<Schema>, Resources> => ({
  attemptsMax: attemptsUsual,
  backOffMs: usualBackOffMs,
  ...shape,
  payload,
})
