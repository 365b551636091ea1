import { mkdtemp, mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeLastingFolder, syncNames, syncPath, syncTree } from './durable-files.ts'

const folder = async () => {
  const path = await mkdtemp(join(tmpdir(), 'carrel-durable-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

test('P-2 a folder is made with those above it, and one that is there stays', async () => {
  await using own = await folder()
  const deep = join(own.path, 'a', 'b', 'c')
  await makeLastingFolder(deep)
  await writeFile(join(deep, 'file'), 'x')
  await makeLastingFolder(deep)
  expect((await stat(join(deep, 'file'))).size).toBe(1)
  await expect(syncTree(own.path)).resolves.toBeUndefined()
  await expect(syncNames(join(deep, 'file'), `${own.path}/`)).resolves.toBeUndefined()
  await expect(syncNames(join(own.path, 'gone', 'file'), own.path)).rejects.toThrow('ENOENT')
})

test('P-2 what cannot be flushed at all is none of our doing, and what is not there is', async () => {
  await using own = await folder()
  await expect(syncPath('/dev/null')).resolves.toBeUndefined()
  await expect(syncPath(join(own.path, 'nothing'))).rejects.toThrow('ENOENT')
  await mkdir(join(own.path, 'one'))
  await expect(syncPath(join(own.path, 'one'))).resolves.toBeUndefined()
})
