import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { latestVersion } from '../../database/migrate.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { startServer } from '../../../test/start-server.ts'

test('HTTP-8 an administrator reads what the server is made of, and who works for it', async () => {
  const now = new Date('2026-11-21T10:00:00.000Z')
  await using server = await startServer({ clock: () => now })
  const admin = await server.person('admin')
  const worker = (id: string, host: string, heartbeatAt: string) => ({
    id,
    host,
    pid: 1,
    process: 'one',
    heartbeat: 1,
    started_at: '2026-11-21T09:00:00.000Z',
    heartbeat_at: heartbeatAt,
  })
  const { db, config } = server.context
  const [first, second] = ['019aa3b2-0000-7000-8000-000000000001', '019aa3b2-0000-7000-8000-000000000002'] as const
  await db.write(async (db) => {
    await db
      .insertInto('worker')
      .values(worker(first, 'attic', '2026-11-21T09:30:00.000Z'))
      .execute()
    await db
      .insertInto('worker')
      .values(worker(second, 'cellar 2f1c pid:[4026531836]', '2026-11-21T09:59:00.000Z'))
      .execute()
  })

  const status = bodyOf(await admin.call(api.readServerStatus, {}))

  expect(status).toMatchObject({ version: '0.0.0-test', apiVersion: api.apiVersion, node: process.version })
  expect(Date.parse(status.startedAt)).toBeLessThan(now.getTime())
  expect(status.database).toMatchObject({ kind: db.dialect.name, schemaVersion: latestVersion })
  expect(status.database.bytes).toBeGreaterThan(100_000)
  expect(status.storage.dataDir).toBe(config.dataDir)
  expect(status.storage.bytesFree).toBeGreaterThan(0)
  expect(status.storage.bytesTotal).toBeGreaterThan(status.storage.bytesFree)
  expect(status.workers).toEqual([
    { host: 'cellar', startedAt: '2026-11-21T09:00:00.000Z', lastSeenAt: '2026-11-21T09:59:00.000Z', tasks: 0 },
    { host: 'attic', startedAt: '2026-11-21T09:00:00.000Z', lastSeenAt: '2026-11-21T09:30:00.000Z', tasks: 0 },
  ])
})
