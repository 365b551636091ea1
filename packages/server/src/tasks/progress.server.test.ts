import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { openStream } from '../../test/event-stream.ts'
import { bodyOf } from '../../test/outcome.ts'
import { waitUntil } from '../../test/smoke/wait-until.ts'
import { type Person, startServer } from '../../test/start-server.ts'
import { enqueueNow, testTask, workOn } from '../../test/work.ts'
import { AppError } from '../platform/errors.ts'

test('TSK-1 C7 whoever may see tasks is told how they go, and nobody else', async () => {
  await using server = await startServer()
  const editor = await server.person('editor')
  const reader = await server.person('reader')
  const open = (person: Person) => openStream(server.url, { authorization: `Bearer ${person.accessToken}` })
  await using theirs = await open(editor)
  await using none = await open(reader)
  await Promise.all([theirs.first('connected'), none.first('connected')])
  const goOn = Promise.withResolvers<void>()
  const task = testTask(async (_, { progress }) => {
    for (let current = 1; current <= 50; current += 1) progress({ current, total: 50, message: `Page ${current}` })
    await goOn.promise
    return undefined
  })
  await using _ = workOn(server, [task])

  const { taskId } = await enqueueNow(server, task)
  await waitUntil('progress', () => theirs.ofType('task_progress').length >= 3)
  const midway = bodyOf(await editor.call(api.readTask, { params: { id: taskId } }))
  goOn.resolve()

  await waitUntil('its end', () => theirs.ofType('task_progress').length >= 4)
  expect(theirs.ofType('task_progress').map(({ data: { status, progress } }) => ({ status, progress }))).toEqual([
    { status: 'pending', progress: { current: 0, total: 0, message: null } },
    { status: 'processing', progress: { current: 0, total: 0, message: null } },
    { status: 'processing', progress: { current: 50, total: 50, message: 'Page 50' } },
    { status: 'completed', progress: { current: 50, total: 50, message: 'Page 50' } },
  ])
  expect(theirs.ofType('task_progress')[0]?.data).toMatchObject({ taskId, taskType: 'test' })
  expect(midway.progress).toEqual({ current: 50, total: 50, message: 'Page 50' })
  expect(none.ofType('task_progress')).toEqual([])
})

test('TSK-1 a task that has ended says how far it came, also when it ended too soon for that to be stored before', async () => {
  await using server = await startServer()
  const admin = await server.person('admin')
  const far = { current: 3, total: 3, message: null }
  const returning = testTask(async (_, { progress }) => {
    progress(far)
    return undefined
  })
  const finishing = testTask(
    async (_, { progress, finish }) => {
      progress(far)
      await finish(async () => undefined)
      return undefined
    },
    { type: 'finishing' },
  )
  const failing = testTask(
    async (_, { progress }) => {
      progress(far)
      throw new AppError('validation_failed', 'It will not be better next time.')
    },
    { type: 'failing' },
  )
  await using _ = workOn(server, [returning, finishing, failing])

  const ends = [
    [returning, 'completed'],
    [finishing, 'completed'],
    [failing, 'failed'],
  ] as const
  for (const [task, status] of ends) {
    const { taskId } = await enqueueNow(server, task)
    const ended = await waitUntil(`task ${status}`, async () => {
      const read = bodyOf(await admin.call(api.readTask, { params: { id: taskId } }))
      return read.status === status ? read : undefined
    })
    expect(ended.progress).toEqual(far)
  }
})
