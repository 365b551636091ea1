import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { tinyJpeg } from '../packages/server/test/books/pictures.ts'
import { zip } from '../packages/server/test/books/zip.ts'
import { libraryFolder } from '../packages/server/test/library-folder.ts'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { claim, startCarrel } from '../packages/server/test/smoke/carrel.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { tell, times } from '../packages/server/test/smoke/torture.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { heldBy, secondsUntilLetGo } from './held-connections.ts'

const downloads = 200
const readers = 50
const bookBytes = 8 * 1024 * 1024
const bytesASecond = 10_000
const mebibyte = 1024 * 1024

/** It is what the process that answers has of the machine's memory, in bytes. */
const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024

/** It takes what it asked for at that speed. */
const downloadSlowly = (url: string, path: string, cookie: string, speed: number) => {
  const { hostname, port } = new URL(url)
  const socket: Socket = connect({ host: hostname, port: Number(port) })
  let [taken, isClosed] = [0, false]
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isClosed = true
  })
  socket.pause()
  socket.write(`GET ${path} HTTP/1.1\r\nHost: carrel\r\nCookie: ${cookie}\r\n\r\n`)
  const timer = setInterval(() => {
    const chunk: unknown = socket.read(speed / 10) ?? socket.read()
    if (chunk instanceof Buffer) taken += chunk.length
  }, 100)
  return {
    taken: () => taken,
    isClosed: () => isClosed,
    end: () => {
      clearInterval(timer)
      socket.destroy()
    },
  }
}

const at95 = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.95)] ?? 0

/** A server with one book whose file is large, and somebody who may fetch it. */
const startWithLargeBook = async () => {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(await temporaryFolder())
  const library = stack.use(await libraryFolder())
  await library.write(
    'Large/Large.cbz',
    zip([
      { name: '1.jpg', bytes: tinyJpeg(1), method: 'stored' },
      { name: 'extras.bin', bytes: randomBytes(bookBytes), method: 'stored' },
    ]),
  )
  const carrel = stack.use(await startCarrel({ cwd: folder.path, env: { CARREL_RATE_LIMIT_ENABLED: 'false' } }))
  const ana = await claim(carrel)
  const { id: libraryId } = bodyOf(
    await ana.call(api.createLibrary, { body: { name: 'Comics', roots: [library.path] } }),
  )
  const [book] = await waitUntil('the book to be read', async () => {
    const { data } = bodyOf(await ana.call(api.listBooks, { query: { libraryId } }))
    return data.length === 1 && data.every(({ pageCount }) => pageCount > 0) && data
  })
  const owned = stack.move()
  return { carrel, ana, library, bookId: book?.id ?? '', [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

test('G19 P-17 P-18 two hundred who download slowly cost no memory, and others read as before', async () => {
  await using started = await startWithLargeBook()
  const { carrel, ana, bookId } = started
  const path = `/api/v1/books/${bookId}/file`
  const page = `${carrel.url}/media/books/${bookId}/pages/1`
  const readForSeconds = async (seconds: number): Promise<readonly number[]> => {
    const until = performance.now() + 1000 * seconds
    const latencies: number[] = []
    const read = async (): Promise<void> => {
      while (performance.now() < until) {
        const startedAt = performance.now()
        const { status } = await fetch(page, { headers: { cookie: ana.cookie } })
        expect(status).toBe(200)
        latencies.push(performance.now() - startedAt)
        await delay(100)
      }
    }
    await Promise.all(Array.from({ length: readers }, read))
    return latencies
  }
  const seconds = times(8, 120, 30)
  const alone = at95(await readForSeconds(seconds))
  const before = memoryOf(carrel.pid)

  const slow: ReturnType<typeof downloadSlowly>[] = []
  while (slow.length < downloads) {
    // All at the same moment would be too many for one disk, of which each is told.
    for (let count = 0; count < 20; count += 1) slow.push(downloadSlowly(carrel.url, path, ana.cookie, bytesASecond))
    await waitUntil('them to have begun', () => slow.every(({ taken }) => taken() > 0))
  }
  const beside = at95(await readForSeconds(seconds))
  const grown = memoryOf(carrel.pid) - before
  expect(slow.filter(({ isClosed }) => isClosed())).toEqual([])
  for (const { end } of slow) end()

  tell({ id: 'G19', what: 'memory beside', tries: downloads, figure: grown / mebibyte, limit: 64, unit: 'MiB' })
  tell({ id: 'G19', what: `a page at 95 %, ${Math.round(alone)} ms alone`, tries: readers, figure: beside, unit: 'ms' })
  expect(grown).toBeLessThan(64 * mebibyte)
  const { status } = await ana.call(api.savePreference, { params: { key: 'after' }, body: { value: 1 } })
  expect(status).toBe(200)
})

/** How many files below a folder a process has open. */
const openBelow = (folder: string, pid: number): number =>
  readdirSync(`/proc/${pid}/fd`).filter((each) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${each}`).startsWith(folder)
    } catch {
      // It was closed meanwhile.
      return false
    }
  }).length

test('G19 P-17 those who ask for a file and take nothing of it are cut, and leave neither a connection nor a file open', async () => {
  const count = times(20, 200, 50)
  await using started = await startWithLargeBook()
  const { carrel, ana, library, bookId } = started
  const { hostname, port, host } = new URL(carrel.url)
  let begun = 0
  const clients = Array.from({ length: count }, () => {
    const socket = connect({ host: hostname, port: Number(port) })
    socket.on('error', () => undefined)
    socket.once('data', () => {
      begun += 1
      socket.pause()
    })
    socket.write(`GET /api/v1/books/${bookId}/file HTTP/1.1\r\nHost: ${host}\r\nCookie: ${ana.cookie}\r\n\r\n`)
    return socket
  })
  await waitUntil('all of them to be answered', () => begun === count)
  expect(heldBy(carrel.url, clients)).toHaveLength(count)

  const seconds = await secondsUntilLetGo(carrel.url, clients)

  tell({ id: 'G19', what: 'until who takes nothing is cut', tries: count, figure: seconds, limit: 160, unit: 's' })
  await waitUntil('the files to be closed', () => openBelow(library.path, carrel.pid) === 0)
  for (const socket of clients) socket.destroy()
})
