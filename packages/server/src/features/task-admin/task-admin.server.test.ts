import * as api from '@carrel/api'
import { describe, expect, test } from 'vitest'
import { movableClock } from '../../../test/movable-clock.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { waitUntil } from '../../../test/smoke/wait-until.ts'
import { type Person, startServer } from '../../../test/start-server.ts'
import { enqueueNow, testTask, workOn } from '../../../test/work.ts'
import { enqueue } from '../../tasks/queue.ts'
import { markRestart } from '../../tasks/queries.ts'
import { newId } from '../../platform/ids.ts'
import { taskDefinitions } from '../../work.ts'

const metrics = async (person: Person) => bodyOf(await person.call(api.readTaskMetrics, {}))
const executed = (person: Person, count: number) =>
  waitUntil(`${count} executed tasks`, async () => {
    const read = await metrics(person)
    // The second read comes a moment after the first: both hold the task, or neither is taken.
    const byType = read.byType.reduce((sum, type) => sum + type.executed, 0)
    return read.summary.totalExecuted === count && byType >= count ? read : undefined
  })

test('C16 before anything has run the figures are zeros', async () => {
  await using server = await startServer()
  const editor = await server.person('editor')

  expect(await metrics(editor)).toEqual({
    byType: [],
    queue: { pendingCount: 0, processingCount: 0, staleCount: 0, oldestPendingAgeMs: null },
    retention: '30',
    summary: {
      avgDurationMs: 0,
      avgQueueWaitMs: 0,
      tasksPerMinute: 0,
      totalExecuted: 0,
      totalSucceeded: 0,
      totalFailed: 0,
    },
    updatedAt: expect.any(String),
  })
})

test('C16 executed is succeeded and failed together, retried counts tries, and all types add up', async () => {
  await using server = await startServer()
  const admin = await server.person('admin')
  const fine = testTask(async () => ({ items: 7, bytes: 1000 }), { type: 'fine' })
  const broken = testTask(
    async () => {
      throw new Error('It is broken')
    },
    { type: 'broken' },
  )
  await using _ = workOn(server, [fine, broken])
  for (let count = 0; count < 5; count += 1) await enqueueNow(server, fine)
  await enqueueNow(server, broken)

  const { byType, summary } = await executed(admin, 6)

  expect(summary).toMatchObject({ totalSucceeded: 5, totalFailed: 1, tasksPerMinute: 1.2 })
  expect(byType.map(({ taskType }) => taskType)).toEqual(['broken', 'fine'])
  const [ofBroken, ofFine] = byType
  expect(ofFine).toMatchObject({
    executed: 5,
    succeeded: 5,
    failed: 0,
    retried: 0,
    itemsProcessed: 35,
    bytesProcessed: 5000,
    errorRatePct: 0,
    lastError: null,
    lastErrorAt: null,
  })
  expect(ofBroken).toMatchObject({
    executed: 1,
    succeeded: 0,
    failed: 1,
    retried: 2,
    errorRatePct: 100,
    lastError: 'It is broken',
    lastErrorAt: expect.any(String),
  })
  for (const type of byType) {
    expect(type.minDurationMs).toBeLessThanOrEqual(type.maxDurationMs)
    expect(type.p50DurationMs).toBeLessThanOrEqual(type.p95DurationMs)
  }
})

test('C16 totals count from the newest start of any node, figures by type go on', async () => {
  await using server = await startServer()
  const admin = await server.person('admin')
  const task = testTask(async () => undefined)
  await using _ = workOn(server, [task])
  await enqueueNow(server, task)
  await executed(admin, 1)

  await server.context.db.write(markRestart)
  await enqueueNow(server, task)
  await executed(admin, 1)

  expect((await metrics(admin)).byType).toMatchObject([{ taskType: 'test', executed: 2 }])
})

test('C16 percentiles come from what was stored of the last day, right to within a tenth', async () => {
  await using server = await startServer()
  const admin = await server.person('admin')
  const { bucketOf } = await import('../../tasks/durations.ts')
  const hour = `${new Date().toISOString().slice(0, 13)}:00:00.000Z`
  const figures = { hour, type: 'read', succeeded: 100, failed: 0, retried: 0, items: 0, bytes: 0 }
  await server.context.db.write(async (db) => {
    const times = { duration_ms: 5050, wait_ms: 0, shortest_ms: 10, longest_ms: 1000 }
    await db
      .insertInto('task_figure')
      .values({ ...figures, ...times })
      .execute()
    const counts = Map.groupBy(
      Array.from({ length: 100 }, (_, index) => bucketOf(10 * (index + 1))),
      (bucket) => bucket,
    )
    const rows = [...counts].map(([bucket, all]) => ({ hour, type: 'read', bucket, count: all.length }))
    await db.insertInto('task_duration').values(rows).execute()
  })

  const [read] = (await metrics(admin)).byType

  expect(read?.p50DurationMs).toBeGreaterThanOrEqual(500)
  expect(read?.p50DurationMs).toBeLessThanOrEqual(550)
  expect(read?.p95DurationMs).toBeGreaterThanOrEqual(950)
  expect(read?.p95DurationMs).toBeLessThanOrEqual(1045)
})

test('C16 the queue says what waits and for how long, what runs, and what is stuck', async () => {
  const { clock, pass } = movableClock()
  await using server = await startServer({ clock })
  const admin = await server.person('admin')
  const task = testTask(async () => undefined)
  await enqueueNow(server, task, 'waits')
  pass(5000)
  const { taskId } = await enqueueNow(server, task, 'stuck')
  await server.context.db.write(async (db) => {
    await db.updateTable('task').set({ status: 'processing', worker_id: newId() }).where('id', '=', taskId).execute()
  })

  const { queue } = await metrics(admin)
  const stats = bodyOf(await admin.call(api.readTaskStats, {}))

  expect(queue).toEqual({ pendingCount: 1, processingCount: 1, staleCount: 1, oldestPendingAgeMs: 5000 })
  const counts = { pending: 1, processing: 1, completed: 0, failed: 0, stale: 1, total: 2 }
  expect(stats).toEqual({ ...counts, byType: { test: counts } })
})

test('C16 the history goes by hour or by day, in UTC and ascending', async () => {
  const { clock } = movableClock('2026-11-20T12:00:00.000Z')
  await using server = await startServer({ clock })
  const admin = await server.person('admin')
  const hours = ['2026-11-19T23', '2026-11-20T00', '2026-11-20T05']
  await server.context.db.write(async (db) => {
    const one = { succeeded: 2, failed: 1, retried: 0, items: 4, bytes: 8, duration_ms: 30, wait_ms: 3 }
    const rows = hours.map((hour, index) => ({
      hour: `${hour}:00:00.000Z`,
      type: 'read',
      ...one,
      shortest_ms: 5 + index,
      longest_ms: 20 + index,
    }))
    await db.insertInto('task_figure').values(rows).execute()
  })
  const history = async (query: { granularity?: 'hour' | 'day'; taskType?: string; days?: number }) =>
    bodyOf(await admin.call(api.readTaskMetricsHistory, { query }))

  const byHour = await history({})
  const byDay = await history({ granularity: 'day', taskType: 'read' })

  expect(byHour.points.map(({ periodStart }) => periodStart)).toEqual(hours.map((hour) => `${hour}:00:00.000Z`))
  expect(byHour).toMatchObject({
    granularity: 'hour',
    from: '2026-11-13T12:00:00.000Z',
    to: '2026-11-20T12:00:00.000Z',
  })
  const periodStart = '2026-11-20T00:00:00.000Z'
  expect(byDay.points.at(-1)).toEqual({
    periodStart,
    taskType: 'read',
    count: 6,
    succeeded: 4,
    failed: 2,
    itemsProcessed: 8,
    bytesProcessed: 16,
    avgDurationMs: 10,
    minDurationMs: 6,
    maxDurationMs: 22,
  })
  expect((await history({ taskType: 'nothing' })).points).toEqual([])
  expect((await history({ days: 1 })).points).toHaveLength(3)
})

describe('the list', () => {
  test('C16 is filtered by status, type and library, the newest first', async () => {
    await using server = await startServer()
    const admin = await server.person('admin')
    const library = newId()
    const plain = testTask(async () => undefined)
    const scan = testTask(async () => undefined, { type: 'scan', subject: () => ({ libraryId: library }) })
    const ids: string[] = []
    for (const task of [plain, scan, plain]) ids.push((await enqueueNow(server, task)).taskId)
    await admin.call(api.cancelTask, { params: { id: ids[2] ?? '' } })
    const list = async (query: Parameters<typeof admin.call<{ query?: object }, unknown, unknown>>[1]['query']) =>
      bodyOf(await admin.call(api.listTasks, { query: query as object })).data.map(({ id }) => id)

    expect(await list({})).toEqual(ids.toReversed())
    expect(await list({ status: 'cancelled' })).toEqual([ids[2]])
    expect(await list({ taskType: 'test' })).toEqual([ids[2], ids[0]])
    expect(await list({ libraryId: library })).toEqual([ids[1]])
    expect(await list({ libraryId: newId() })).toEqual([])
  })
})

test('C16 what runs by schedule can be started by hand, once at a time, and nothing else', async () => {
  await using server = await startServer()
  const editor = await server.person('editor')
  const start = (taskType: string) => editor.call(api.startTask, { body: { taskType } })

  const first = bodyOf(await start('cleanup_sessions'))
  const again = bodyOf(await start('cleanup_sessions'))
  const unknown = errorOf(await start('scan_everything'))
  await using _ = workOn(server, taskDefinitions)

  expect(first.alreadyRunning).toBe(false)
  expect(again).toEqual({ taskId: first.taskId, alreadyRunning: true })
  expect(unknown).toMatchObject({ error: 'validation_failed', details: [{ path: '/taskType' }] })
  const { result } = await waitUntil('the end of it', async () => {
    const task = bodyOf(await editor.call(api.readTask, { params: { id: first.taskId } }))
    return task.status === 'completed' ? task : undefined
  })
  expect(result).toEqual({ sessions: 0, refreshTokens: 0 })
})

test('HTTP-8 the figures for Prometheus count tasks and streams', async () => {
  await using server = await startServer({ env: { CARREL_METRICS_ENABLED: 'true' } })
  const admin = await server.person('admin')
  const task = testTask(async () => undefined)
  const { db, clock } = server.context
  await db.write(async (db) => {
    for (let count = 0; count < 3; count += 1) await enqueue(db, task, { name: 'waits' }, { now: clock() })
  })

  const text = bodyOf(await admin.call(api.readMetrics, {}))

  expect(text).toContain('carrel_tasks{state="pending"} 3')
  expect(text).toContain('carrel_tasks_ended{outcome="succeeded"} 0')
  expect(text).toContain('carrel_event_streams 0')
})
