import { expect, test } from 'vitest'
import { comic, libraryFolder } from '../../../../test/library-folder.ts'
import { scanNow } from '../../../../test/scanning.ts'
import { filled, seen, statesIn, watched, watchedLibrary, watchOn } from '../../../../test/watching.ts'
import { startServer, type TestServer } from '../../../../test/start-server.ts'
import { startScan } from '../scan.ts'
import { librarySchedules } from '../schedules.ts'
import { deleteOldScans } from './queries.ts'

const looksAt = async ({ context: { db } }: TestServer, id: string) => {
  const rows = await db.read
    .selectFrom('scan')
    .select(['paths', 'status', 'files_total'])
    .where('library_id', '=', id)
    .orderBy('created_at')
    .execute()
  return rows.map(({ paths, ...row }) => ({ ...row, paths: paths === null ? [] : (JSON.parse(paths) as string[]) }))
}

test('LIB-1 what was left unread is looked at again although nobody says that it has changed', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await filled(folder)
  const id = await watchedLibrary(server, folder)
  const { db } = server.context
  await db.write(async (db) => {
    await db.updateTable('file').set({ analysis: 'pending', size: 1 }).where('folder', '=', 'A/').execute()
  })
  expect(await statesIn(server, id)).toEqual(['A/1.cbz present pending', 'B/C/1.cbz present done'])
  await using _ = watchOn(server, { unreadEveryMs: 200 })

  await seen(server, id, 'A/1.cbz present done')

  const [, ...scans] = await looksAt(server, id)
  expect(scans.map(({ paths }) => paths)).toContainEqual([folder.in('A')])
})

test('TSK-2 of several nodes that hear of the same, one looks', async () => {
  await using server = await startServer()
  await using other = await startServer({ address: server.context.config.database })
  await using folder = await libraryFolder()
  await filled(folder)
  const id = await watchedLibrary(server, folder)
  await using nodes = new AsyncDisposableStack()
  for (const node of [server, other]) nodes.use(watchOn(node))
  await Promise.all([watched(server, folder.path), watched(other, folder.path)])

  await folder.write('A/2.cbz', comic({ seed: 3 }))
  await seen(server, id, 'A/2.cbz present done')
  await folder.write('B/2.cbz', comic({ seed: 4 }))
  await seen(server, id, 'B/2.cbz present done')

  const [, ...scans] = await looksAt(server, id)
  expect(scans.map(({ paths }) => paths)).toEqual([[folder.in('A')], [folder.in('B')]])
})

test('LIB-1 a scan of all that came to nothing for a day is made up for', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await filled(folder)
  const id = await watchedLibrary(server, folder)
  const { db, clock } = server.context
  const fire = async (hours: number) => {
    const schedules = await librarySchedules(db, 'UTC')()
    const hourly = schedules.find(({ name }) => name === `watch_library ${id}`)
    await db.write(async (db) => hourly?.fire(db, new Date(clock().getTime() + hours * 3_600_000)))
    return (await looksAt(server, id)).map(({ paths, status }) => [paths, status])
  }
  const first = [[], 'completed']

  expect(await fire(24)).toEqual([first])
  await scanNow(server, id, 'changes', ['A'])
  expect(await fire(26)).toEqual([first, [['A'], 'completed'], [[], 'pending']])
})

test('C9 the oldest looks at single folders are forgotten, but for those that something depends on', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await filled(folder)
  const id = await watchedLibrary(server, folder)
  const { db, clock } = server.context
  for (let times = 0; times < 4; times += 1) await scanNow(server, id, 'changes', ['A'])
  await db.write((db) => startScan(db, { libraryId: id, paths: ['B'] }, clock()))

  await db.write((db) => deleteOldScans(db, id, 3))

  const scans = (await looksAt(server, id)).map(({ paths, status }) => `${paths.join()} ${status}`)
  expect(scans).toEqual([' completed', 'A completed', 'A completed', 'B pending'])
})
