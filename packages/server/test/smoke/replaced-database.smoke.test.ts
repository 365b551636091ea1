import { existsSync } from 'node:fs'
import { copyFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { bodyOf, errorOf } from '../outcome.ts'
import { type Carrel, claim, signIn, startCarrel, type Visitor, withoutWorker } from './carrel.ts'
import { endOf } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'

const fileOf = ({ dataDir }: Carrel): string => join(dataDir, 'carrel.db')
const files = (file: string): readonly string[] => [file, `${file}-wal`, `${file}-shm`]

const save = ({ call }: Visitor, value: number) =>
  call(api.savePreference, { params: { key: 'number' }, body: { value } })
const savedBy = async ({ call }: Visitor) => bodyOf(await call(api.readPreferences, {})).preferences['number']

const expectRefused = async (carrel: Carrel, ana: Visitor, value: number): Promise<void> => {
  const refused = await save(ana, value)
  expect([refused.status, errorOf(refused)]).toEqual([
    503,
    expect.objectContaining({ error: 'unavailable', message: expect.stringContaining('moved, replaced or deleted') }),
  ])
  expect((await carrel.call(api.readReadiness, {})).status).toBe(503)
  expect((await carrel.call(api.readLiveness, {})).status).toBe(200)
}

test('P-1 B1 nothing is acknowledged while another file, or none, has the name of the database; put back, all goes on', async () => {
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path, env: withoutWorker })
  const ana = await claim(carrel)
  const file = fileOf(carrel)
  expect((await save(ana, 1)).status).toBe(200)

  await rename(file, `${file}.away`)
  await expectRefused(carrel, ana, 2)
  await copyFile(`${file}.away`, file)
  await expectRefused(carrel, ana, 3)
  // The first may have been written before it was found out, as with any answer that does not say; no other is begun.
  expect([1, 2]).toContain(await savedBy(ana))

  await rename(`${file}.away`, file)
  expect((await save(ana, 4)).status).toBe(200)
  expect(await savedBy(ana)).toBe(4)
  expect((await carrel.call(api.readReadiness, {})).status).toBe(200)
})

test('P-1 B1 when the log of the database is deleted under a server, what was acknowledged is put into the database, and no more is', async () => {
  await using folder = await temporaryFolder()
  {
    await using carrel = await startCarrel({ cwd: folder.path, env: withoutWorker })
    const ana = await claim(carrel)
    expect((await save(ana, 1)).status).toBe(200)

    await rm(`${fileOf(carrel)}-wal`)
    await expectRefused(carrel, ana, 2)
    carrel.kill('SIGKILL')
    await endOf(carrel)
  }
  await using again = await startCarrel({ cwd: folder.path, env: withoutWorker })
  const ana = await signIn(again, 'ana')
  expect([1, 2]).toContain(await savedBy(ana))
  expect((await save(ana, 3)).status).toBe(200)
})

test('P-1 B1 a database that is deleted under a server is not made anew before it is started again', async () => {
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path })
  const ana = await claim(carrel)

  for (const each of files(fileOf(carrel))) await rm(each)
  await expectRefused(carrel, ana, 2)
  carrel.kill('SIGTERM')
  expect(await endOf(carrel)).toMatchObject({ code: 0 })
  expect(files(fileOf(carrel)).filter((each) => existsSync(each))).toEqual([])
})
