import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { TaskShape } from '../../../src/tasks/define-task.ts'
import { type TestPayload, testTask } from '../../work.ts'

/** A run notes this outside of any transaction, so that a refused run is noted too. */
export interface RunNote {
  readonly what: 'begun' | 'told to stop' | 'finished' | 'refused'
  readonly name: string
  readonly pid: number
}

type TestTaskContext = Parameters<TaskShape<TestPayload, unknown>['run']>[1]

const folder = process.env.TEST_FOLDER ?? '.'
export const notesFile = 'notes.jsonl'

const note = (what: RunNote['what'], name: string): void => {
  // A short line at the end of a file is written whole, also by several processes and one that is killed.
  appendFileSync(join(folder, notesFile), `${JSON.stringify({ what, name, pid: process.pid })}\n`)
}

const mayEnd = (name: string): boolean => existsSync(join(folder, name))

const leaveEffect = async ({ finish }: TestTaskContext, name: string): Promise<void> => {
  try {
    await finish(async (db) => {
      await sql`insert into effect (name, pid) values (${name}, ${process.pid})`.execute(db)
      return { items: 1 }
    })
    note('finished', name)
  } catch (error) {
    note('refused', name)
    throw error
  }
}

/** It is done at once: its effect is a row, in its last transaction. */
export const quickTask = testTask(
  async ({ name }, context) => {
    note('begun', name)
    await delay(Math.random() * 20)
    await leaveEffect(context, name)
    return undefined
  },
  // A connection that is cut under its last transaction counts as a try, and in torture there are many.
  { type: 'test_quick', attemptsMax: 1000 },
)

/** It runs, and reports its progress, until the file of its name is there or it is told to stop. */
export const longTask = testTask(
  async ({ name }, context) => {
    note('begun', name)
    for (let current = 1; !mayEnd(name); current += 1) {
      context.progress({ current, total: 0, message: null })
      await delay(20, undefined, { signal: context.signal }).catch((error: unknown) => {
        note('told to stop', name)
        throw error
      })
    }
    await leaveEffect(context, name)
    return undefined
  },
  { type: 'test_long', endsWithinMs: 120_000 },
)

/** The same, but it does not listen. */
export const deafTask = testTask(
  async ({ name }, context) => {
    note('begun', name)
    context.signal.addEventListener('abort', () => note('told to stop', name))
    while (!mayEnd(name)) await delay(20)
    await leaveEffect(context, name)
    return undefined
  },
  { type: 'test_deaf', endsWithinMs: 120_000 },
)

/** It always fails, and is not retried. */
export const failingTask = testTask(
  async ({ name }) => {
    note('begun', name)
    throw new Error('As it should')
  },
  { type: 'test_failing', attemptsMax: 1 },
)
