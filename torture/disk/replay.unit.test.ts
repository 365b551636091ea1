import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../packages/server/test/smoke/temporary-folder.ts'
import type { Change } from './journal.ts'
import { replayedDisk } from './replay.ts'

/** Records of the journal, each a byte after the one before. */
const journal = () => {
  let at = 0
  return (call: Change['call'], path: string, of: Partial<Change> = {}): Change => {
    at += 1
    return { call, path, other: '', data: Buffer.alloc(0), inode: 0n, offset: 0, begunAt: at, at, end: at + 1, ...of }
  }
}

const always = (): number => 0.5

test('A3 after a power cut a folder whose name was not flushed is gone, with all that was flushed in it', async () => {
  await using temporary = await temporaryFolder()
  const target = join(temporary.path, 'left')
  const record = journal()
  const disk = replayedDisk('/data', new Map())
  const left = (): string[] => {
    disk.cutTo(target, 'nothing', always)
    return readdirSync(target, { recursive: true, encoding: 'utf8' }).sort()
  }
  disk.apply(record('mkdir', '/data/covers'))
  disk.apply(record('create', '/data/covers/one', { inode: 7n }))
  disk.apply(record('write', '/data/covers/one', { inode: 7n, data: Buffer.from('picture') }))
  disk.apply(record('sync', '/data/covers/one', { inode: 7n }))
  disk.apply(record('sync', '/data/covers'))
  expect(left()).toEqual([])

  disk.apply(record('sync', '/data'))
  expect(left()).toEqual(['covers', 'covers/one'])
  expect(readFileSync(join(target, 'covers/one'), 'utf8')).toBe('picture')

  disk.apply(record('unlink', '/data/covers/one'))
  expect(left()).toEqual(['covers', 'covers/one'])
  disk.apply(record('sync', '/data/covers'))
  expect(left()).toEqual(['covers'])
})

test('A3 folders that were there before the journal begins stay, with the names that were in them', async () => {
  await using temporary = await temporaryFolder()
  const target = join(temporary.path, 'left')
  const record = journal()
  const disk = replayedDisk('/data', new Map([['/data/a/b/old', { inode: 3n, content: Buffer.from('old') }]]))
  disk.apply(record('create', '/data/a/b/new', { inode: 4n }))
  disk.apply(record('create', '/data/empty/new', { inode: 5n }))
  disk.cutTo(target, 'nothing', always)
  expect(readdirSync(target, { recursive: true, encoding: 'utf8' }).sort()).toEqual(['a', 'a/b', 'a/b/old', 'empty'])
  disk.cutTo(target, 'all', always)
  expect(readdirSync(target, { recursive: true, encoding: 'utf8' }).sort()).toEqual([
    'a',
    'a/b',
    'a/b/new',
    'a/b/old',
    'empty',
    'empty/new',
  ])
})

test('A6 what a flush has failed to write is never written by a later one', async () => {
  await using temporary = await temporaryFolder()
  const target = join(temporary.path, 'left')
  const record = journal()
  const disk = replayedDisk('/data', new Map([['/data/log', { inode: 3n, content: Buffer.from('....') }]]))
  disk.apply(record('write', '/data/log', { inode: 3n, data: Buffer.from('AA') }))
  disk.apply(record('drop', '/data/log', { inode: 3n }))
  disk.apply(record('write', '/data/log', { inode: 3n, offset: 2, data: Buffer.from('BB') }))
  disk.apply(record('sync', '/data/log', { inode: 3n }))
  disk.cutTo(target, 'nothing', always)
  expect(readFileSync(join(target, 'log'), 'utf8')).toBe('..BB')
})
