import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { comic, libraryFolder } from '../../../test/library-folder.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow, scanTasks } from '../../../test/scanning.ts'
import { readSidecarsOn, writeSidecarsOf } from '../../../test/sidecars.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'
import { workOn } from '../../../test/work.ts'
import { readSidecarsOf } from './tasks.ts'

/** A sidecar that says the title of the book at this place, or of the one with this content. */
const say = async (file: string, root: string, path: string, title: string, contentHash: string | null = null) => {
  const sidecar = {
    carrel: 'sidecar',
    version: 1,
    kind: 'book',
    library: '',
    books: [{ root, path, contentHash }],
    shown: {},
    said: { user: { title: { value: title } } },
  }
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, JSON.stringify(sidecar))
}

const titlesOf = async (server: TestServer): Promise<string[]> => {
  const editor = await server.person('editor')
  return bodyOf(await editor.call(api.listBooks, { query: { pageSize: 100 } })).data.map(({ title }) => title)
}

const inDataFolder = ({ context }: TestServer, name = ''): string => join(context.config.dataDir, 'sidecars', name)

const numbers = Array.from({ length: 40 }, (_, index) => index + 1)

test('C26 sidecars of a new library are read to the end, also by a worker that was killed within them', async () => {
  await using folder = await libraryFolder()
  await using server = await startServer()
  for (const number of numbers) {
    await folder.write(`A/${number}.cbz`, comic({ seed: number, pages: 1 }))
    await say(inDataFolder(server, `${number}.carrel.json`), folder.path, `A/${number}.cbz`, `Said ${number}`)
  }
  let runs = 0
  const killed: typeof readSidecarsOf = {
    ...readSidecarsOf,
    backOffMs: () => 0,
    run: (payload, context, resources) => {
      runs += 1
      let writes = 0
      const write: typeof context.write = (work) => {
        writes += 1
        if (!context.isRepeated && writes > 1) throw new Error('The worker was killed')
        return context.write(work)
      }
      return readSidecarsOf.run(payload, { ...context, write }, resources)
    },
  }
  await scanNow(server, await addLibraryOn(server, { roots: [folder.path] }))
  await using _ = workOn(server, [killed])
  const isSaid = async () => (await titlesOf(server)).every((title) => title.startsWith('Said'))
  await expect.poll(isSaid).toBe(true)
  expect(runs).toBe(2)
})

test('C26 sidecars that come into the data folder while a worker runs are read after the next first scan', async () => {
  await using folder = await libraryFolder()
  await folder.write('A/one.cbz', comic({ seed: 1 }))
  await using server = await startServer()
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await using _ = workOn(server, [...scanTasks, readSidecarsOf])
  await say(inDataFolder(server, 'one.carrel.json'), folder.path, 'A/one.cbz', 'Said')
  await scanNow(server, id, 'changes', [], [])
  await expect.poll(() => titlesOf(server)).toEqual(['Said'])
})

test('C26 the sidecar at the place of a book says more than those of where it lay before', async () => {
  await using folder = await libraryFolder()
  await folder.write('A/one.cbz', comic({ seed: 1 }))
  await using server = await startServer()
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  const hash = (await booksOf(server, id)).get('A/one.cbz')?.content_hash ?? ''
  await using given = await libraryFolder()
  await say(given.in('m.carrel.json'), folder.path, 'A/one.cbz', 'Present', hash)
  // More than are read at once, and in whichever order a folder names them.
  for (const number of numbers)
    for (const name of [`a${number}`, `z${number}`])
      await say(given.in(`${name}.carrel.json`), folder.path, `Before/${name}.cbz`, 'Stale', hash)
  expect(await readSidecarsOn(server, given.path)).toEqual({
    applied: 1,
    put: 0,
    left: 80,
    unknown: 0,
    unreadable: 0,
  })
  expect(await titlesOf(server)).toEqual(['Present'])
})

test('C26 books of two folders of a library have sidecars of their own, however their folders are called', async () => {
  await using first = await libraryFolder()
  await using second = await libraryFolder()
  await first.write('2/x.cbz', comic({ seed: 1 }))
  await second.write('x.cbz', comic({ seed: 2 }))
  await using server = await startServer()
  await scanNow(server, await addLibraryOn(server, { roots: [first.path, second.path] }))
  await using given = await libraryFolder()
  const { written } = await writeSidecarsOf(server, given.path)
  expect(await writeSidecarsOf(server, given.path)).toMatchObject({ written: 0, unchanged: written })
})
