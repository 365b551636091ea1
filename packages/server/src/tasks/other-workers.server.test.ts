import { expect, test } from 'vitest'
import { waitUntil } from '../../test/smoke/wait-until.ts'
import { startServer, type TestServer } from '../../test/start-server.ts'
import { enqueueNow, testTask, workOn } from '../../test/work.ts'
import { enqueue } from './queue.ts'

const countOf = async ({ context: { db } }: TestServer, status: 'completed' | 'failed'): Promise<number> =>
  (await db.read.selectFrom('task').select('id').where('status', '=', status).execute()).length

test('TSK-1 what a worker claimed ahead is done by another one when its own tasks take long', async () => {
  await using server = await startServer({ env: { CARREL_WORKER_CONCURRENCY: '1' } })
  const { db, clock } = server.context
  const began = Promise.withResolvers<undefined>()
  const end = Promise.withResolvers<undefined>()
  const task = testTask(async ({ name }) => {
    if (name !== 'long') return undefined
    began.resolve(undefined)
    await end.promise
    return undefined
  })
  await using _ = workOn(server, [task])
  const short = Array.from({ length: 30 }, (_, number) => `${number}`)
  const enqueueAll = (names: readonly string[]) =>
    db.write(async (db) => {
      for (const name of names) await enqueue(db, task, { name }, { now: clock() })
    })
  await enqueueAll(short)
  await waitUntil('an idea how long such tasks take', async () => (await countOf(server, 'completed')) === short.length)

  await enqueueAll(['long', '1', '2', '3'])
  await began.promise
  await using other = workOn(server, [task])
  await waitUntil('the rest', async () => (await countOf(server, 'completed')) === short.length + 3)
  end.resolve(undefined)
  await other.stop()
  await waitUntil('all', async () => (await countOf(server, 'completed')) === short.length + 4)
  expect(await countOf(server, 'failed')).toBe(0)
})

test('TSK-1 a task whose workers died too often is counted, and whoever waits for it is told', async () => {
  await using server = await startServer()
  const { db } = server.context
  const task = testTask(async () => undefined, {
    whenFailed: () => ({ event: { type: 'recommendations_updated' }, to: { permission: 'tasks:read' } }),
  })
  const { taskId } = await enqueueNow(server, task)
  await db.write(async (db) => {
    const dead = { status: 'processing', worker_id: 'dead', interruptions: 10 } as const
    await db.updateTable('task').set(dead).where('id', '=', taskId).execute()
  })
  await using _ = workOn(server, [task])
  await waitUntil('its end', async () => (await countOf(server, 'failed')) === 1)

  const figures = await db.read.selectFrom('task_figure').select(['type', 'failed', 'succeeded']).execute()
  expect(figures).toEqual([{ type: 'test', failed: 1, succeeded: 0 }])
  const events = await db.read.selectFrom('event').select('type').execute()
  expect(events.map(({ type }) => type)).toContain('recommendations_updated')
})
