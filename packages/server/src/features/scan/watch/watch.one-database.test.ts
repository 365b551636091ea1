import { readFileSync } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { comic, libraryFolder } from '../../../../test/library-folder.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../../test/scanning.ts'
import { childrenOf } from '../../../../test/smoke/program.ts'
import { waitUntil } from '../../../../test/smoke/wait-until.ts'
import { quick, filled, follow, seen, statesIn, watched, watchedLibrary, watchOn } from '../../../../test/watching.ts'
import { startServer, type TestServer } from '../../../../test/start-server.ts'
import { workOn } from '../../../../test/work.ts'
import { startScan } from '../scan.ts'
import { analyseLibrary, scanLibrary } from '../tasks.ts'

const watcherPid = (): number | undefined =>
  childrenOf(process.pid).find((pid) => commandOf(pid).includes('watch/watcher/main'))

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It is gone.
  }
}

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
  const [, ...scans] = await looksAt(server, id)
  const touched = new Set(scans.flatMap(({ paths }) => paths.map((path) => path.slice(folder.path.length + 1))))
  expect([...touched].filter((path) => path.startsWith('B') || path === '')).toEqual([])
  expect(scans.every(({ paths }) => paths.length > 0)).toBe(true)
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

  const [, ...scans] = await looksAt(server, id)
  expect(scans.map(({ paths }) => paths)).toEqual([[folder.in('Incoming/Empty')]])
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
  const pages = async () => (await booksOf(server, id)).get('A/long.cbz')?.page_count
  expect(await waitUntil('its pages', async () => (await pages()) === 5)).toBe(true)
})

test('LIB-1 a root that goes away and comes back is watched again, and looked at as a whole', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await using elsewhere = await libraryFolder()
  const root = folder.in('root')
  await folder.write('root/A/1.cbz', comic({ seed: 1 }))
  const id = await addLibraryOn(server, { roots: [root] })
  await scanNow(server, id)
  await follow(server, id)
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
  await using free = await libraryFolder()
  await filled(folder)
  await filled(free)
  const id = await watchedLibrary(server, folder)
  const freeId = await watchedLibrary(server, free)
  const { db, clock } = server.context
  // Nobody runs it yet.
  await using _ = workOn(server, [], { watch: quick })
  await Promise.all([watched(server, folder.path), watched(server, free.path)])
  await db.write((db) => startScan(db, { libraryId: id, paths: ['B'] }, clock()))

  for (const name of ['2', '3']) await folder.write(`A/${name}.cbz`, comic({ seed: Number(name) + 10 }))
  // Heard later, and its time has come: so has that of the other.
  await free.write('A/2.cbz', comic({ seed: 20 }))
  await waitUntil('the look at the other library', async () => (await looksAt(server, freeId)).length === 2)
  expect(await looksAt(server, id)).toHaveLength(2)
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

test('CFG-4 C8 nothing is watched where the setting or the library says so', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await filled(folder)
  const { call } = await server.person('admin')
  const add = async (name: string, more: { watch?: boolean }) => {
    const body = { name, roots: [folder.in(name)], scanNow: false, ...more }
    return bodyOf(await call(api.createLibrary, { body }))
  }
  const byHand = await add('A', { watch: false })
  const usual = await add('B', {})
  expect([byHand.watch, usual.watch]).toEqual([false, true])
  const params = { key: 'scan.watch' }
  await using _ = watchOn(server)
  await watched(server, folder.in('B'))
  await call(api.saveSetting, { params, body: { value: false } })
  await waitUntil('the watcher to go', () => watcherPid() === undefined)
  await folder.write('B/unheard.cbz', comic({ seed: 3 }))
  await call(api.saveSetting, { params, body: { value: true } })
  await watched(server, folder.in('B'), 2)

  await folder.write('A/unheard.cbz', comic({ seed: 4 }))
  await folder.write('B/C/heard.cbz', comic({ seed: 5 }))
  await seen(server, usual.id, 'C/heard.cbz present done')

  expect(await looksAt(server, byHand.id)).toEqual([])
  expect(await looksAt(server, usual.id)).toMatchObject([{ paths: [folder.in('B/C')] }])
})

test('LIB-1 what came between the first scan of a library and the watch over it is found', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await using other = await libraryFolder()
  await filled(folder)
  await filled(other)
  await watchedLibrary(server, other)
  await using _ = watchOn(server)
  await watched(server, other.path)
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  await folder.write('A/between.cbz', comic({ seed: 3 }))
  await follow(server, id)

  expect(await seen(server, id, 'A/between.cbz present done')).toBe(true)
})

test('LIB-1 when the process that watches ends, another takes its place and all is looked at', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await filled(folder)
  const id = await watchedLibrary(server, folder)
  await using _ = watchOn(server, { restartFirstMs: 50 })
  await watched(server, folder.path)

  const watcher = watcherPid()
  await waitUntil('the end of its process', () => {
    if (watcher !== undefined) kill(watcher)
    return server.logLines.some(({ msg }) => msg === 'The process that watches folders has ended; starting it again')
  })
  await folder.write('A/meanwhile.cbz', comic({ seed: 3 }))
  await watched(server, folder.path, 2)
  await seen(server, id, 'A/meanwhile.cbz present done')
  await folder.write('A/later.cbz', comic({ seed: 4 }))

  expect(await seen(server, id, 'A/later.cbz present done')).toBe(true)
})
