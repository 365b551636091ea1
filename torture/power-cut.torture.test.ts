import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as api from '@carrel/api'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { seed } from '../packages/server/test/seed.ts'
import { claim, signIn, startCarrel } from '../packages/server/test/smoke/carrel.ts'
import { endOf } from '../packages/server/test/smoke/program.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { tell, times } from '../packages/server/test/smoke/torture.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { cutPower, lookAtFile, type Recorded } from './disk/cut-power.ts'
import { faultyDisk, requireFaultyDisk } from './disk/preload.ts'
import { snapshotOf } from './disk/replay.ts'
import {
  emptyWriteLedger,
  giveCovers,
  missingFrom,
  prepareInstallation,
  tortureEnv,
  unsound,
  writeNumbers,
} from './numbered-writes.ts'

console.log(`The moments of the power cuts come from SEED=${seed}`)

/** Many clients write; the server is killed, stopped and started again meanwhile. */
const recordServer = async (cwd: string, toolFolder: string, acknowledgements: number): Promise<Recorded> => {
  const data = join(cwd, 'data')
  const installation = await prepareInstallation(cwd)
  const before = snapshotOf(data)
  const disk = faultyDisk(data, toolFolder)
  const ledger = emptyWriteLedger()
  for (const signal of ['SIGKILL', 'SIGTERM', 'SIGKILL', 'SIGTERM'] as const) {
    await using carrel = await startCarrel({ cwd, env: { ...tortureEnv, ...disk.env } })
    const reader = await signIn(carrel, 'ana')
    const enough = ledger.acknowledged.length + acknowledgements / 4
    const writing = writeNumbers(reader, installation, ledger, disk.journalSize)
    await giveCovers(reader, installation, ledger, { count: 20, at: disk.journalSize })
    await waitUntil('enough to be acknowledged', () => ledger.acknowledged.length >= enough)
    carrel.kill(signal)
    await endOf(carrel)
    await writing.over
  }
  expect([...ledger.refused.keys()].filter((status) => status !== 503)).toEqual([])
  return { journal: disk.journal, data, before, acknowledged: ledger.acknowledged, sent: ledger.sent }
}

test('A3 P-2 after a power cut at any moment the file has all that was acknowledged, whatever had not been flushed', async ({
  skip,
}) => {
  requireFaultyDisk(skip)
  await using installation = await temporaryFolder()
  await using toolFolder = await temporaryFolder()
  const cuts = times(100, 3000, 500)
  const recorded = await recordServer(installation.path, toolFolder.path, times(600, 8000, 2000))

  const honest = await cutPower(recorded, { cuts, inspect: lookAtFile(recorded.sent) })

  tell({
    id: 'A3',
    what: `${recorded.acknowledged.length} acknowledgements, ${honest.changes} changes of the disk`,
    tries: honest.states,
    lost: honest.statesWithLosses,
  })
  expect(honest.lost).toEqual([])
  expect(new Set(recorded.acknowledged.map(({ slot }) => slot)).size).toBeGreaterThan(10)

  // A disk that does not do what it says: whoever finds nothing there finds nothing anywhere.
  const lying = await cutPower(recorded, {
    cuts: Math.ceil(cuts / 4),
    ignoresSync: (path) => path.endsWith('-wal'),
    inspect: lookAtFile(recorded.sent),
  })
  tell({
    id: 'A3',
    what: 'control: a disk that does not flush the log loses',
    tries: lying.states,
    figure: lying.statesWithLosses,
    unit: 'states with losses',
  })
  expect(lying.statesWithLosses).toBeGreaterThan(lying.states * 0.3)
})

const writer = fileURLToPath(new URL('programs/commit-rows.ts', import.meta.url))

/** How many states after a power cut have lost rows that were committed with this setting. */
const lossesOf = async (synchronous: 'FULL' | 'NORMAL', cuts: number) => {
  await using folder = await temporaryFolder()
  await using toolFolder = await temporaryFolder()
  const data = join(folder.path, 'data')
  mkdirSync(data)
  const disk = faultyDisk(data, toolFolder.path)
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [writer, join(data, 'carrel.db'), disk.journal, synchronous, '300'],
    { env: { PATH: process.env.PATH, ...disk.env }, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(stderr)
  const acknowledged = (JSON.parse(stdout) as number[]).map((at, index) => ({ slot: 'rows', number: index + 1, at }))
  const recorded: Recorded = { journal: disk.journal, data, before: new Map(), acknowledged, sent: new Map() }
  return cutPower(recorded, {
    cuts,
    inspect: (folder, there) => {
      if (there.length === 0) return []
      try {
        const database = new Sqlite(join(folder, 'carrel.db'), { fileMustExist: true })
        const rows = database.prepare<[], number>('select count(*) from row').pluck().get() ?? 0
        database.close()
        return [...unsound(join(folder, 'carrel.db')).map(String), ...(rows < there.length ? [`${rows} rows`] : [])]
      } catch (error) {
        return [String(error)]
      }
    },
  })
}

test('A3 P-2 control: what is committed with synchronous=NORMAL gets lost, and nothing with FULL', async ({ skip }) => {
  requireFaultyDisk(skip)
  const cuts = times(60, 400, 150)

  const full = await lossesOf('FULL', cuts)
  const normal = await lossesOf('NORMAL', cuts)

  tell({ id: 'A3', what: 'rows committed with FULL', tries: full.states, lost: full.statesWithLosses })
  tell({
    id: 'A3',
    what: 'control: rows committed with NORMAL get lost',
    tries: normal.states,
    figure: normal.statesWithLosses,
    unit: 'states with losses',
  })
  expect(full.lost).toEqual([])
  expect(normal.statesWithLosses).toBeGreaterThan(normal.states * 0.3)
})

test('A3 P-2 a server that is started on what a power cut has left serves all that was acknowledged', async ({
  skip,
}) => {
  requireFaultyDisk(skip)
  await using installation = await temporaryFolder()
  await using toolFolder = await temporaryFolder()
  const recorded = await recordServer(installation.path, toolFolder.path, times(200, 800))
  let slowest = 0

  const { lost, states } = await cutPower(recorded, {
    cuts: times(3, 40, 10),
    inspect: async (folder, acknowledged) => {
      const startedAt = performance.now()
      await using carrel = await startCarrel({ cwd: join(folder, '..'), dataDir: folder, env: tortureEnv })
      slowest = Math.max(slowest, performance.now() - startedAt)
      const reader = await signIn(carrel, 'ana')
      const { preferences } = bodyOf(await reader.call(api.readPreferences, {}))
      const written = new Map(
        Object.entries(preferences).map(([key, value]) => [key.replace('writer-', 'preference '), Number(value)]),
      )
      const ofPreferences = acknowledged.filter(({ slot }) => slot.startsWith('preference'))
      carrel.kill('SIGTERM')
      expect(await endOf(carrel)).toEqual({ code: 0, signal: null })
      return [...missingFrom(written, ofPreferences, recorded.sent), ...lookAtFile(recorded.sent)(folder, acknowledged)]
    },
  })

  tell({
    id: 'A3',
    what: 'starts over what a power cut has left, the slowest',
    tries: states,
    lost: lost.length,
    figure: slowest,
    limit: 5000,
    unit: 'ms',
  })
  expect(lost).toEqual([])
})

const isUnclaimed = async (dataDir: string): Promise<boolean> => {
  await using carrel = await startCarrel({ cwd: join(dataDir, '..'), dataDir, env: tortureEnv })
  return bodyOf(await carrel.call(api.readSetupStatus, {})).setupRequired
}

const administratorsIn = (file: string): unknown => {
  const database = new Sqlite(file, { fileMustExist: true })
  try {
    return database.prepare("select username from user where role = 'admin'").pluck().all()
  } finally {
    database.close()
  }
}

test('A3 P-2 CFG-5 after a power cut in the first minute of an installation its first administrator is there, and its secret is the same', async ({
  skip,
}) => {
  requireFaultyDisk(skip)
  await using installation = await temporaryFolder()
  await using toolFolder = await temporaryFolder()
  const data = join(installation.path, 'data')
  mkdirSync(data, { mode: 0o700 })
  const before = snapshotOf(data)
  const disk = faultyDisk(data, toolFolder.path)
  const claimedAt = await (async () => {
    await using carrel = await startCarrel({ cwd: installation.path, env: { ...tortureEnv, ...disk.env } })
    const { call } = await claim(carrel)
    const at = disk.journalSize()
    for (let n = 0; n < 5; n += 1) bodyOf(await call(api.savePreference, { params: { key: 'n' }, body: { value: n } }))
    carrel.kill('SIGTERM')
    await endOf(carrel)
    return at
  })()
  const secret = readFileSync(join(data, 'secret.key'), 'utf8')
  const acknowledged = [{ slot: 'claimed', number: 1, at: claimedAt }]

  let lookCount = 0
  const { lost, states } = await cutPower(
    { journal: disk.journal, data, before, acknowledged, sent: new Map() },
    {
      cuts: 1000,
      inspect: async (folder, there) => {
        lookCount += 1
        const file = join(folder, 'carrel.db')
        try {
          // A start takes long: it is tried on some of them.
          const isOpenToAll = lookCount % times(97, 5, 31) === 0 && (await isUnclaimed(folder))
          expect(isOpenToAll && there.length > 0).toBe(false)
          if (there.length === 0) return []
          expect(unsound(file)).toEqual([])
          expect(administratorsIn(file)).toEqual(['ana'])
          expect(readFileSync(join(folder, 'secret.key'), 'utf8')).toBe(secret)
          return []
        } catch (error) {
          return [String(error)]
        }
      },
    },
  )

  tell({ id: 'A3', what: 'power cuts of a first start', tries: states, lost: lost.length })
  expect(lost).toEqual([])
})
