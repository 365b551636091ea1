import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import * as api from '@carrel/api'
import { expect } from 'vitest'
import { seed } from '../packages/server/test/seed.ts'
import { signIn, startCarrel, type Visitor } from '../packages/server/test/smoke/carrel.ts'
import { endOf } from '../packages/server/test/smoke/program.ts'
import { randomFrom } from '../packages/server/test/smoke/random.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { tell, times } from '../packages/server/test/smoke/torture.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { cutPower, lookAtFile } from './disk/cut-power.ts'
import type { Call } from './disk/plan.ts'
import { faultyDisk } from './disk/preload.ts'
import { snapshotOf } from './disk/replay.ts'
import {
  emptyWriteLedger,
  missingFrom,
  prepareInstallation,
  storedIn,
  tortureEnv,
  type WriteLedger,
  writeNumbers,
} from './numbered-writes.ts'

const isReading = async ({ call }: Visitor): Promise<boolean> => {
  const [me, series] = await Promise.all([call(api.readMe, {}), call(api.listSeries, {})])
  return me.ok && series.ok
}

export interface Failing {
  readonly id: 'A6' | 'A7' | 'A10'
  readonly error: 'EIO' | 'ENOSPC' | 'EROFS'
  readonly calls: readonly Call[]
  /** The statuses that a write may be refused with. */
  readonly statuses: readonly number[]
  readonly once: number
  readonly forGood: number
}

/** What went wrong; nothing, where all holds. */
interface Failed {
  readonly missing: readonly string[]
  readonly unsound: readonly unknown[]
  readonly afterPowerCuts: readonly string[]
  readonly otherStatuses: readonly number[]
}

export const nothing: Failed = { missing: [], unsound: [], afterPowerCuts: [], otherStatuses: [] }

/** How long it takes until something is acknowledged again. */
const untilAcknowledged = async (ledger: WriteLedger): Promise<number> => {
  const before = ledger.acknowledged.length
  const startedAt = performance.now()
  // Writes that were under way may have reached the disk before the fault.
  await waitUntil('a write to be acknowledged', () => ledger.acknowledged.length > before + 20)
  return performance.now() - startedAt
}

/** Calls to the disk fail while many clients write: whatever was acknowledged is there, after a power cut too. */
export const failUnderWriters = async ({ id, error, calls, statuses, once, forGood }: Failing): Promise<Failed> => {
  const random = randomFrom(seed)
  await using installation = await temporaryFolder()
  await using toolFolder = await temporaryFolder()
  const cwd = installation.path
  const data = join(cwd, 'data')
  const paths = await prepareInstallation(cwd)
  const before = snapshotOf(data)
  const { plan, journal, journalSize, env } = faultyDisk(data, toolFolder.path)
  const ledger = emptyWriteLedger()
  let slowest = 0
  {
    await using carrel = await startCarrel({ cwd, env: { ...tortureEnv, ...env } })
    const reader = await signIn(carrel, 'ana')
    const writing = writeNumbers(reader, paths, ledger, journalSize)
    await untilAcknowledged(ledger)
    for (let round = 0; round < once + forGood; round += 1) {
      const from = 1 + Math.floor(random() * 40)
      const isOnce = round < once
      plan.fail({ calls, from, ...(isOnce && { until: from }) }, error)
      await waitUntil('the call to fail', () => plan.hits() > 0)
      if (!isOnce) {
        expect(await isReading(reader)).toBe(true)
        await delay(100 + random() * 400)
        expect(await isReading(reader)).toBe(true)
      }
      plan.end()
      slowest = Math.max(slowest, await untilAcknowledged(ledger))
    }
    expect((await carrel.call(api.readLiveness, {})).status).toBe(200)
    writing.stop()
    await writing.over
    carrel.kill('SIGKILL')
    expect(await endOf(carrel)).toEqual({ code: null, signal: 'SIGKILL' })
    expect(carrel.stdout()).not.toContain('UnhandledPromiseRejection')
  }
  const refused = [...ledger.refused].sort(([a], [b]) => a - b)
  console.log(`  refused: ${refused.map(([status, count]) => `${count} with ${status}`).join(', ')}`)
  const cut = await cutPower(
    { journal, data, before, acknowledged: ledger.acknowledged, sent: ledger.sent },
    { cuts: times(30, 600, 150), inspect: lookAtFile(ledger.sent) },
  )
  const stored = storedIn(join(data, 'carrel.db'))
  const missing = missingFrom(stored.numbers, ledger.acknowledged, ledger.sent)

  tell({
    id,
    what: `${error} of ${calls.join(' or ')} under writers, ${ledger.acknowledged.length} acknowledgements; the slowest to write again`,
    tries: once + forGood,
    lost: missing.length,
    figure: slowest,
    limit: 5000,
    unit: 'ms',
  })
  tell({ id, what: `power cuts between these faults`, tries: cut.states, lost: cut.statesWithLosses })
  return {
    missing,
    unsound: stored.unsound,
    afterPowerCuts: cut.lost,
    otherStatuses: refused.map(([status]) => status).filter((status) => !statuses.includes(status)),
  }
}
