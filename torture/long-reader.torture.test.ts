import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { signIn, startCarrel } from '../packages/server/test/smoke/carrel.ts'
import { run } from '../packages/server/test/smoke/program.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { tell, times } from '../packages/server/test/smoke/torture.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import {
  emptyWriteLedger,
  missingFrom,
  prepareInstallation,
  storedIn,
  tortureEnv,
  writeNumbers,
} from './numbered-writes.ts'

const mebibyte = 1024 * 1024

test('A12 P-22 the log of the database stays within its bounds beside backups that read all of it while many write', async () => {
  const writes = times(3000, 200_000, 20_000)
  await using folder = await temporaryFolder()
  const cwd = folder.path
  const installation = await prepareInstallation(cwd)
  const file = join(cwd, 'data/carrel.db')
  await using carrel = await startCarrel({ cwd, env: tortureEnv })
  const reader = await signIn(carrel, 'ana')
  const ledger = emptyWriteLedger()
  const over = new AbortController()
  let largest = 0
  let backups = 0
  const sizeOfLog = (): number => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
  const watching = (async () => {
    while (!over.signal.aborted) {
      largest = Math.max(largest, sizeOfLog())
      await delay(50)
    }
  })()
  const reading = (async () => {
    while (!over.signal.aborted) {
      expect(await run(['backup'], { cwd })).toMatchObject({ code: 0 })
      backups += 1
    }
  })()
  const writing = writeNumbers(reader, installation, ledger, () => 0)
  while (ledger.acknowledged.length < writes) await delay(100)
  over.abort()
  writing.stop()
  await Promise.all([writing.over, watching, reading])

  expect(missingFrom(storedIn(file).numbers, ledger.acknowledged, ledger.sent)).toEqual([])
  const what = `the log, beside ${backups} backups and ${ledger.acknowledged.length} writes`
  tell({
    id: 'A12',
    what,
    tries: ledger.acknowledged.length,
    lost: 0,
    figure: largest / mebibyte,
    limit: 256,
    unit: 'MiB',
  })
  await waitUntil('the log to be small at rest', () => sizeOfLog() <= 64 * mebibyte)
  tell({ id: 'A12', what: 'the log at rest', tries: 1, figure: sizeOfLog() / mebibyte, limit: 64, unit: 'MiB' })
  expect(largest).toBeLessThanOrEqual(256 * mebibyte)
})
