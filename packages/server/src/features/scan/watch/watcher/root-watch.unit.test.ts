import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { waitUntil } from '../../../../../test/smoke/wait-until.ts'
import type { FromWatcher } from './messages.ts'
import { Room } from './room.ts'
import { RootWatch } from './root-watch.ts'

const limits = { foldersMax: 1000, systemMax: 10_000, queueMax: 10_000 }

const watchTree = async (folders: readonly string[], more: Partial<typeof limits> = {}) => {
  const path = await mkdtemp(join(tmpdir(), 'carrel-watch-'))
  for (const folder of folders) await mkdir(join(path, folder), { recursive: true })
  const told: FromWatcher[] = []
  let news = 0
  const room = new Room(
    (by, folders) => told.push({ kind: 'limited', by, folders }),
    () => root.lose(),
    { ...limits, ...more },
  )
  const root = new RootWatch(
    { id: 'r', path, exclude: ['Extras/'], extensions: ['.cbz'] },
    { tell: (message) => told.push(message), room, onNews: () => (news += 1) },
  )
  await root.check()
  const touched = () => told.flatMap((message) => (message.kind === 'touched' ? message.folders : [])).sort()
  return {
    root,
    told,
    in: (relative: string) => join(path, relative),
    /** Does something, and answers which folders that has touched. */
    after: async (act: () => Promise<unknown>): Promise<string[]> => {
      const before = news
      told.length = 0
      await act()
      await waitUntil('something to be heard', () => news > before)
      await root.sort()
      return touched()
    },
    /** The same for what is not done at once: waits until this folder is among them. */
    until: async (folder: string, act: () => Promise<unknown>): Promise<void> => {
      told.length = 0
      await act()
      await waitUntil(`${folder} to be told`, async () => {
        await root.sort()
        return touched().includes(folder)
      })
    },
    async [Symbol.asyncDispose]() {
      root.close()
      await rm(path, { recursive: true, force: true })
    },
  }
}

const touch = (path: string): Promise<void> => writeFile(path, 'x')

test('LIB-1 hidden and excluded folders are not watched, and no link is followed', async () => {
  await using tree = await watchTree(['A/B', '.git/x', '@eaDir', 'A/Extras/y'])
  await symlink(tree.in('A'), tree.in('link'))

  expect(tree.told).toEqual([{ kind: 'watched', rootId: 'r', folders: 3 }])
  expect(await tree.after(() => touch(tree.in('A/B/1.cbz')))).toEqual(['A/B/'])
})

test('what is told is the folder of a file, or the folder that came or went itself', async () => {
  await using tree = await watchTree(['A/B', 'C'])

  expect(await tree.after(() => touch(tree.in('C/1.cbz')))).toEqual(['C/'])
  expect(await tree.after(() => touch(tree.in('0.cbz')))).toEqual([''])
  expect(await tree.after(() => mkdir(tree.in('C/D/E'), { recursive: true }))).toEqual(['C/D/'])
  expect(await tree.after(() => touch(tree.in('C/D/E/1.cbz')))).toEqual(['C/D/E/'])
  await tree.until('A/', () => rm(tree.in('A'), { recursive: true }))
  expect(await tree.after(() => rm(tree.in('C/1.cbz')))).toEqual(['C/'])
  expect(await tree.after(() => touch(tree.in('C/notes.txt')))).toEqual([])
})

test('the upper folders are watched when there is no room for all, and it is said once that there is none', async () => {
  await using tree = await watchTree(['A/1', 'A/2', 'A/3', 'B/1', 'B/2'], { foldersMax: 3 })

  expect(tree.told).toEqual([
    { kind: 'limited', by: 'memory', folders: 3 },
    { kind: 'watched', rootId: 'r', folders: 3 },
  ])
  expect(await tree.after(() => touch(tree.in('B/1.cbz')))).toEqual(['B/'])
  expect(await tree.after(() => mkdir(tree.in('New')))).toEqual(['New/'])
})

test('some room is left to other programs of the same user', async () => {
  await using tree = await watchTree(['A', 'B', 'C', 'D'], { systemMax: 4 })

  expect(tree.told).toContainEqual({ kind: 'limited', by: 'system', folders: 3 })
})

test('so many events at once that some may be missing are taken for anything', async () => {
  await using tree = await watchTree(['A'], { queueMax: 20 })

  const touched = await tree.after(async () => {
    const paths = Array.from({ length: 30 }, (_, index) => tree.in(`A/${index}.cbz`))
    await Promise.all(paths.map((path) => touch(path)))
  })

  expect(touched).toEqual([''])
  expect(await tree.after(() => touch(tree.in('A/more.cbz')))).toEqual(['A/'])
})

test('a root that is away is watched when it is there', async () => {
  await using tree = await watchTree(['A'])

  expect(await tree.after(() => rm(tree.in(''), { recursive: true }))).toContain('')
  await mkdir(tree.in('B'), { recursive: true })
  tree.told.length = 0
  await tree.root.check()

  expect(tree.told).toEqual([
    { kind: 'watched', rootId: 'r', folders: 2 },
    { kind: 'touched', rootId: 'r', folders: [''] },
  ])
  tree.told.length = 0
  await tree.root.check()
  expect(tree.told).toEqual([])
  expect(await tree.after(() => touch(tree.in('B/1.cbz')))).toEqual(['B/'])
})
