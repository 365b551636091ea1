import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { bodyOf, errorOf } from '../outcome.ts'
import { claim, startCarrel, testPassword, withoutWorker } from './carrel.ts'
import { temporaryFolder } from './temporary-folder.ts'

const writers = 20

test('W1 while another program holds the lock of the database all who change something are told to try again, however many, and reading goes on', async () => {
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path, env: withoutWorker })
  const ana = await claim(carrel)
  const tag = (name: string) => ana.call(api.createSharingTag, { body: { name } })
  const save = (value: number) => ana.call(api.savePreference, { params: { key: 'number' }, body: { value } })
  using other = new DatabaseSync(join(carrel.dataDir, 'carrel.db'))

  other.exec('begin immediate')
  const refused = await Promise.all([
    ...Array.from({ length: writers }, (_, index) => tag(`Tag ${index}`)),
    ...Array.from({ length: writers }, (_, index) => save(index)),
    carrel.call(api.login, { body: { username: 'ana', password: testPassword } }),
  ])
  const books = await ana.call(api.listBooks, {})
  other.exec('rollback')

  for (const outcome of refused)
    expect([outcome.status, errorOf(outcome)]).toEqual([503, expect.objectContaining({ error: 'unavailable' })])
  expect(books.status).toBe(200)
  expect((await tag('Tag 0')).status).toBe(201)
  expect((await save(7)).status).toBe(200)
  expect(bodyOf(await ana.call(api.readPreferences, {})).preferences['number']).toBe(7)
  expect((await carrel.call(api.readReadiness, {})).status).toBe(200)
})
