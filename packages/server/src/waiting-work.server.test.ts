import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { bodyOf } from '../test/outcome.ts'
import { startServer } from '../test/start-server.ts'
import { enqueueNow, testTask, workOn } from '../test/work.ts'
import { askPlugin } from './features/plugins/running/calls.ts'
import { lookForWaitingWork } from './waiting-work.ts'

const second = 1000

test('TSK-2 work waits when a task is due, or will be soon, and while anybody holds one', async () => {
  let now = Date.parse('2026-11-30T10:00:00.000Z')
  await using server = await startServer({ clock: () => new Date(now) })
  const isWorkWaiting = lookForWaitingWork(server.context)
  expect(await isWorkWaiting()).toBe(false)

  const task = testTask(async () => undefined)
  await enqueueNow(server, task, 'later', new Date(now + 60 * second))
  expect([await isWorkWaiting(), await isWorkWaiting(59 * second), await isWorkWaiting(60 * second)]).toEqual([
    false,
    false,
    true,
  ])
  now += 60 * second
  expect(await isWorkWaiting()).toBe(true)

  const begun = Promise.withResolvers<void>()
  const mayEnd = Promise.withResolvers<void>()
  const held = testTask(async () => {
    begun.resolve()
    await mayEnd.promise
    return undefined
  })
  const work = workOn(server, [held])
  await begun.promise
  expect({ isWaiting: await isWorkWaiting(), isIdle: work.isIdle() }).toEqual({ isWaiting: true, isIdle: false })
  mayEnd.resolve()
  await work.stop()
  expect({ isWaiting: await isWorkWaiting(), isIdle: work.isIdle() }).toEqual({ isWaiting: false, isIdle: true })

  await enqueueNow(server, task, 'at once')
  expect(await isWorkWaiting()).toBe(true)
})

test('TSK-2 PLG-1 work waits while somebody waits for the answer of a plugin', async () => {
  await using server = await startServer()
  const admin = await server.person('admin')
  const { config, db } = server.context
  await mkdir(join(config.dataDir, 'plugins'), { recursive: true })
  await writeFile(join(config.dataDir, 'plugins', 'one.mjs'), '')
  const body = { name: 'one', displayName: 'One', command: 'node', args: ['one.mjs'] }
  const { plugin } = bodyOf(await admin.call(api.createPlugin, { body }))
  const isWorkWaiting = lookForWaitingWork(server.context)
  expect(await isWorkWaiting()).toBe(false)

  const deadlineMs = 10 * second
  const asking = askPlugin(server.context, { pluginId: plugin.id, method: 'check', deadlineMs })

  await expect.poll(() => isWorkWaiting()).toBe(true)
  await db.write((db) => db.updateTable('plugin_call').set({ state: 'ended', result: '{}' }).execute())
  expect(await asking).toEqual({})
  expect(await isWorkWaiting()).toBe(false)
})
