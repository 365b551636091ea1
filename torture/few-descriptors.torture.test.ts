import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { comic, libraryFolder } from '../packages/server/test/library-folder.ts'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { claim, startCarrel, withoutWorker } from '../packages/server/test/smoke/carrel.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { tell } from '../packages/server/test/smoke/torture.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'

const requirePrlimit = (skip: (note: string) => void): void => {
  if (!spawnSync('prlimit', ['--version']).error) return
  const note = 'NOT TESTED: a server without a descriptor left, because there is no prlimit (Debian: util-linux)'
  console.warn(note)
  skip(note)
}

const limitDescriptors = (pid: number, soft: number): void => {
  expect(spawnSync('prlimit', ['--pid', String(pid), `--nofile=${soft}:`]).status).toBe(0)
}

test('G10 P-17 without a descriptor left the server stays, says so without filling its log, and serves again when there are some', async ({
  skip,
}) => {
  requirePrlimit(skip)
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({
    cwd: folder.path,
    env: { ...withoutWorker, CARREL_RATE_LIMIT_ENABLED: 'false' },
  })
  const { call } = await claim(carrel)
  const open = readdirSync(`/proc/${carrel.pid}/fd`).length
  const limit = open + 60
  expect(spawnSync('prlimit', ['--pid', String(carrel.pid), `--nofile=${limit}:${limit}`]).status).toBe(0)
  const logBefore = carrel.stdout().split('\n').length
  const startedAt = performance.now()
  const { port, hostname } = new URL(carrel.url)
  const sockets: Socket[] = Array.from({ length: 1000 }, () => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    socket.write('GET /health HTTP/1.1\r\n')
    return socket
  })
  await waitUntil('the descriptors to be used up', () => readdirSync(`/proc/${carrel.pid}/fd`).length >= limit - 2)
  await delay(5000)
  const seconds = (performance.now() - startedAt) / 1000
  const lines = carrel.stdout().split('\n').length - logBefore + carrel.stderr().split('\n').length
  expect(readdirSync(`/proc/${carrel.pid}/fd`).length).toBeGreaterThan(0)

  for (const socket of sockets) socket.destroy()
  await waitUntil('the server to be well again', async () => {
    const outcome = await call(api.savePreference, { params: { key: 'a' }, body: { value: 1 } }).catch(() => undefined)
    return outcome?.status === 200
  })

  tell({
    id: 'G10',
    what: 'lines of the log in a second meanwhile',
    tries: 1000,
    lost: 0,
    figure: lines / seconds,
    limit: 1,
    unit: 'lines',
  })
  expect(carrel.stdout() + carrel.stderr()).not.toContain('uncaught')
})

test('G10 P-17 P-23 what cannot be opened for want of a descriptor is told to wait, and no book is blamed', async ({
  skip,
}) => {
  requirePrlimit(skip)
  await using folder = await temporaryFolder()
  await using books = await libraryFolder()
  await books.write('A/1.cbz', comic({ seed: 1 }))
  await using carrel = await startCarrel({ cwd: folder.path, env: { CARREL_RATE_LIMIT_ENABLED: 'false' } })
  const { call } = await claim(carrel)
  const { id } = bodyOf(await call(api.createLibrary, { body: { name: 'Comics', roots: [books.path] } }))
  await waitUntil('the scan', async () => {
    const scan = bodyOf(await call(api.readScanStatus, { params: { id } }))
    return scan?.status === 'completed' && scan.analysisPending === 0
  })
  const [book] = bodyOf(await call(api.listBooks, { query: {} })).data
  if (!book) throw new Error('There is a book')
  const readPages = async () => [
    await call(api.readPage, { params: { id: book.id, number: 1 } }),
    // It needs a process to be made smaller in.
    await call(api.readPage, { params: { id: book.id, number: 2 }, query: { width: 50 } }),
  ]

  const usual = Number(/open files\s+(\d+)/.exec(readFileSync(`/proc/${carrel.pid}/limits`, 'utf8'))?.[1])
  limitDescriptors(carrel.pid, 20)
  const refused = await readPages()
  expect((await call(api.readBook, { params: book })).status).toBe(200)
  limitDescriptors(carrel.pid, usual)

  expect(refused.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
    [503, '5'],
    [503, '5'],
  ])
  expect((await readPages()).map(({ status }) => status)).toEqual([200, 200])
  expect(bodyOf(await call(api.listBookErrors, { query: {} })).total).toBe(0)
  tell({ id: 'G10', what: 'pages without a descriptor', tries: 2, lost: 0 })
})
