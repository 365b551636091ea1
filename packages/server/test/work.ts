import { Type } from 'typebox'
import { defineTask, type TaskDefinition, type TaskShape } from '../src/tasks/define-task.ts'
import { type Enqueued, enqueue } from '../src/tasks/queue.ts'
import { startTriggers, type TriggerChoice } from '../src/triggers.ts'
import { startWork, type Work, type WorkContext, type WorkOptions } from '../src/work.ts'
import type { TestServer } from './start-server.ts'

const Payload = Type.Object({ name: Type.String() })
export type TestPayload = { name: string }
export type TestTask = TaskDefinition<TestPayload, unknown>

/** A task of tests: `run` does what the test is about. */
export const testTask = (
  run: TaskShape<TestPayload, unknown>['run'],
  more: Partial<TaskShape<TestPayload, unknown>> = {},
): TestTask =>
  defineTask(Payload, { type: 'test', priority: 100, endsWithinMs: 20_000, backOffMs: () => 0, ...more, run })

export const enqueueNow = (
  { context: { db, clock } }: TestServer,
  task: TestTask,
  name = 'one',
  notBefore?: Date,
): Promise<Enqueued> => db.write((db) => enqueue(db, task, { name }, { now: clock(), ...(notBefore && { notBefore }) }))

/**
 * It is for tests that wait for tasks to be taken from a silent worker; on a busy machine other workers would lose
 * theirs too.
 */
export const shortLease = { leaseMs: 900, heartbeatEveryMs: 100, pollMs: 100, settleMs: 500, stopMs: 500 }

/** A worker in this process, on the database of a server; libraries are followed where it is said how. */
export const workOn = (
  { context }: Pick<TestServer, 'context'>,
  definitions: readonly TaskDefinition<never, WorkContext>[],
  { watch = false, ...more }: Partial<WorkOptions> & Pick<TriggerChoice, 'watch'> = {},
): Work & AsyncDisposable => {
  const work = startWork(context, {
    definitions,
    decoders: context.decoders,
    onStuck: () => undefined,
    timing: { heartbeatEveryMs: 100, pollMs: 100, settleMs: 500, stopMs: 500 },
    ...more,
  })
  const triggers = watch && startTriggers(context, { schedules: [], watch })
  const stop = async (): Promise<void> => {
    await Promise.all([triggers && triggers.stop(), work.stop()])
  }
  return { ...work, stop, [Symbol.asyncDispose]: stop }
}
