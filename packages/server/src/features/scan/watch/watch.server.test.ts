import { mkdir, open, rename, rm } from 'node:fs/promises'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { comic, type LibraryFolder, libraryFolder } from '../../../../test/library-folder.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../../test/scanning.ts'
import { waitUntil } from '../../../../test/smoke/wait-until.ts'
import { startServer, type TestServer } from '../../../../test/start-server.ts'
import { workOn } from '../../../../test/work.ts'
import { startScan } from '../scan.ts'
import { analyseLibrary, scanLibrary } from '../tasks.ts'
import type { WatchTiming } from './watch-libraries.ts'

const quick: Partial<WatchTiming> = { librariesEveryMs: 100, dueEveryMs: 20, quietMs: 150, longestWaitMs: 3000 }

const watchOn = (server: TestServer, watch: Partial<WatchTiming> = {}) =>
  workOn(server, [scanLibrary, analyseLibrary], { settleMs: 20, watch: { ...quick, ...watch } })

/** Once what happens in it is heard of. */
const watched = (server: TestServer, path: string, times = 1): Promise<boolean> =>
  waitUntil(
    `the folders of ${path} to be watched`,
    () =>
      server.logLines.filter((line) => line.path === path && line.msg === 'The folders of a library are watched')
        .length >= times,
  )

const filled = async (folder: LibraryFolder): Promise<void> => {
  await folder.write('A/1.cbz', comic({ seed: 1 }))
  await folder.write('B/C/1.cbz', comic({ seed: 2 }))
}

const watchedLibrary = async (server: TestServer, folder: LibraryFolder): Promise<string> => {
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  await server.context.db.write(async (db) => {
    await db.updateTable('library').set({ watch: 1 }).where('id', '=', id).execute()
  })
  return id
}

const statesIn = async (server: TestServer, id: string): Promise<string[]> =>
  [...(await booksOf(server, id))].map(([path, { state, analysis }]) => `${path} ${state} ${analysis}`).sort()

const seen = (server: TestServer, id: string, what: string): Promise<boolean> =>
  waitUntil(what, async () => (await statesIn(server, id)).includes(what))

const looksAt = async ({ context: { db } }: TestServer, id: string) => {
  const rows = await db.read
    .selectFrom('scan')
    .select(['paths', 'status', 'files_total'])
    .where('library_id', '=', id)
    .orderBy('created_at')
    .execute()
  return rows.map(({ paths, ...row }) => ({ ...row, paths: paths === null ? [] : (JSON.parse(paths) as string[]) }))
}

test('LIB-1 what comes, changes, moves and goes in a watched library is found by a look at its folder alone', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await filled(folder)
  const id = await watchedLibrary(server, folder)
  await using _ = watchOn(server)
  await watched(server, folder.path)

  await folder.write('A/2.cbz', comic({ seed: 3 }))
  await seen(server, id, 'A/2.cbz present done')
  await folder.write('New/Deep/1.cbz', comic({ seed: 4 }))
  await seen(server, id, 'New/Deep/1.cbz present done')
  await folder.write('New/Deep/2.cbz', comic({ seed: 5 }))
  await seen(server, id, 'New/Deep/2.cbz present done')
  const before = (await booksOf(server, id)).get('New/Deep/2.cbz')?.id
  await rename(folder.in('New'), folder.in('Renamed'))
  await seen(server, id, 'Renamed/Deep/2.cbz present done')
  await folder.write('Renamed/Deep/3.cbz', comic({ seed: 6 }))
  await seen(server, id, 'Renamed/Deep/3.cbz present done')
  await rm(folder.in('A'), { recursive: true })
  await seen(server, id, 'A/2.cbz missing done')

  expect((await booksOf(server, id)).get('Renamed/Deep/2.cbz')?.id).toBe(before)
  const [, ...looks] = await looksAt(server, id)
  const touched = new Set(looks.flatMap(({ paths }) => paths.map((path) => path.slice(folder.path.length + 1))))
  expect([...touched].filter((path) => path.startsWith('B') || path === '')).toEqual([])
  expect(looks.every(({ paths }) => paths.length > 0)).toBe(true)
})

test('LIB-1 a folder that was empty for long is watched as well, and what is no book starts nothing', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await filled(folder)
  await mkdir(folder.in('Incoming/Empty'), { recursive: true })
  const id = await watchedLibrary(server, folder)
  await using _ = watchOn(server)
  await watched(server, folder.path)

  for (const name of ['notes.txt', '.hidden.cbz', '@eaDir/1.cbz', 'half.part']) await folder.write(`A/${name}`, 'x')
  await folder.write('Incoming/Empty/1.cbz', comic({ seed: 3 }))
  await seen(server, id, 'Incoming/Empty/1.cbz present done')

  const [, ...looks] = await looksAt(server, id)
  expect(looks.map(({ paths }) => paths)).toEqual([[folder.in('Incoming/Empty')]])
})

test('LIB-1 a file that is written for long is looked at until it can be read', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await filled(folder)
  const id = await watchedLibrary(server, folder)
  await using _ = watchOn(server, { longestWaitMs: 200 })
  await watched(server, folder.path)
  const bytes = comic({ seed: 7, pages: 5 })

  const file = await open(folder.in('A/long.cbz'), 'w')
  await file.write(bytes, 0, 100, 0)
  await waitUntil('it to be listed', async () => (await booksOf(server, id)).has('A/long.cbz'))
  await file.write(bytes, 100, bytes.length - 100, 100)
  await file.close()

  await seen(server, id, 'A/long.cbz present done')
  await waitUntil('its pages', async () => (await booksOf(server, id)).get('A/long.cbz')?.page_count === 5)
})

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

  const [, ...looks] = await looksAt(server, id)
  expect(looks.map(({ paths }) => paths)).toContainEqual([folder.in('A')])
})

test('LIB-1 a root that goes away and comes back is watched again, and looked at as a whole', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await using elsewhere = await libraryFolder()
  const root = folder.in('root')
  await folder.write('root/A/1.cbz', comic({ seed: 1 }))
  const id = await addLibraryOn(server, { roots: [root] })
  await scanNow(server, id)
  await server.context.db.write(async (db) => {
    await db.updateTable('library').set({ watch: 1 }).where('id', '=', id).execute()
  })
  await using _ = watchOn(server)
  await watched(server, root)

  await rename(root, elsewhere.in('away'))
  await waitUntil('the scan that finds it gone', async () =>
    (await looksAt(server, id)).some(({ status }) => status === 'held' || status === 'completed_with_errors'),
  )
  await folder.write('../' + elsewhere.path.split('/').at(-1) + '/away/A/2.cbz', comic({ seed: 2 }))
  await rename(elsewhere.in('away'), root)
  await watched(server, root, 2)
  await seen(server, id, 'A/2.cbz present done')
  await folder.write('root/B/3.cbz', comic({ seed: 3 }))

  await seen(server, id, 'B/3.cbz present done')
  expect(await statesIn(server, id)).toContain('A/1.cbz present done')
})

test('C9 while a scan runs none is started beside it, and what happened meanwhile is looked at afterwards', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await filled(folder)
  const id = await watchedLibrary(server, folder)
  const { db, clock } = server.context
  // Nobody runs it yet.
  await using _ = workOn(server, [], { watch: quick })
  await watched(server, folder.path)
  await db.write((db) => startScan(db, { libraryId: id, paths: ['B'] }, clock()))
  for (const name of ['2', '3']) await folder.write(`A/${name}.cbz`, comic({ seed: Number(name) + 10 }))
  await waitUntil('what happened to be known', async () => (await looksAt(server, id)).length === 2)
  {
    await using _ = workOn(server, [scanLibrary, analyseLibrary], { settleMs: 20 })
    await seen(server, id, 'A/3.cbz present done')
  }

  expect(await looksAt(server, id)).toMatchObject([
    { paths: [] },
    { paths: ['B'], status: 'completed' },
    { paths: [folder.in('A')], status: 'completed' },
  ])
})

test('TSK-2 of several nodes that hear of the same, one looks', async () => {
  await using server = await startServer()
  await using other = await startServer({ address: server.context.config.database })
  await using folder = await libraryFolder()
  await filled(folder)
  const id = await watchedLibrary(server, folder)
  await using _one = watchOn(server)
  await using _other = watchOn(other)
  await Promise.all([watched(server, folder.path), watched(other, folder.path)])

  await folder.write('A/2.cbz', comic({ seed: 3 }))
  await seen(server, id, 'A/2.cbz present done')
  await folder.write('B/2.cbz', comic({ seed: 4 }))
  await seen(server, id, 'B/2.cbz present done')

  const [, ...looks] = await looksAt(server, id)
  expect(looks.map(({ paths }) => paths)).toEqual([[folder.in('A')], [folder.in('B')]])
})

test('CFG-4 C8 watching ends and begins with the setting, and with the choice of the library', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await filled(folder)
  const admin = await server.person('admin')
  const body = { name: 'Comics', roots: [folder.path], scanNow: false }
  const { id, watch } = bodyOf(await admin.call(api.createLibrary, { body }))
  expect(watch).toBe(true)
  const key = 'scan.watch'
  await admin.call(api.writeSetting, { params: { key }, body: { value: false } })
  await using _ = watchOn(server)
  await folder.write('A/unheard.cbz', comic({ seed: 3 }))
  await admin.call(api.writeSetting, { params: { key }, body: { value: true } })
  await watched(server, folder.path)
  await folder.write('B/C/heard.cbz', comic({ seed: 4 }))
  await seen(server, id, 'B/C/heard.cbz present done')

  expect((await statesIn(server, id)).some((each) => each.includes('unheard'))).toBe(false)
  await admin.call(api.updateLibrary, { params: { id }, body: { watch: false } })
  await admin.call(api.updateLibrary, { params: { id }, body: { watch: true } })
  expect(server.logLines.filter(({ level }) => level === 'warn')).toEqual([])
})
