import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { freePort } from '../free-port.ts'
import { bodyOf } from '../outcome.ts'
import { comic, libraryFolder } from '../library-folder.ts'
import { type Carrel, claim, signIn, startCarrel, type Visitor, workerOf } from './carrel.ts'
import { childrenOf, commandOf, endOf } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { waitUntil } from './wait-until.ts'

const descendantsOf = (pid: number): number[] => childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)])

/** One that has ended and that nobody has asked about yet is over. */
const isAlive = (pid: number): boolean => {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const allGone = (pids: readonly number[]) => waitUntil('the end of all of them', () => !pids.some(isAlive))

/** After it a decoder of the server and one of the worker are running. */
const readSomething = async ({ call }: Visitor, root: string): Promise<void> => {
  const { id } = bodyOf(await call(api.createLibrary, { body: { name: 'Comics', roots: [root], watch: false } }))
  const scanned = await waitUntil('a book that was read', async () => {
    const { data } = bodyOf(await call(api.listBooks, {}))
    const [book] = data
    const scan = bodyOf(await call(api.readScanStatus, { params: { id } }))
    return scan?.completedAt !== null && scan?.analysisPending === 0 ? book : undefined
  })
  const page = await call(api.readPage, { params: { id: scanned.id, number: 1 }, query: { width: 100 } })
  expect(page.status).toBe(200)
}

const decodersBelow = (pid: number): number[] =>
  descendantsOf(pid).filter((each) => commandOf(each).includes('/decoder.js'))

const fill = async (carrel: Carrel, root: string): Promise<Visitor> => {
  const ana = await claim(carrel)
  await readSomething(ana, root)
  return ana
}

test('B4 with a server that is killed its worker and all decoders end, those that hear nothing too', async () => {
  await using folder = await temporaryFolder()
  await using books = await libraryFolder()
  await books.write('A/1.cbz', comic({ seed: 1, pages: 2 }))
  await using carrel = await startCarrel({ cwd: folder.path })
  await fill(carrel, books.path)
  const all = descendantsOf(carrel.pid)
  const stopped = decodersBelow(carrel.pid)
  expect(stopped.length).toBeGreaterThan(0)
  for (const pid of stopped) process.kill(pid, 'SIGSTOP')

  carrel.kill('SIGKILL')

  await allGone(all)
  expect(all.filter(isAlive)).toEqual([])
})

test('B4 a worker that stands still ends with its server, and its decoders with it', async () => {
  await using folder = await temporaryFolder()
  await using books = await libraryFolder()
  await books.write('A/1.cbz', comic({ seed: 1, pages: 2 }))
  await using carrel = await startCarrel({ cwd: folder.path })
  await fill(carrel, books.path)
  const all = descendantsOf(carrel.pid)
  const worker = await workerOf(carrel)
  process.kill(worker, 'SIGSTOP')

  carrel.kill('SIGKILL')

  await allGone(all)
  expect(all.filter(isAlive)).toEqual([])
})

test('B4 with a worker that is killed its decoders end', async () => {
  await using folder = await temporaryFolder()
  await using books = await libraryFolder()
  await books.write('A/1.cbz', comic({ seed: 1, pages: 2 }))
  await using carrel = await startCarrel({ cwd: folder.path })
  await fill(carrel, books.path)
  const worker = await workerOf(carrel)
  const below = descendantsOf(worker)
  expect(below.length).toBeGreaterThan(0)
  for (const pid of below) process.kill(pid, 'SIGSTOP')

  process.kill(worker, 'SIGKILL')

  await allGone([worker, ...below])
})

test.concurrent('B4 kill -9 of the launcher that a supervisor knows ends the server too, and the next start finds port and data free', async () => {
  await using folder = await temporaryFolder()
  await using books = await libraryFolder()
  await books.write('A/1.cbz', comic({ seed: 1, pages: 2 }))
  const pretence = join(folder.path, 'pretence.cjs')
  await writeFile(
    pretence,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.9.0' } })`,
  )
  const options = {
    cwd: folder.path,
    nodeArgs: ['--require', pretence],
    env: { CARREL_PORT: String(await freePort()) },
  }
  await using first = await startCarrel(options)
  await fill(first, books.path)
  const all = descendantsOf(first.pid)
  expect(all.length).toBeGreaterThan(1)

  process.kill(first.pid, 'SIGKILL')
  await using second = await startCarrel(options)

  await allGone(all)
  await endOf(first)
  expect((await signIn(second, 'ana')).user).toMatchObject({ username: 'ana' })
})

// It takes as long as a worker may be silent: meanwhile another test goes on.
test.concurrent('B6 a worker that says nothing is named by /health/ready, with since when', async () => {
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path })
  const readiness = async () => {
    const reply = await fetch(`${carrel.url}/health/ready`)
    return { code: reply.status, ...((await reply.json()) as api.Readiness) }
  }
  await waitUntil('the server to be ready', async () => (await readiness()).code === 200)
  const worker = await workerOf(carrel)

  process.kill(worker, 'SIGSTOP')

  const message = await waitUntil('the silence to be told', async () => (await readiness()).checks.worker?.message)
  expect(message).toMatch(/^The worker is silent since \d{4}-\d\d-\d\dT[\d:.]+Z\.$/)
  expect((await readiness()).code).toBe(503)
  process.kill(worker, 'SIGCONT')
  await waitUntil('the worker to be heard again', async () => (await readiness()).code === 200)
})
