import { setImmediate as nextTurn } from 'node:timers/promises'
import * as api from '@carrel/api'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { bodyOf, errorOf } from '../../test/outcome.ts'
import { minute, movableClock } from '../../test/movable-clock.ts'
import { waitUntil } from '../../test/smoke/wait-until.ts'
import { type Person, startServer, type TestServer } from '../../test/start-server.ts'
import { enqueueNow, testTask, shortLease, workOn } from '../../test/work.ts'
import { AppError } from '../platform/errors.ts'
import { watchOtherWorkers } from './lease.ts'
import { enqueue } from './queue.ts'
import { thisProcess } from './this-process.ts'

const read = async (person: Person, id: string) => bodyOf(await person.call(api.readTask, { params: { id } }))
const when = (person: Person, id: string, status: api.TaskDto['status']) =>
  waitUntil(`task ${status}`, async () => {
    const task = await read(person, id)
    return task.status === status ? task : undefined
  })

/** Most of the tests share a server, and each begins with nothing to do. */
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
beforeEach(() =>
  server.context.db.write(async (db) => {
    for (const table of ['task', 'worker', 'task_figure'] as const) await db.deleteFrom(table).execute()
  }),
)
afterAll(() => server[Symbol.asyncDispose]())

describe('the queue', () => {
  test('TSK-1 a task that is enqueued is run and kept with what it came to', async () => {
    const admin = await server.person('admin')
    const task = testTask(async ({ name }) => ({ result: { hello: name }, items: 3 }))
    await using _ = workOn(server, [task])

    const { taskId, alreadyRunning } = await enqueueNow(server, task, 'world')

    expect(alreadyRunning).toBe(false)
    expect(await when(admin, taskId, 'completed')).toEqual({
      id: taskId,
      taskType: 'test',
      status: 'completed',
      priority: 100,
      attempts: 1,
      maxAttempts: 3,
      progress: null,
      libraryId: null,
      seriesId: null,
      bookId: null,
      lastError: null,
      lastFailure: null,
      result: { hello: 'world' },
      createdAt: expect.any(String),
      scheduledFor: expect.any(String),
      startedAt: expect.any(String),
      completedAt: expect.any(String),
    })
  })

  test('TSK-1 what is enqueued in a transaction that fails was never there', async () => {
    const admin = await server.person('admin')
    const task = testTask(async () => undefined)
    const { db, clock } = server.context

    const failing = db.write(async (db) => {
      await enqueue(db, task, { name: 'never' }, { now: clock() })
      throw new Error('On second thoughts')
    })

    await expect(failing).rejects.toThrow('On second thoughts')
    expect(bodyOf(await admin.call(api.listTasks, {})).total).toBe(0)
  })

  test('TSK-1 what is put off gives its place to others, and goes on later where it was', async () => {
    const { clock, pass } = movableClock()
    await using server = await startServer({ env: { CARREL_WORKER_CONCURRENCY: '1' }, clock })
    const admin = await server.person('admin')
    const order: string[] = []
    const task = testTask(async ({ name }) => {
      order.push(name)
      if (name !== 'first') return undefined
      return { putOff: { until: new Date(clock().getTime() + 5 * minute), payload: { name: 'first, its rest' } } }
    })
    const { taskId } = await enqueueNow(server, task, 'first')
    const other = await enqueueNow(server, task, 'second')
    await using _ = workOn(server, [task])

    await when(admin, other.taskId, 'completed')
    expect(await read(admin, taskId)).toMatchObject({ status: 'pending', attempts: 0, lastError: null })
    pass(5 * minute)

    expect(await when(admin, taskId, 'completed')).toMatchObject({ attempts: 1 })
    expect(order).toEqual(['first', 'second', 'first, its rest'])
    const [figures] = await server.context.db.read.selectFrom('task_figure').selectAll().execute()
    expect(figures).toMatchObject({ retried: 0 })
  })

  test('TSK-1 the most urgent goes first, then the oldest', async () => {
    await using server = await startServer({ env: { CARREL_WORKER_CONCURRENCY: '1' } })
    const order: string[] = []
    const run = async ({ name }: { name: string }) => {
      order.push(name)
      return undefined
    }
    const usual = testTask(run)
    const urgent = testTask(run, { type: 'urgent', priority: 900 })
    await enqueueNow(server, usual, 'first')
    await enqueueNow(server, usual, 'second')
    await enqueueNow(server, urgent, 'urgent')

    await using _ = workOn(server, [usual, urgent])

    await waitUntil('all three', () => order.length === 3)
    expect(order).toEqual(['urgent', 'first', 'second'])
  })

  test('TSK-1 no task is run twice at once, and none is left, with three workers on one queue', async () => {
    const running = new Map<string, number>()
    const runs = new Map<string, number>()
    let together = 0
    const task = testTask(async ({ name }) => {
      running.set(name, (running.get(name) ?? 0) + 1)
      together = Math.max(together, running.get(name) ?? 0)
      await Promise.resolve()
      runs.set(name, (runs.get(name) ?? 0) + 1)
      running.set(name, (running.get(name) ?? 0) - 1)
      return undefined
    })
    const { db, clock } = server.context
    await db.write(async (db) => {
      for (let count = 0; count < 300; count += 1) await enqueue(db, task, { name: `${count}` }, { now: clock() })
    })

    await using stack = new AsyncDisposableStack()
    for (let count = 0; count < 3; count += 1) stack.use(workOn(server, [task]))

    await waitUntil('all of them', () => runs.size === 300)
    expect(together).toBe(1)
    expect([...runs.values()].every((count) => count === 1)).toBe(true)
  })

  test('TSK-1 what may not start yet waits, and what nobody here can do stays', async () => {
    const admin = await server.person('admin')
    const done: string[] = []
    const task = testTask(async ({ name }) => {
      done.push(name)
      return undefined
    })
    const unknown = testTask(async () => undefined, { type: 'of_a_newer_version', priority: 999 })
    const later = await enqueueNow(server, task, 'later', new Date(Date.now() + 3_600_000))
    const stranger = await enqueueNow(server, unknown)
    await using _ = workOn(server, [task])

    await enqueueNow(server, task, 'now')

    await waitUntil('the one that is due', () => done.length > 0)
    expect(done).toEqual(['now'])
    expect((await read(admin, later.taskId)).status).toBe('pending')
    expect((await read(admin, stranger.taskId)).status).toBe('pending')
  })
})

describe('a task that fails', () => {
  test('TSK-1 is tried again, and then fails with its reason', async () => {
    const admin = await server.person('admin')
    let tries = 0
    const task = testTask(async () => {
      tries += 1
      throw new Error(`No luck with try ${tries}`)
    })
    await using _ = workOn(server, [task])

    const { taskId } = await enqueueNow(server, task)

    expect(await when(admin, taskId, 'failed')).toMatchObject({
      attempts: 3,
      lastError: 'No luck with try 3',
      lastFailure: { code: 'fault' },
    })
    expect(tries).toBe(3)
  })

  test('TSK-1 may succeed the second time', async () => {
    const admin = await server.person('admin')
    let tries = 0
    const task = testTask(async () => {
      tries += 1
      if (tries === 1) throw new AppError('unavailable', 'Not now.')
      return { result: 'fine' }
    })
    await using _ = workOn(server, [task])

    const { taskId } = await enqueueNow(server, task)

    expect(await when(admin, taskId, 'completed')).toMatchObject({ attempts: 2, result: 'fine' })
  })

  test.each([
    [
      'what the caller could have known',
      () => {
        throw new AppError('not_found', 'There is no such book.')
      },
      'There is no such book.',
    ],
    [
      'no error at all',
      () => {
        throw 'just text'
      },
      undefined,
    ],
    [
      'a message without end',
      () => {
        throw new AppError('conflict', 'x'.repeat(100_000))
      },
      'x'.repeat(3999) + '…',
    ],
  ])('TSK-1 is clear about it when it throws %s', async (_title, run, message) => {
    const admin = await server.person('admin')
    const task = testTask(async () => run(), { attemptsMax: 1 })
    await using _ = workOn(server, [task])

    const { taskId } = await enqueueNow(server, task)

    expect((await when(admin, taskId, 'failed')).lastError).toBe(message ?? 'just text')
  })

  test('TSK-1 counts as failed when it takes too long, and one that never stops is told of', async () => {
    await using server = await startServer()
    const admin = await server.person('admin')
    const task = testTask(async () => new Promise<never>(() => undefined), { endsWithinMs: 50, attemptsMax: 1 })
    const stuck = Promise.withResolvers<void>()
    await using _ = workOn(server, [task], { onStuck: () => stuck.resolve() })

    const { taskId } = await enqueueNow(server, task)

    expect(await when(admin, taskId, 'failed')).toMatchObject({
      lastError: 'It took longer than 0.05 seconds.',
      lastFailure: { code: 'too_slow' },
    })
    await stuck.promise
    server.forgive('A task does not stop; its process will be replaced')
  })

  test('TSK-1 a run that took too long and the next of the same task do not take each other for one', async () => {
    const admin = await server.person('admin')
    const firstMayEnd = Promise.withResolvers<void>()
    const secondBegan = Promise.withResolvers<void>()
    const toldToStop = Promise.withResolvers<unknown>()
    let runs = 0
    const task = testTask(
      async (_, { signal }) => {
        runs += 1
        if (runs === 1) await firstMayEnd.promise
        else {
          secondBegan.resolve()
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
          toldToStop.resolve(signal.reason)
        }
        return undefined
      },
      { endsWithinMs: 3000 },
    )
    const other = testTask(async () => undefined, { type: 'other' })
    await using _ = workOn(server, [task, other])
    const { taskId } = await enqueueNow(server, task)
    await secondBegan.promise
    firstMayEnd.resolve()
    // When another task is done, what the end of the first has caused is done too.
    await when(admin, (await enqueueNow(server, other)).taskId, 'completed')

    await admin.call(api.cancelTask, { params: { id: taskId } })

    expect(await toldToStop.promise).toMatchObject({ message: 'The task was told to stop: cancelled' })
    expect(runs).toBe(2)
    expect((await read(admin, taskId)).status).toBe('cancelled')
  })

  test('TSK-1 a payload of another version is refused before anything is done with it', async () => {
    const admin = await server.person('admin')
    let ran = false
    const task = testTask(async () => {
      ran = true
      return undefined
    })
    const { taskId } = await enqueueNow(server, task)
    await server.context.db.write(async (db) => {
      await db.updateTable('task').set({ payload: '{"name":7}' }).execute()
    })

    await using _ = workOn(server, [task])

    expect((await when(admin, taskId, 'failed')).attempts).toBe(1)
    expect(ran).toBe(false)
  })

  test('TSK-1 C16 retry runs it again from the start; only what failed or was cancelled can be', async () => {
    const admin = await server.person('admin')
    let isBroken = true
    const task = testTask(
      async () => {
        if (isBroken) throw new AppError('conflict', 'Broken.')
        return undefined
      },
      { key: ({ name }) => name },
    )
    await using _ = workOn(server, [task])
    const { taskId } = await enqueueNow(server, task)
    await when(admin, taskId, 'failed')
    isBroken = false

    const retried = bodyOf(await admin.call(api.retryTask, { params: { id: taskId } }))

    expect(retried).toMatchObject({ id: taskId, lastError: null, completedAt: null })
    expect(await when(admin, taskId, 'completed')).toMatchObject({ attempts: 1 })
    expect(errorOf(await admin.call(api.retryTask, { params: { id: taskId } })).error).toBe('conflict')
  })
})

describe('cancelling', () => {
  test('TSK-1 C16 a waiting task is cancelled and never runs', async () => {
    const admin = await server.person('admin')
    let ran = false
    const task = testTask(async () => {
      ran = true
      return undefined
    })
    const { taskId } = await enqueueNow(server, task)

    const cancelled = bodyOf(await admin.call(api.cancelTask, { params: { id: taskId } }))
    await using _ = workOn(server, [task])
    const { taskId: next } = await enqueueNow(
      server,
      testTask(async () => undefined, { type: 'test' }),
    )
    await when(admin, next, 'completed')

    expect(cancelled.status).toBe('cancelled')
    expect((await read(admin, taskId)).status).toBe('cancelled')
    expect(ran).toBe(true)
    expect(errorOf(await admin.call(api.cancelTask, { params: { id: taskId } })).error).toBe('conflict')
  })

  test('TSK-1 C16 a running task is told to stop, can write no more, and its key waits until it has let go', async () => {
    const admin = await server.person('admin')
    const started = Promise.withResolvers<void>()
    const toldToStop = Promise.withResolvers<void>()
    const letGo = Promise.withResolvers<void>()
    const runs: string[] = []
    let lateWrite: unknown
    const task = testTask(
      async ({ name }, { signal, write }) => {
        runs.push(name)
        if (runs.length > 1) return undefined
        signal.addEventListener('abort', () => toldToStop.resolve())
        started.resolve()
        await letGo.promise
        lateWrite = await write(async () => 'written').catch((error: unknown) => error)
        return { result: 'late' }
      },
      { key: () => 'the only one' },
    )
    await using _ = workOn(server, [task])
    const { taskId } = await enqueueNow(server, task)
    await started.promise

    const cancelled = bodyOf(await admin.call(api.cancelTask, { params: { id: taskId } }))
    const next = await enqueueNow(server, task)
    await toldToStop.promise
    const meanwhile = await read(admin, next.taskId)
    letGo.resolve()

    await when(admin, next.taskId, 'completed')
    expect(cancelled.status).toBe('cancelled')
    expect(next.alreadyRunning).toBe(false)
    expect(meanwhile.status).toBe('pending')
    expect(lateWrite).toMatchObject({ name: 'LostRun' })
    expect(await read(admin, taskId)).toMatchObject({ status: 'cancelled', result: null })
  })
})

describe('leases', () => {
  /** The worker then behaves as if its process had stopped: it keeps its tasks and sends no heartbeat. */
  const silence = async ({ context }: TestServer, then: string): Promise<void> => {
    await context.db.write(async (db) => {
      await db.updateTable('worker').set({ id: then }).execute()
      await db.updateTable('task').set({ worker_id: then }).where('status', '=', 'processing').execute()
    })
  }

  test('TSK-1 P-11 a worker without a sign of life loses its tasks: they run again once, and it can write no more', async () => {
    const admin = await server.person('admin')
    const started = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const lateWrite = Promise.withResolvers<unknown>()
    let runs = 0
    const task = testTask(async (_, { write, finish }) => {
      runs += 1
      if (runs > 1) {
        await finish(async () => ({ result: 'second' }))
        return undefined
      }
      started.resolve()
      await goOn.promise
      lateWrite.resolve(await write(async () => 'written').catch((error: unknown) => error))
      return { result: 'first' }
    })
    await using stack = new AsyncDisposableStack()
    stack.use(workOn(server, [task]))
    const { taskId } = await enqueueNow(server, task)
    await started.promise

    await silence(server, 'somebody silent')
    stack.use(workOn(server, [task], { timing: shortLease }))
    await when(admin, taskId, 'completed')
    goOn.resolve()

    expect(await lateWrite.promise).toMatchObject({ name: 'LostRun' })
    expect(await read(admin, taskId)).toMatchObject({ status: 'completed', result: 'second', attempts: 1 })
    expect(runs).toBe(2)
  })

  test('TSK-1 P-12 time in which the database does not answer does not count against a worker', async () => {
    const { db, clock } = server.context
    const elsewhere = {
      id: 'far away',
      host: 'another machine',
      pid: 1,
      process: '1',
      started_at: '',
      heartbeat_at: '',
    }
    const task = testTask(async () => undefined)
    const { taskId } = await enqueueNow(server, task)
    await db.write(async (db) => {
      await db
        .insertInto('worker')
        .values({ ...elsewhere, heartbeat: 7 })
        .execute()
      await db.updateTable('task').set({ status: 'processing', worker_id: elsewhere.id }).execute()
    })
    const holder = async () =>
      (await db.read.selectFrom('task').select('worker_id').where('id', '=', taskId).executeTakeFirstOrThrow())
        .worker_id
    // Only the clock that measures durations is replaced: it stands still except for what the test lets pass.
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const watch = watchOtherWorkers({
        db,
        clock,
        definitionOf: new Map(),
        ownId: () => 'me',
        here: thisProcess(),
        leaseMs: 15_000,
        everyMs: 5000,
      })
      await watch()
      vi.advanceTimersByTime(5000)
      await watch()
      // The database is away for the rest of the lease, and the other has not come to its sign of life yet.
      vi.advanceTimersByTime(12_000)
      await watch()
      expect(await holder()).toBe('far away')

      vi.advanceTimersByTime(5000)
      await watch()

      expect(await holder()).toBeNull()
    } finally {
      vi.useRealTimers()
    }
  })

  test('TSK-1 P-20 what a worker is about to take when it is told to stop is not begun', async () => {
    let begun = 0
    let told = 0
    const task = testTask(async (_, { signal }) => {
      begun += 1
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      told += 1
      throw new Error('told to stop')
    })

    // The worker may be at any point of its transaction.
    for (let turns = 0; turns < 60; turns += 2) {
      const work = workOn(server, [task])
      await enqueueNow(server, task)
      for (let turn = 0; turn < turns; turn += 1) await nextTurn()
      await work.stop()
      expect(begun).toBe(told)
    }
    const { db } = server.context
    const left = await db.read.selectFrom('task').select('status').where('worker_id', 'is not', null).execute()
    expect(left).toEqual([])
  })

  test('TSK-1 a task that kills its worker again and again fails in the end', async () => {
    const admin = await server.person('admin')
    const task = testTask(async () => undefined)
    const { taskId } = await enqueueNow(server, task)
    const { db } = server.context
    await db.write(async (db) => {
      await db.updateTable('task').set({ status: 'processing', worker_id: 'dead', interruptions: 10 }).execute()
    })

    await using _ = workOn(server, [task])

    expect(await when(admin, taskId, 'failed')).toMatchObject({
      lastError: 'Its worker died while it ran, 11 times.',
      lastFailure: { code: 'worker_died' },
    })
  })

  test('TSK-1 P-20 a worker that stops hands back what it cannot finish, as if it had not begun', async () => {
    const admin = await server.person('admin')
    const started = Promise.withResolvers<void>()
    const task = testTask(async (_, { signal }) => {
      started.resolve()
      await new Promise((__, reject) => signal.addEventListener('abort', () => reject(new Error('told to stop'))))
      return undefined
    })
    const work = workOn(server, [task])
    const { taskId } = await enqueueNow(server, task)
    await started.promise

    await work.stop()

    expect(await read(admin, taskId)).toMatchObject({
      status: 'pending',
      attempts: 0,
      lastError: null,
      startedAt: null,
    })
    expect(await server.context.db.read.selectFrom('worker').selectAll().execute()).toEqual([])
  })
})

test('TSK-1 D1 what a task does with its end happens once, and the figures count it once', async () => {
  await using server = await startServer()
  const admin = await server.person('admin')
  const task = testTask(async (_, { finish }) => {
    await finish(async () => ({ result: 'done', items: 5 }))
    throw new Error('After the end nothing matters')
  })
  await using _ = workOn(server, [task])

  const { taskId } = await enqueueNow(server, task)

  expect(await when(admin, taskId, 'completed')).toMatchObject({ result: 'done', attempts: 1 })
  const { summary, byType } = bodyOf(await admin.call(api.readTaskMetrics, {}))
  expect(summary).toMatchObject({ totalExecuted: 1, totalSucceeded: 1, totalFailed: 0 })
  expect(byType).toMatchObject([{ taskType: 'test', executed: 1, itemsProcessed: 5 }])
})
