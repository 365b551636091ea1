import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { claim, signIn, startCarrel } from '../packages/server/test/smoke/carrel.ts'
import { endOf, run } from '../packages/server/test/smoke/program.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { tell, times } from '../packages/server/test/smoke/torture.ts'
import { requireFaultyDisk } from './disk/preload.ts'
import { failUnderWriters, nothing } from './failing-writers.ts'
import { tortureEnv } from './numbered-writes.ts'

test('A10 P-5 a disk that may only be read from one moment to the next: reads go on, writes are refused, and go on when it may be written', async ({
  skip,
}) => {
  requireFaultyDisk(skip)
  const failed = await failUnderWriters({
    id: 'A10',
    error: 'EROFS',
    calls: ['write', 'sync', 'truncate', 'create', 'rename', 'link', 'unlink', 'mkdir'],
    statuses: [503, 507],
    once: 0,
    forGood: times(4, 30, 10),
  })

  expect(failed).toEqual(nothing)
})

/** The folder in a mount of its own, of which nothing may be written. */
const readOnly = (path: string, skip: (note: string) => void): Disposable => {
  const mounted = spawnSync('sh', ['-c', `mount --bind ${path} ${path} && mount -o remount,bind,ro ${path}`])
  if (mounted.status !== 0) {
    const note = `NOT TESTED: a start on a disk that may only be read, because it cannot be mounted (${String(mounted.stderr).trim()})`
    console.warn(note)
    skip(note)
  }
  return { [Symbol.dispose]: () => void spawnSync('umount', ['-l', path]) }
}

test('A10 P-5 a start over a disk that may only be read says so in a line, and is well when it may be written again', async ({
  skip,
}) => {
  await using folder = await temporaryFolder()
  const cwd = folder.path
  {
    await using first = await startCarrel({ cwd, env: tortureEnv })
    await claim(first)
    first.kill('SIGTERM')
    await endOf(first)
  }
  {
    using _ = readOnly(join(cwd, 'data'), skip)
    const ended = await run(['serve'], { cwd, env: { ...tortureEnv, CARREL_PORT: '0' } })
    expect(ended).toMatchObject({ code: 78, stdout: '' })
    expect(ended.stderr).toMatch(/^CARREL_DATA_DIR is ".*", where nothing may be written \(EROFS: .*\)\n$/)
  }
  await using carrel = await startCarrel({ cwd, env: tortureEnv })
  const reader = await signIn(carrel, 'ana')
  expect((await reader.call(api.savePreference, { params: { key: 'a' }, body: { value: 1 } })).status).toBe(200)
  tell({ id: 'A10', what: 'starts over a read-only disk', tries: 1, lost: 0 })
})
