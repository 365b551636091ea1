import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { day, hour, minute, type MovableClock, movableClock } from '../../test/movable-clock.ts'
import { bodyOf } from '../../test/outcome.ts'
import { waitUntil } from '../../test/smoke/wait-until.ts'
import { startServer, type TestServer } from '../../test/start-server.ts'
import { workOn } from '../../test/work.ts'
import { announce } from '../events/outbox.ts'
import { cleanUpEvents } from '../features/events/tasks.ts'
import { cleanUpSessions } from '../features/sessions/tasks.ts'
import { cleanUpTasks } from '../features/task-admin/tasks.ts'
import { newId } from '../platform/ids.ts'
import { taskDefinitions, type WorkContext } from '../work.ts'
import type { TaskDefinition } from './define-task.ts'
import { enqueue } from './queue.ts'

type CleanUp = TaskDefinition<{ byHand: boolean }, WorkContext>

/** A schedule would start it like this. */
const runNow = async ({ context }: TestServer, cleanUp: CleanUp): Promise<void> => {
  const { db, clock } = context
  const { taskId } = await db.write((db) => enqueue(db, cleanUp, { byHand: false }, { now: clock() }))
  await waitUntil(`the end of ${cleanUp.type}`, async () => {
    const task = await db.read.selectFrom('task').select('status').where('id', '=', taskId).executeTakeFirstOrThrow()
    return task.status === 'completed'
  })
}

const runEvery = async (server: TestServer, time: MovableClock, cleanUp: CleanUp, gaps: readonly number[]) => {
  for (const gap of gaps) {
    time.pass(gap)
    await runNow(server, cleanUp)
  }
}

const ago = ({ clock }: MovableClock, ms: number): string => new Date(clock().getTime() - ms).toISOString()

const addSession = async ({ context }: TestServer, userId: string, at: string): Promise<string> => {
  const id = newId()
  await context.db.write(async (db) => {
    const row = { id, user_id: userId, cookie_hash: id, device_name: null, user_agent: null, ip: null, network: '' }
    await db
      .insertInto('session')
      .values({ ...row, created_at: at, last_used_at: at, ended_at: null })
      .execute()
  })
  return id
}

const addToken = ({ context }: TestServer, session_id: string, created_at: string) =>
  context.db.write(async (db) => {
    const row = { token_hash: newId(), session_id, created_at, rotated_at: null }
    await db.insertInto('refresh_token').values(row).execute()
  })

const countOf = async ({ context }: TestServer, table: 'session' | 'refresh_token' | 'event'): Promise<number> =>
  (
    await context.db.read
      .selectFrom(table)
      .select('id' as never)
      .execute()
  ).length

const sessionIds = async ({ context }: TestServer): Promise<string[]> =>
  (await context.db.read.selectFrom('session').select('id').execute()).map(({ id }) => id)

const tokenDates = async ({ context }: TestServer, sessionId: string): Promise<string[]> =>
  (
    await context.db.read.selectFrom('refresh_token').select('created_at').where('session_id', '=', sessionId).execute()
  ).map(({ created_at }) => created_at)

test('AUTH-1 sessions go after 180 days without use, refresh tokens after 30 days, in the usual course', async () => {
  const time = movableClock()
  await using server = await startServer(time)
  const { id: userId } = await server.person('reader')
  await using _ = workOn(server, taskDefinitions)
  const old = await addSession(server, userId, ago(time, 179 * day))
  const unused = await addSession(server, userId, ago(time, 176 * day))
  const tokens = [ago(time, 29 * day), ago(time, 26 * day)]
  for (const at of tokens) await addToken(server, unused, at)

  // The first two show that the clock can be believed.
  await runEvery(server, time, cleanUpSessions, [day, day])
  expect(await sessionIds(server)).toEqual(expect.arrayContaining([old, unused]))
  await runEvery(server, time, cleanUpSessions, [day])

  expect(await sessionIds(server)).not.toContain(old)
  expect(await sessionIds(server)).toContain(unused)
  expect(await tokenDates(server, unused)).toEqual([tokens[1]])
})

test('AUTH-1 the night of the autumn change, in which a day has 25 hours and a little, stops no clean-up', async () => {
  const time = movableClock()
  await using server = await startServer(time)
  const { id: userId } = await server.person('reader')
  await using _ = workOn(server, taskDefinitions)
  const old = await addSession(server, userId, ago(time, 179 * day))

  await runEvery(server, time, cleanUpSessions, [day, day, day + hour + minute])

  expect(await sessionIds(server)).not.toContain(old)
})

test.each([
  ['put 400 days ahead', [400 * day]],
  ['put 400 days ahead for two runs', [400 * day, hour]],
  ['put ten years back and to the right time again', [-3650 * day, 3650 * day]],
  ['put ahead and back', [400 * day, -400 * day]],
])('P-9 F1 AUTH-1 a clock that is %s removes no session and no task', async (...[, leaps]) => {
  const time = movableClock()
  await using server = await startServer(time)
  await server.person('admin')
  await using _ = workOn(server, taskDefinitions)
  await runEvery(server, time, cleanUpSessions, [day, day, day])
  await runEvery(server, time, cleanUpTasks, [0, day, day])
  const sessions = await sessionIds(server)
  const tasks = async () => (await server.context.db.read.selectFrom('task').select('id').execute()).length
  const before = await tasks()

  for (const leap of leaps) {
    time.pass(leap)
    await runNow(server, cleanUpSessions)
    await runNow(server, cleanUpTasks)
  }

  expect(await sessionIds(server)).toEqual(expect.arrayContaining(sessions))
  expect(await tasks()).toBe(before + 2 * leaps.length)
  const durations = await server.context.db.read.selectFrom('task_figure').select('shortest_ms').execute()
  expect(durations.every(({ shortest_ms }) => shortest_ms >= 0)).toBe(true)
})

test.each([1, 7])(
  'TSK-1 CFG-4 finished tasks and figures go after as many days as the setting says: %i',
  async (days) => {
    const time = movableClock()
    await using server = await startServer(time)
    await using _ = workOn(server, taskDefinitions)
    const admin = await server.person('admin')
    const params = { key: 'metrics.task_retention_days' }
    bodyOf(await admin.call(api.saveSetting, { params, body: { value: days } }))
    const daily = Array.from({ length: days + 8 }, () => day - minute)

    await runEvery(server, time, cleanUpTasks, daily)

    const rows = await server.context.db.read.selectFrom('task').select('completed_at').execute()
    // Clean-ups look back at their last two runs.
    const daysKept = Math.max(days, 3)
    const oldest = rows.map(({ completed_at }) => completed_at ?? '').sort()[0] ?? ''
    expect(oldest > ago(time, (daysKept + 1) * day)).toBe(true)
    expect(rows.length).toBeGreaterThanOrEqual(daysKept)
    const figures = await server.context.db.read.selectFrom('task_figure').select('hour').execute()
    expect(figures.every(({ hour }) => hour > ago(time, (days + 1) * day))).toBe(true)
  },
)

const announceOne = ({ context }: TestServer) =>
  context.db.write((db) => announce(db, [{ event: { type: 'duplicates_updated' }, to: {} }], context.clock()))

const eventDates = async ({ context }: TestServer): Promise<string[]> =>
  (
    await context.db.read
      .selectFrom('event')
      .select('at')
      .where('type', '=', 'duplicates_updated')
      .orderBy('at')
      .execute()
  ).map(({ at }) => at)

const allNumbered = ({ context }: TestServer) =>
  waitUntil('numbers', async () => {
    const rows = await context.db.read.selectFrom('event').select('id').where('number', 'is', null).execute()
    return rows.length === 0
  })

test('W8 EVT-1 events go after a day', async () => {
  const time = movableClock()
  await using server = await startServer(time)
  await using _ = workOn(server, taskDefinitions)
  await announceOne(server)
  await runEvery(server, time, cleanUpEvents, [hour, hour])
  await announceOne(server)
  const [, second] = await eventDates(server)
  await allNumbered(server)

  await runEvery(server, time, cleanUpEvents, [20 * hour])
  expect(await eventDates(server)).toHaveLength(2)
  await runEvery(server, time, cleanUpEvents, [3 * hour])

  expect(await eventDates(server)).toEqual([second])
})

test('W8 P-9 what was told while the clock was ten years back takes no newer event with it', async () => {
  const time = movableClock()
  await using server = await startServer(time)
  await using _ = workOn(server, taskDefinitions)
  await announceOne(server)
  time.pass(-3650 * day)
  await announceOne(server)
  time.pass(3650 * day)
  await announceOne(server)
  await allNumbered(server)

  await runEvery(server, time, cleanUpEvents, [hour, hour, hour])

  expect(await eventDates(server)).toHaveLength(3)
})

test('W8 of events a hundred thousand are kept, whatever the clock says', async () => {
  await using server = await startServer()
  const { db } = server.context
  await using _ = workOn(server, taskDefinitions)
  await allNumbered(server)
  await db.write(async (db) => {
    await db
      .updateTable('event_sequence')
      .set(({ eb }) => ({ last_number: eb('last_number', '+', 100_000) }))
      .execute()
  })
  const before = await countOf(server, 'event')
  await announceOne(server)
  await announceOne(server)
  await allNumbered(server)
  expect(await countOf(server, 'event')).toBe(before + 2)

  await runNow(server, cleanUpEvents)

  const { lowest } = await db.read
    .selectFrom('event')
    .select(({ fn }) => fn.min('number').as('lowest'))
    .executeTakeFirstOrThrow()
  expect(lowest).toBeGreaterThan(100_000)
})
