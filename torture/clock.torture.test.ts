import { setTimeout as delay } from 'node:timers/promises'
import * as api from '@carrel/api'
import Sqlite from 'better-sqlite3'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { signIn, startCarrel } from '../packages/server/test/smoke/carrel.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { tell, times } from '../packages/server/test/smoke/torture.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { movableClock } from './clock/movable-clock.ts'
import { requireFaultyDisk } from './disk/preload.ts'
import { emptyWriteLedger, missingFrom, prepareInstallation, storedIn, writeNumbers } from './numbered-writes.ts'

const countsIn = (file: string): Record<string, number> => {
  const database = new Sqlite(file, { readonly: true })
  const count = (table: string): number =>
    database.prepare<[], number>(`select count(*) from ${table}`).pluck().get() ?? 0
  const counts = Object.fromEntries(
    ['user', 'session', 'api_key', 'book', 'series'].map((table) => [table, count(table)]),
  )
  database.close()
  return counts
}

test('F1 P-9 a clock that leaps 400 days ahead and ten years back under load ends no process, and takes nothing away', async ({
  skip,
}) => {
  requireFaultyDisk(skip)
  await using folder = await temporaryFolder()
  await using toolFolder = await temporaryFolder()
  const cwd = folder.path
  const file = join(cwd, 'data/carrel.db')
  const installation = await prepareInstallation(cwd)
  const clock = movableClock(toolFolder.path)
  await using carrel = await startCarrel({
    cwd,
    env: { CARREL_RATE_LIMIT_ENABLED: 'false', CARREL_LOG_FORMAT: 'json', ...clock.env },
  })
  const ana = await signIn(carrel, 'ana')
  const key = bodyOf(await ana.call(api.createApiKey, { body: { name: 'Tablet' } }))
  const byKey = carrel.callWith({ 'x-api-key': key.key })
  const byCookie = carrel.callWith({ cookie: ana.cookie })
  const before = countsIn(file)
  const ledger = emptyWriteLedger()
  // A key that has no end is good at any time; tokens end, as they should, when their hour is over.
  const writing = writeNumbers({ ...ana, call: byKey }, installation, ledger, () => 0)
  const leaps = [0, 400, 0, -3650, 0, 400, -3650, 0]
  for (let round = 0; round < times(1, 10, 3); round += 1) {
    for (const days of leaps) {
      clock.set(days)
      const enough = ledger.acknowledged.length + 50
      await waitUntil('writes to go on', () => ledger.acknowledged.length > enough)
      // What runs by itself looks at the clock once in a while.
      await delay(times(2000, 20_000, 8000))
      expect((await carrel.call(api.readReadiness, {})).status).toBe(200)
      const figures = bodyOf(await byKey(api.readTaskMetrics, {}))
      expect(JSON.stringify(figures)).not.toMatch(/:-\d/)
    }
  }
  writing.stop()
  await writing.over

  expect((await byCookie(api.readMe, {})).status).toBe(200)
  expect((await byKey(api.readMe, {})).status).toBe(200)
  const after = countsIn(file)
  const missing = missingFrom(storedIn(file).numbers, ledger.acknowledged, ledger.sent)
  const gone = Object.keys(before).filter((table) => (after[table] ?? 0) < (before[table] ?? 0))
  tell({
    id: 'F1',
    what: `leaps of the clock beside ${ledger.acknowledged.length} writes`,
    tries: leaps.length * times(1, 10, 3),
    lost: missing.length + gone.length,
  })
  expect(gone).toEqual([])
  expect(missing).toEqual([])
  expect([...ledger.refused]).toEqual([])
})
