import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/smoke/temporary-folder.ts'
import { openUnfinished } from './unfinished.ts'

test('CFG-6 what a killed process leaves, at whatever moment, is gone at once; what another still makes stays', async () => {
  await using folder = await temporaryFolder()
  const leftover = (name: string): string => join(folder.path, `.carrel-unfinished-${name}`)
  await writeFile(leftover('before its folder.lock'), '')
  await mkdir(leftover('with a lock'))
  await writeFile(leftover('with a lock.lock'), '')
  await writeFile(join(leftover('with a lock'), 'half.zip'), 'half')
  await mkdir(leftover('without a lock'))
  await using other = await openUnfinished(folder.path)
  await writeFile(other.in('half.zip'), 'half')

  {
    await using mine = await openUnfinished(folder.path)
    await writeFile(mine.in('whole.zip'), 'whole')
    const folders = (await readdir(folder.path)).filter((name) => !name.includes('.lock'))
    expect(folders).toHaveLength(2)
  }

  const left = (await readdir(folder.path)).filter((name) => !name.includes('.lock'))
  expect(left).toHaveLength(1)
  expect(await readdir(other.in(''))).toEqual(['half.zip'])
})
