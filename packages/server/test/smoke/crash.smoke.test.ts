import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import * as api from '@carrel/api'
import Sqlite from 'better-sqlite3'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { bodyOf } from '../outcome.ts'
import { claim, signIn, startCarrel, withoutWorker } from './carrel.ts'
import { emptyLedger, lostFrom, writeUntilGone } from './ledger.ts'
import { newDatabase } from './postgres-of-file.ts'
import { endOf, launch } from './program.ts'
import { seed } from '../seed.ts'
import { randomFrom } from './random.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { tell, times } from './torture.ts'
import { waitUntil } from './wait-until.ts'

const unlimited = { CARREL_RATE_LIMIT_ENABLED: 'false' }
console.log(`The moments of the kills come from SEED=${seed}`)
const moment = randomFrom(seed)

interface Installation {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/**
 * It kills the server at some moment while clients write, and starts it again: each time all that was acknowledged is
 * there.
 */
const killRepeatedly = async (installation: Installation, rounds: number): Promise<number> => {
  const ledger = emptyLedger()
  let slowest = 0
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now()
    await using carrel = await startCarrel(installation)
    slowest = Math.max(slowest, performance.now() - startedAt)
    const admin = round === 0 ? await claim(carrel) : await signIn(carrel, 'ana')
    expect(await lostFrom(admin, ledger)).toEqual([])
    const before = ledger.acknowledgements
    const writing = writeUntilGone(admin, ledger, round)
    await waitUntil('the first acknowledgement', () => ledger.acknowledgements > before)
    await delay(moment() * 700)
    carrel.kill('SIGKILL')
    expect(await endOf(carrel)).toEqual({ code: null, signal: 'SIGKILL' })
    await writing
  }
  await using carrel = await startCarrel(installation)
  expect(await lostFrom(await signIn(carrel, 'ana'), ledger)).toEqual([])
  expect((await carrel.call(api.readReadiness, {})).status).toBe(200)
  tell({
    id: 'A1',
    what: `kills beside ${ledger.acknowledgements} acknowledgements; the slowest to be ready`,
    tries: rounds,
    lost: 0,
    figure: slowest,
    limit: 5000,
    unit: 'ms',
  })
  return ledger.acknowledgements
}

test('W1 W16 killed at any moment, SQLite has every change that was acknowledged, and is sound', async () => {
  await using folder = await temporaryFolder()

  const acknowledgements = await killRepeatedly({ cwd: folder.path, env: unlimited }, times(5, 200, 40))

  expect(acknowledgements).toBeGreaterThanOrEqual(5)
  const database = new Sqlite(join(folder.path, 'data/carrel.db'), { readonly: true })
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(database.pragma('foreign_key_check')).toEqual([])
  database.close()
})

test('W1 W16 killed at any moment, PostgreSQL has every change that was acknowledged', async () => {
  await using folder = await temporaryFolder()
  const env = { ...unlimited, ...withoutWorker, CARREL_DATABASE_URL: await newDatabase() }

  expect(await killRepeatedly({ cwd: folder.path, env }, times(2, 50, 10))).toBeGreaterThanOrEqual(2)
})

test('CFG-5 W16 killed in the first moments of the first start, the next start finds nothing half done', async () => {
  const rounds = times(5, 100, 25)
  for (let round = 0; round < rounds; round += 1) {
    await using folder = await temporaryFolder()
    await using killed = launch(['serve'], { cwd: folder.path, env: { CARREL_PORT: '0' } })
    await delay(moment() * 400)
    killed.kill('SIGKILL')
    await endOf(killed)

    await using carrel = await startCarrel({ cwd: folder.path, env: withoutWorker })
    expect((await carrel.call(api.readReadiness, {})).status).toBe(200)
    expect(await carrel.call(api.readSetupStatus, {})).toMatchObject({ body: { setupRequired: true } })
    expect((await stat(join(carrel.dataDir, 'secret.key'))).mode & 0o777).toBe(0o600)
    const { call } = await claim(carrel)
    expect(bodyOf(await call(api.listUsers, {})).total).toBe(1)
    expect(await readdir(carrel.dataDir)).not.toContain('setup-token')
  }
  tell({ id: 'G15', what: 'first starts that were killed', tries: rounds, lost: 0 })
})

test('CFG-5 W16 killed in the first moments on PostgreSQL, the next start finds nothing half done', async () => {
  await using folder = await temporaryFolder()
  for (let round = 0; round < 3; round += 1) {
    const url = await newDatabase()
    const installation = { cwd: folder.path, env: { CARREL_PORT: '0', CARREL_DATABASE_URL: url } }
    await using killed = launch(['serve'], installation)
    await delay(250 + moment() * 250)
    killed.kill('SIGKILL')
    await endOf(killed)

    await using carrel = await startCarrel({ ...installation, env: { ...installation.env, ...withoutWorker } })
    expect((await carrel.call(api.readReadiness, {})).status).toBe(200)
    await claim(carrel)
    const client = new Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query('select name from secret order by name')
    await client.end()
    expect(rows).toEqual([{ name: 'installation' }])
  }
})
