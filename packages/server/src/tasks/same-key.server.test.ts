import { setImmediate as nextTurn } from 'node:timers/promises'
import * as api from '@carrel/api'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { minute, movableClock } from '../../test/movable-clock.ts'
import { bodyOf } from '../../test/outcome.ts'
import { waitUntil } from '../../test/smoke/wait-until.ts'
import { type Person, startServer, type TestServer } from '../../test/start-server.ts'
import { enqueueNow, testTask, workOn } from '../../test/work.ts'
import { enqueue } from './queue.ts'

const read = async (person: Person, id: string) => bodyOf(await person.call(api.readTask, { params: { id } }))
const completed = (person: Person, id: string) =>
  waitUntil('its end', async () => {
    const task = await read(person, id)
    return task.status === 'completed' ? task : undefined
  })

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
beforeEach(() =>
  server.context.db.write(async (db) => {
    for (const table of ['task', 'worker'] as const) await db.deleteFrom(table).execute()
  }),
)
afterAll(() => server[Symbol.asyncDispose]())

test('TSK-1 there is one live task a key, however many ask for it at once', async () => {
  const task = testTask(async () => undefined, { key: ({ name }) => name })

  const enqueued = await Promise.all(Array.from({ length: 30 }, () => enqueueNow(server, task, 'one key')))
  const other = await enqueueNow(server, task, 'another key')

  expect(new Set(enqueued.map(({ taskId }) => taskId)).size).toBe(1)
  expect(enqueued.filter(({ alreadyRunning }) => !alreadyRunning)).toHaveLength(1)
  expect(other.alreadyRunning).toBe(false)
})

test('TSK-1 a task that is tried again while the same is enqueued gives way, or is what is meant', async () => {
  const admin = await server.person('admin')
  const task = testTask(async () => undefined, { key: ({ name }) => name })
  for (let round = 0; round < 40; round += 1) {
    const name = `key ${round}`
    const { taskId } = await enqueueNow(server, task, name)
    expect((await admin.call(api.cancelTask, { params: { id: taskId } })).ok).toBe(true)

    const retry = () => admin.call(api.retryTask, { params: { id: taskId } })
    const [retried, enqueued] = await Promise.all([retry(), enqueueNow(server, task, name)])

    expect([retried.status, enqueued.taskId === taskId]).toEqual(retried.ok ? [retried.status, true] : [409, false])
  }
})

test('G1 TSK-1 what is asked of a task while it runs is done after it, once', async () => {
  const admin = await server.person('admin')
  const inside = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  let runs = 0
  const task = testTask(
    async () => {
      runs += 1
      inside.resolve()
      await goOn.promise
      return { result: { runs } }
    },
    { key: ({ name }) => name, runsAgain: true },
  )
  await using _ = workOn(server, [task])
  const first = await enqueueNow(server, task)
  await inside.promise

  const others = await Promise.all(Array.from({ length: 5 }, () => enqueueNow(server, task)))
  expect(new Set(others.map(({ taskId, alreadyRunning }) => `${taskId} ${alreadyRunning}`)).size).toBe(1)
  const [second] = others
  expect(second).toMatchObject({ alreadyRunning: true })
  expect(second?.taskId).not.toBe(first.taskId)
  expect((await read(admin, second?.taskId ?? '')).status).toBe('pending')
  goOn.resolve()

  expect(await completed(admin, second?.taskId ?? '')).toMatchObject({ result: { runs: 2 } })
  expect((await read(admin, first.taskId)).status).toBe('completed')
  expect(runs).toBe(2)
})

test('G1 TSK-1 whatever is left to a task while it waits, runs or ends is seen by one of its runs, and no two run at once', async () => {
  const { db, clock } = server.context
  const name = 'left to a task'
  const row = { user_id: (await server.person('reader')).id, updated_at: '' }
  let seen = 0
  let running = 0
  let together = 0
  const task = testTask(
    async (_, { db, write }) => {
      together = Math.max(together, (running += 1))
      const { count } = await db.read
        .selectFrom('user_preference')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('user_id', '=', row.user_id)
        .executeTakeFirstOrThrow()
      await write(async () => undefined)
      seen = count
      running -= 1
      return undefined
    },
    { key: ({ name }) => name, runsAgain: true },
  )
  await using stack = new AsyncDisposableStack()
  for (let count = 0; count < 3; count += 1) stack.use(workOn(server, [task]))
  const leaveMany = async (person: number): Promise<void> => {
    for (let count = 0; count < 40; count += 1)
      await db.write(async (db) => {
        const key = `left.${person}.${count}`
        await db
          .insertInto('user_preference')
          .values({ ...row, key, value: '1' })
          .execute()
        await enqueue(db, task, { name }, { now: clock() })
        await nextTurn()
      })
  }

  await Promise.all([0, 1, 2, 3].map(leaveMany))

  await waitUntil('the last of them', () => seen === 160 && running === 0)
  expect(together).toBe(1)
})

test('G1 TSK-1 what waits behind a task waits until that has come to its end, also when it is tried again later', async () => {
  const { clock, pass } = movableClock()
  await using server = await startServer({ clock })
  const admin = await server.person('admin')
  const inside = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const order: string[] = []
  const task = testTask(
    async ({ name }) => {
      order.push(name)
      inside.resolve()
      await goOn.promise
      if (order.length === 1) throw new Error('Again')
      return undefined
    },
    { key: () => 'the same', runsAgain: true, backOffMs: () => 5 * minute },
  )
  await using _ = workOn(server, [task])
  const first = await enqueueNow(server, task, 'first')
  await inside.promise
  const second = await enqueueNow(server, task, 'second')
  goOn.resolve()
  await waitUntil('its failure', async () => (await read(admin, first.taskId)).lastError !== null)
  pass(5 * minute)

  await completed(admin, second.taskId)
  expect(order).toEqual(['first', 'first', 'second'])
})
