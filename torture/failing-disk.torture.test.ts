import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { seed } from '../packages/server/test/seed.ts'
import { signIn, startCarrel } from '../packages/server/test/smoke/carrel.ts'
import { endOf } from '../packages/server/test/smoke/program.ts'
import { randomFrom } from '../packages/server/test/smoke/random.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { tell, times } from '../packages/server/test/smoke/torture.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { faultyDisk, requireFaultyDisk } from './disk/preload.ts'
import { failUnderWriters, nothing } from './failing-writers.ts'
import {
  emptyWriteLedger,
  missingFrom,
  prepareInstallation,
  storedIn,
  tortureEnv,
  writeNumbers,
} from './numbered-writes.ts'

console.log(`Which calls fail comes from SEED=${seed}`)

test('A6 P-1 a write or a flush that fails is never acknowledged, readers go on, and writing goes on when the disk does', async ({
  skip,
}) => {
  requireFaultyDisk(skip)
  const failed = await failUnderWriters({
    id: 'A6',
    error: 'EIO',
    calls: ['write', 'sync'],
    statuses: [503, 507],
    once: times(15, 200, 60),
    forGood: times(5, 40, 15),
  })

  expect(failed).toEqual(nothing)
})

test('A6 P-1 a flush that fails is never acknowledged, nor what shared the commit with it', async ({ skip }) => {
  requireFaultyDisk(skip)
  const failed = await failUnderWriters({
    id: 'A6',
    error: 'EIO',
    calls: ['sync'],
    statuses: [503, 507],
    once: times(10, 100, 40),
    forGood: times(3, 20, 10),
  })

  expect(failed).toEqual(nothing)
})

test('A7 P-3 a disk that is full at any one write is told as full, and nothing that was acknowledged is lost', async ({
  skip,
}) => {
  requireFaultyDisk(skip)
  const failed = await failUnderWriters({
    id: 'A7',
    error: 'ENOSPC',
    calls: ['write', 'truncate', 'create'],
    statuses: [503, 507],
    once: times(15, 200, 60),
    forGood: times(5, 40, 15),
  })

  expect(failed).toEqual(nothing)
})

test('A2 P-1 killed at any moment while each flush takes 20 ms longer, nothing that was acknowledged is lost', async ({
  skip,
}) => {
  requireFaultyDisk(skip)
  const random = randomFrom(seed)
  const rounds = times(4, 50, 15)
  await using installation = await temporaryFolder()
  await using toolFolder = await temporaryFolder()
  const cwd = installation.path
  const file = join(cwd, 'data/carrel.db')
  const paths = await prepareInstallation(cwd)
  const { plan, env } = faultyDisk(join(cwd, 'data'), toolFolder.path)
  plan.delay({ calls: ['sync'], from: 1 }, 20)
  const ledger = emptyWriteLedger()
  const lost: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    await using carrel = await startCarrel({ cwd, env: { ...tortureEnv, ...env } })
    const reader = await signIn(carrel, 'ana')
    const acknowledged = ledger.acknowledged.length
    const writing = writeNumbers(reader, paths, ledger, () => 0)
    await waitUntil('the first acknowledgement', () => ledger.acknowledged.length > acknowledged)
    await delay(random() * 700)
    carrel.kill('SIGKILL')
    expect(await endOf(carrel)).toEqual({ code: null, signal: 'SIGKILL' })
    await writing.over
    const stored = storedIn(file)
    expect(stored.unsound).toEqual([])
    lost.push(...missingFrom(stored.numbers, ledger.acknowledged, ledger.sent))
  }

  tell({ id: 'A2', what: `${ledger.acknowledged.length} acknowledgements`, tries: rounds, lost: lost.length })
  expect(lost).toEqual([])
})
