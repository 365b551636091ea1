import { mkdir, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../test/content.ts'
import { minute, movableClock } from '../../../test/movable-clock.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { waitUntil } from '../../../test/smoke/wait-until.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { workOn } from '../../../test/work.ts'
import { startTriggers } from '../../triggers.ts'
import { createLog } from '../../platform/log.ts'
import { verify } from './backups.ts'
import { backUp } from './tasks.ts'

const copyOfMigration = 'before-migration-from-3-2026-01-02T03-04-05-678Z.db'
const { clock, pass } = movableClock()
let server: TestServer
let admin: Person
let folder = ''
beforeAll(async () => {
  server = await startServer({ clock })
  admin = await server.person('admin')
  folder = join(server.context.config.dataDir, 'backups')
  const { db } = server.context
  await addBooks(db, await addSeries(db, await addLibrary(db)), [{}, {}])
})
afterAll(() => server[Symbol.asyncDispose]())

const ended = async (taskId: string): Promise<api.TaskDto> =>
  waitUntil('the end of the task', async () => {
    const task = bodyOf(await admin.call(api.readTask, { params: { id: taskId } }))
    return task.status === 'completed' || task.lastError !== null ? task : undefined
  })

const listed = async (): Promise<readonly api.BackupDto[]> => bodyOf(await admin.call(api.listBackups, {})).data

const set = (key: string, value: unknown) =>
  admin.call(api.saveSetting, { params: { key }, body: { value } }).then(bodyOf)

test('CFG-6 C6 an administrator has backups made, fetches one and removes it; the oldest go when there are enough', async () => {
  await using _ = workOn(server, [backUp])
  await set('backup.keep', 1)
  const { taskId, alreadyRunning } = bodyOf(await admin.call(api.startBackup, {}))
  expect(alreadyRunning).toBe(false)
  expect(bodyOf(await admin.call(api.startBackup, {}))).toEqual({ taskId, alreadyRunning: true })
  expect(await ended(taskId)).toMatchObject({ status: 'completed', lastError: null, result: { removed: 0 } })
  const [first] = await listed()
  expect(await listed()).toEqual([
    {
      name: expect.stringMatching(/^carrel-[\dTZ-]+\.zip$/),
      size: expect.any(Number),
      createdAt: expect.stringMatching(/Z$/),
      verified: true,
      reason: 'manual',
      program: expect.any(String),
      schemaVersion: expect.any(Number),
    },
  ])

  const { name = '', size } = first ?? {}
  const fetched = await fetch(`${server.url}/api/v1/admin/backups/${name}/file`, {
    headers: { authorization: `Bearer ${admin.accessToken}` },
  })
  const bytes = Buffer.from(await fetched.arrayBuffer())
  expect([fetched.status, fetched.headers.get('content-disposition'), bytes.length]).toEqual([
    200,
    `attachment; filename="${name}"`,
    size,
  ])
  const copy = join(server.context.config.dataDir, 'fetched.zip')
  await writeFile(copy, bytes)
  const context = { log: createLog({ level: 'silent', format: 'json' }), clock, onProgress: () => undefined }
  await verify(copy, server.context.config.dataDir, context)

  await writeFile(join(folder, 'notes.txt'), 'of somebody')
  await writeFile(join(folder, copyOfMigration), 'SQLite')
  await ended(bodyOf(await admin.call(api.startBackup, {})).taskId)
  const all = await listed()
  expect(all.map(({ reason, createdAt }) => [reason, createdAt]).at(-1)).toEqual([
    'migration',
    '2026-01-02T03:04:05.678Z',
  ])
  expect(all).toHaveLength(2)
  expect(all.map((each) => each.name)).not.toContain(name)
  expect(all.map((each) => each.createdAt)).toEqual(
    all
      .map((each) => each.createdAt)
      .sort()
      .toReversed(),
  )
  expect((await readdir(folder)).sort()).toEqual([...all.map((each) => each.name), 'notes.txt'].sort())

  const [newest] = all
  await truncate(join(folder, newest?.name ?? ''), 1000)
  expect(await listed()).toContainEqual(
    expect.objectContaining({ name: newest?.name, verified: false, reason: 'unknown' }),
  )
  expect((await admin.call(api.removeBackup, { params: { name: newest?.name ?? '' } })).status).toBe(204)
  expect(await listed()).toHaveLength(1)
  const strange = [
    newest?.name ?? '',
    'notes.txt',
    '..',
    '../carrel.db',
    '%2e%2e/carrel.db',
    'carrel-.zip',
    `${copyOfMigration}x`,
  ]
  for (const other of strange) {
    const params = { name: other }
    expect([other, (await admin.call(api.removeBackup, { params })).status]).toEqual([other, 404])
    expect([other, (await admin.call(api.downloadBackup, { params })).status]).toEqual([other, 404])
  }
})

test('CFG-6 a backup that cannot be made says why, and leaves those there are', async () => {
  await using _ = workOn(server, [backUp])
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, copyOfMigration), 'SQLite')
  const before = await listed()
  await rename(folder, `${folder}-away`)
  await writeFile(folder, 'in the way')
  const { taskId } = bodyOf(await admin.call(api.startBackup, {}))

  const { lastError, lastFailure } = await ended(taskId)

  expect(lastFailure).toEqual({ code: 'unavailable', reason: 'folder_unwritable', values: { path: folder } })
  expect(lastError).toContain(`Nothing can be written to ${folder}`)
  expect(await listed()).toEqual([])
  await rm(folder)
  await rename(`${folder}-away`, folder)
  expect(before).not.toEqual([])
  expect(await listed()).toEqual(before)
  await admin.call(api.cancelTask, { params: { id: taskId } })
})

test('TSK-1 C6 backups are made when the setting says, and by that name', async () => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  await set('backup.cron_schedule', '* * * * *')
  await using _ = workOn(server, [backUp])
  const triggers = startTriggers(server.context, { watch: false })
  await waitUntil('that the schedule is known', async () => {
    const row = await server.context.db.read
      .selectFrom('schedule')
      .select('pattern')
      .where('name', '=', 'backup')
      .executeTakeFirst()
    return row?.pattern.startsWith('* * * * *')
  })
  expect(await listed()).toEqual([])

  pass(minute)

  await waitUntil('a backup', async () => (await listed()).length > 0)
  await triggers.stop()
  expect(await listed()).toMatchObject([{ reason: 'scheduled', verified: true }])
})
