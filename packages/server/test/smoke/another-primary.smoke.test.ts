import { chown, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { bodyOf } from '../outcome.ts'
import { startPostgres, type TestPostgres } from '../postgres.ts'
import { type Carrel, claim, startCarrel, type Visitor, withoutWorker } from './carrel.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { waitUntil } from './wait-until.ts'

const ask = async (url: string, statement: string): Promise<void> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

interface Installation {
  readonly postgres: TestPostgres
  readonly url: string
  readonly carrel: Carrel
  readonly ana: Visitor
}

const withCarrel = async (check: (installation: Installation) => Promise<void>): Promise<void> => {
  const postgres = await startPostgres({ mayFollow: true })
  try {
    await postgres.createDatabase('installation')
    const url = postgres.urlOf('installation')
    await using folder = await temporaryFolder()
    await using carrel = await startCarrel({
      cwd: folder.path,
      env: { ...withoutWorker, CARREL_DATABASE_URL: url, CARREL_RATE_LIMIT_ENABLED: 'false' },
    })
    await check({ postgres, url, carrel, ana: await claim(carrel) })
  } finally {
    await postgres.stop()
  }
}

const save = ({ ana }: Installation, key: string) =>
  ana.call(api.savePreference, { params: { key }, body: { value: 1 } })
const keysOf = async ({ ana }: Installation): Promise<string[]> =>
  Object.keys(bodyOf(await ana.call(api.readPreferences, {})).preferences)

test('P-12 HTTP-2 while the database takes no changes they are answered with 503, and are taken again when it does', async () => {
  await withCarrel(async (installation) => {
    const { postgres } = installation
    bodyOf(await save(installation, 'before'))
    // From another database: this one would refuse it.
    const outside = postgres.urlOf('postgres')
    await ask(outside, 'alter database installation set default_transaction_read_only = on')
    await ask(outside, `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'carrel'`)
    await waitUntil('a change to be refused', async () => (await save(installation, 'meanwhile')).status === 503)
    expect(await keysOf(installation)).toEqual(['before'])

    // What is open by now stays as it is.
    await ask(outside, 'alter database installation reset default_transaction_read_only')
    await waitUntil('a change to be taken', async () => (await save(installation, 'after')).ok)
    expect((await keysOf(installation)).toSorted()).toEqual(['after', 'before'])
  })
})

test('P-12 HTTP-8 a server of which the database has become one that follows is not ready, and all is there when that has taken over', async () => {
  await withCarrel(async (installation) => {
    const { postgres, url, carrel, ana } = installation
    const acknowledged = ['one', 'two', 'three']
    for (const key of acknowledged) bodyOf(await save(installation, key))
    await postgres.pause()
    const { uid, gid } = await stat(postgres.folder)
    await writeFile(join(postgres.folder, 'standby.signal'), '')
    await chown(join(postgres.folder, 'standby.signal'), uid, gid)
    // It counts as started when it takes changes.
    const resumed = postgres.resume()
    resumed.catch(() => undefined)
    await waitUntil('the database to answer', () =>
      ask(url, 'select 1').then(
        () => true,
        () => false,
      ),
    )

    await waitUntil('the server to say so', async () => (await carrel.call(api.readReadiness, {})).status === 503)
    const answers = [await save(installation, 'lost'), await ana.call(api.readPreferences, {})]
    expect(answers.map(({ status, headers }) => [status, headers.has('retry-after')])).toEqual([
      [503, true],
      [503, true],
    ])

    await ask(url, 'select pg_promote()')
    await resumed
    await waitUntil('a change to be taken', async () => (await save(installation, 'four')).ok)
    expect((await keysOf(installation)).toSorted()).toEqual([...acknowledged, 'four'].toSorted())
    await waitUntil('the server to be ready', async () => (await carrel.call(api.readReadiness, {})).ok)
  })
})
