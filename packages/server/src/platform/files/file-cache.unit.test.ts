import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileCache } from './file-cache.ts'
import { createLog } from '../log.ts'

const quiet = createLog({ level: 'fatal', format: 'json', write: () => undefined })
const open = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'carrel-cache-'))
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}
const filesIn = async (folder: string): Promise<number> => {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  return names.filter((entry) => entry.isFile()).length
}
const picture = (fill: number): Buffer => Buffer.alloc(100, fill)

test('it keeps as many bytes as it may, and what was used longest ago goes first, after a restart too', async () => {
  await using setup = await open()
  const cache = fileCache(setup.folder, 450, quiet)
  for (const name of ['aa', 'bb', 'cc', 'dd']) await cache.put(name, picture(1))
  await cache.get('aa')
  await cache.put('ee', picture(2))
  expect(await cache.get('bb')).toBeUndefined()
  expect(await cache.get('aa')).toEqual(picture(1))
  expect(await filesIn(setup.folder)).toBe(4)

  const again = fileCache(setup.folder, 250, quiet)
  await again.put('ff', picture(3).subarray(0, 60))
  expect(await filesIn(setup.folder)).toBeLessThanOrEqual(3)
  expect(await again.get('ff')).toEqual(picture(3).subarray(0, 60))
})

test('what is cut short or gone is not there, and what was left unfinished is swept away', async () => {
  await using setup = await open()
  const cache = fileCache(setup.folder, 1000, quiet)
  await cache.put('aa', picture(1))
  await writeFile(join(setup.folder, 'aa', 'aa.100'), 'short')
  expect(await cache.get('aa')).toBeUndefined()
  await writeFile(join(setup.folder, 'aa', '.unfinished-1'), 'half')
  await cache.put('aa', picture(2))
  expect(await fileCache(setup.folder, 1000, quiet).get('aa')).toEqual(picture(2))
  expect(await readdir(join(setup.folder, 'aa'))).toEqual(['aa.100'])
})

test('P-2 what a power cut has left empty or cut short is not shown after a start', async () => {
  await using setup = await open()
  const cache = fileCache(setup.folder, 1000, quiet)
  for (const name of ['aa', 'ab', 'ac']) await cache.put(name, picture(1))
  await truncate(join(setup.folder, 'aa', 'aa.100'), 0)
  await truncate(join(setup.folder, 'ab', 'ab.100'), 64)

  const again = fileCache(setup.folder, 1000, quiet)

  expect([await again.get('aa'), await again.get('ab')]).toEqual([undefined, undefined])
  expect(await again.get('ac')).toEqual(picture(1))
  expect(await filesIn(setup.folder)).toBe(1)
})

test('a picture of another size takes the place of the one before', async () => {
  await using setup = await open()
  const cache = fileCache(setup.folder, 1000, quiet)
  await cache.put('aa', picture(1))
  await cache.put('aa', picture(2).subarray(0, 60))
  expect(await cache.get('aa')).toEqual(picture(2).subarray(0, 60))
  expect(await filesIn(setup.folder)).toBe(1)
})

test('P-4 where nothing can be written nothing is kept, and nothing fails', async () => {
  await using setup = await open()
  await writeFile(join(setup.folder, 'file'), '')
  const cache = fileCache(join(setup.folder, 'file', 'cache'), 1000, quiet)
  await cache.put('aa', picture(1))
  expect(await cache.get('aa')).toBeUndefined()
})
