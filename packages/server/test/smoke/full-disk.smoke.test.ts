import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { bodyOf, errorOf } from '../outcome.ts'
import { freePort } from '../free-port.ts'
import { requireSmallDisks, smallDisk } from '../small-disk.ts'
import { type Carrel, claim, logged, signIn, startCarrel, withoutWorker } from './carrel.ts'
import { endOf } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { waitUntil } from './wait-until.ts'

const isReady = async (carrel: Carrel): Promise<boolean> => (await carrel.call(api.readReadiness, {})).status === 200
const save = { body: { preferences: { theme: 'dark' } } }

test('B2 on a disk without a free byte what was set aside lets people sign in and save for a while, and administrators are told', async ({
  skip,
}) => {
  requireSmallDisks(skip)
  await using folder = await temporaryFolder()
  await using disk = await smallDisk(48)
  const setup = { cwd: folder.path, dataDir: join(disk.path, 'data') }
  await using carrel = await startCarrel({ ...setup, env: { CARREL_DISK_RESERVE_MIB: '4' } })
  const ana = await claim(carrel)
  const reserve = join(setup.dataDir, 'reserve')
  await waitUntil('some room to be set aside', () => existsSync(reserve))

  await disk.fill()
  await waitUntil('it to be noticed', async () => !(await isReady(carrel)))

  await waitUntil('the room to be given back', () => !existsSync(reserve))
  const { call } = await signIn(carrel, 'ana')
  expect((await call(api.savePreferences, save)).status).toBe(200)
  const { problems } = bodyOf(await ana.call(api.readServerProblems, {}))
  expect(problems).toMatchObject([{ code: 'disk_full', path: setup.dataDir }])
  const { storage } = ((await (await fetch(`${carrel.url}/health/ready`)).json()) as api.Readiness).checks
  expect(storage).toMatchObject({ status: 'failed', message: expect.stringContaining('The disk is full since') })
  expect(logged(carrel, 'The disk is full: reading goes on, changes may be refused')).toBe(true)

  await disk.makeRoom()
  await waitUntil('the server to be ready again', () => isReady(carrel))
  expect(existsSync(reserve)).toBe(true)
  expect(bodyOf(await ana.call(api.readServerProblems, {})).problems).toEqual([])
})

test('B2 a reserve that another process has taken tells the server that the disk is full', async ({ skip }) => {
  requireSmallDisks(skip)
  await using folder = await temporaryFolder()
  await using disk = await smallDisk(48)
  const setup = { cwd: folder.path, dataDir: join(disk.path, 'data') }
  await using carrel = await startCarrel({ ...setup, env: { ...withoutWorker, CARREL_DISK_RESERVE_MIB: '4' } })
  const ana = await claim(carrel)
  const reserve = join(setup.dataDir, 'reserve')
  await waitUntil('some room to be set aside', () => existsSync(reserve))

  // The command starts on a full disk.
  await disk.fill()
  await rm(reserve, { force: true })

  await waitUntil('it to be noticed', async () => !(await isReady(carrel)))
  expect(bodyOf(await ana.call(api.readServerProblems, {})).problems).toMatchObject([{ code: 'disk_full' }])
})

test('B2 a start on a disk without a free byte serves what is there, people sign in, and it is well as soon as there is room', async ({
  skip,
}) => {
  requireSmallDisks(skip)
  await using folder = await temporaryFolder()
  await using disk = await smallDisk(48)
  // It starts again in its own place, and must be found there.
  const env = { CARREL_DISK_RESERVE_MIB: '0', CARREL_PORT: String(await freePort()) }
  const options = { cwd: folder.path, dataDir: join(disk.path, 'data'), env }
  await using first = await startCarrel({ ...options, env: { ...options.env, ...withoutWorker } })
  await claim(first)
  first.kill('SIGTERM')
  await endOf(first)
  await disk.fill()

  await using carrel = await startCarrel(options)
  const ana = await signIn(carrel, 'ana')
  expect(bodyOf(await ana.call(api.listUsers, {})).total).toBe(1)
  expect((await carrel.callWith({ cookie: ana.cookie })(api.readMe, {})).status).toBe(200)
  const refused = await ana.call(api.savePreferences, save)
  expect([refused.status, errorOf(refused).error]).toEqual([507, 'disk_full'])
  expect(await isReady(carrel)).toBe(false)
  expect(bodyOf(await ana.call(api.readServerProblems, {})).problems).toMatchObject([{ code: 'disk_full' }])

  await disk.makeRoom()
  await waitUntil('the server to be ready', () => isReady(carrel).catch(() => false))
  const again = await signIn(carrel, 'ana')
  expect((await again.call(api.savePreferences, save)).status).toBe(200)
})

test('B2 a start on a full disk uses what was set aside, with the worker and all', async ({ skip }) => {
  requireSmallDisks(skip)
  await using folder = await temporaryFolder()
  await using disk = await smallDisk(48)
  const options = { cwd: folder.path, dataDir: join(disk.path, 'data'), env: { CARREL_DISK_RESERVE_MIB: '4' } }
  await using first = await startCarrel({ ...options, env: { ...options.env, ...withoutWorker } })
  await claim(first)
  await waitUntil('some room to be set aside', () => existsSync(join(options.dataDir, 'reserve')))
  first.kill('SIGKILL')
  await endOf(first)
  await disk.fill()

  await using carrel = await startCarrel(options)

  const ana = await signIn(carrel, 'ana')
  expect((await ana.call(api.savePreferences, save)).status).toBe(200)
  await waitUntil('the disk to be told as full', async () => !(await isReady(carrel)))
})
