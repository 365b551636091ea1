import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { comic, libraryFolder } from '../library-folder.ts'
import { bodyOf } from '../outcome.ts'
import { claim, logLinesOf, startCarrel, workerOf } from './carrel.ts'
import { endOf } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { waitUntil } from './wait-until.ts'
import { withoutRights } from './without-rights.ts'

/** Only root may make a process less polite again. */
const asUsersAre = withoutRights('sys_nice')

test('CFG-1 a server of a user who is not root finds books: its worker is polite, and what that starts less so', async () => {
  await using home = await temporaryFolder()
  await using books = await libraryFolder()
  await books.write('Saga/Saga 1.cbz', comic({ seed: 1 }))
  await using carrel = await startCarrel({ cwd: home.path, ...asUsersAre })
  const { call } = await claim(carrel)
  const { id } = bodyOf(await call(api.createLibrary, { body: { name: 'Comics', roots: [books.path] } }))

  await waitUntil('the end of the scan', async () => {
    const scan = bodyOf(await call(api.readScanStatus, { params: { id } }))
    return scan?.status === 'completed' && scan.analysisPending === 0
  })
  expect(bodyOf(await call(api.listBooks, {})).total).toBe(1)
})

test('CFG-1 SIGHUP takes up the log level of the configuration, in the server and its worker, and nothing ends', async () => {
  await using home = await temporaryFolder()
  const file = join(home.path, 'carrel.yaml')
  await writeFile(file, 'log_level: info\nlog_format: json\n')
  await using carrel = await startCarrel({ cwd: home.path })
  const taken = () => logLinesOf(carrel).filter(({ msg }) => msg === 'The log level is taken from the configuration')
  await workerOf(carrel)

  await writeFile(file, 'log_level: debug\n')
  carrel.kill('SIGHUP')

  await waitUntil('both to say so', () => taken().length === 2)
  expect(taken().map(({ to, role = 'server' }) => [role, to])).toEqual([
    ['server', 'debug'],
    ['worker', 'debug'],
  ])
  expect((await fetch(`${carrel.url}/health`)).status).toBe(200)
  carrel.kill('SIGTERM')
  expect(await endOf(carrel)).toEqual({ code: 0, signal: null })
})
