import { setTimeout as delay } from 'node:timers/promises'
import { cpuUsOfAll, pssBytesOf } from '../process-figures.ts'
import type { Row } from './row.ts'
import { newDatabasesIn, type RunningServer, type ServerEntry, startServer } from './server.ts'

const pollMs = 25
const tooLongMs = 60 * 60_000
const settleMs = 5000
/** A server that takes less of a processor than this for a while is done with what a scan has left to do, such as covers. */
const quiet = { share: 0.05, forMs: 3000 }

interface FirstScan {
  readonly startMs: number
  readonly emptyBytes: number
  readonly listedPerSecond: number
  readonly readPerSecond: number
  readonly cpuMsPerBook: number
  readonly cpuMsPerBookInAll: number
  readonly bytesAfter: number
}

export interface ScanOptions {
  readonly root: string
  /** So many books can be listed, and so many of them can be read. */
  readonly books: number
  readonly readable: number
  readonly rounds: number
}

export interface ScannedServer {
  readonly server: RunningServer
  readonly libraryId: string
}

interface ScanResult {
  readonly rows: readonly Row[]
  /** The servers of the last round go on. */
  readonly servers: readonly ScannedServer[]
}

/** Each server is started on a new folder and reads the library in, each in turn, in every round. */
export const measureFirstScans = async (
  entries: readonly ServerEntry[],
  options: ScanOptions,
  keep: AsyncDisposableStack,
): Promise<ScanResult> => {
  const newDatabase = newDatabasesIn(keep)
  const scans: FirstScan[][] = entries.map(() => [])
  const servers: ScannedServer[] = []
  for (let round = 0; round < options.rounds; round += 1) {
    const isLast = round === options.rounds - 1
    const order = entries.map((_, at) => (at + round) % entries.length)
    for (const at of order) {
      const entry = entries[at]
      if (!entry) continue
      const server = await startServer(entry, newDatabase)
      const { scan, libraryId } = await scanFirst(server, options)
      scans[at]?.push(scan)
      if (isLast) servers[at] = { server: keep.use(server), libraryId }
      else await server[Symbol.asyncDispose]()
    }
  }
  const of = (figure: (scan: FirstScan) => number): number[][] => scans.map((each) => each.map(figure))
  const rows: Row[] = [
    { name: 'start to the first answer', unit: 'ms', values: of(({ startMs }) => startMs) },
    { name: 'memory, empty', unit: 'MB', values: of(({ emptyBytes }) => emptyBytes / 1e6) },
    { name: 'first scan: listed', unit: 'books/s', values: of((scan) => scan.listedPerSecond), isMoreBetter: true },
    { name: 'first scan: read', unit: 'books/s', values: of((scan) => scan.readPerSecond), isMoreBetter: true },
    { name: 'first scan: CPU of a book until it is read', unit: 'ms', values: of((scan) => scan.cpuMsPerBook) },
    {
      name: 'first scan: CPU of a book until the server is quiet',
      unit: 'ms',
      values: of((scan) => scan.cpuMsPerBookInAll),
    },
    { name: 'memory after the scan', unit: 'MB', values: of(({ bytesAfter }) => bytesAfter / 1e6) },
  ]
  return { rows, servers }
}

const scanFirst = async (
  { adapter, ask, pid, startMs }: RunningServer,
  { root, books, readable }: ScanOptions,
): Promise<{ readonly scan: FirstScan; readonly libraryId: string }> => {
  await delay(settleMs)
  const emptyBytes = pssBytesOf(pid).all
  const cpuBefore = cpuUsOfAll(pid)
  const startedAt = performance.now()
  const libraryId = await adapter.addLibrary(ask, root)
  let listedMs: number | undefined
  for (;;) {
    const { listed, read } = await adapter.count(ask, libraryId)
    const ms = performance.now() - startedAt
    if (listed >= books) listedMs ??= ms
    if (listedMs !== undefined && read >= readable) {
      const cpuMsPerBook = (cpuUsOfAll(pid) - cpuBefore) / 1000 / books
      const perSecond = { listedPerSecond: (books * 1000) / listedMs, readPerSecond: (readable * 1000) / ms }
      const bytesAfter = pssBytesOf(pid).all
      await untilQuiet(pid)
      const cpuMsPerBookInAll = (cpuUsOfAll(pid) - cpuBefore) / 1000 / books
      const scan = { startMs, emptyBytes, ...perSecond, cpuMsPerBook, cpuMsPerBookInAll, bytesAfter }
      return { scan, libraryId }
    }
    if (ms > tooLongMs) throw new Error(`Of ${books} books ${listed} are listed and ${read} read after an hour`)
    await delay(pollMs)
  }
}

const untilQuiet = async (pid: number): Promise<void> => {
  const givenUpAt = performance.now() + tooLongMs
  for (;;) {
    const before = cpuUsOfAll(pid)
    await delay(quiet.forMs)
    if ((cpuUsOfAll(pid) - before) / 1000 < quiet.share * quiet.forMs) return
    if (performance.now() > givenUpAt) throw new Error('The server is not quiet an hour after its scan')
  }
}

/** A scan that finds nothing new. */
export const measureRescans = async (servers: readonly ScannedServer[], rounds: number): Promise<Row[]> => {
  const wall: number[][] = servers.map(() => [])
  const cpu: number[][] = servers.map(() => [])
  for (let round = 0; round < rounds; round += 1)
    for (const [at, { server, libraryId }] of servers.entries()) {
      const before = cpuUsOfAll(server.pid)
      const startedAt = performance.now()
      await server.adapter.scan(server.ask, libraryId)
      if (server.adapter.tellsEndOfScan) wall[at]?.push(performance.now() - startedAt)
      // What it does after it has answered belongs to it.
      await delay(settleMs)
      cpu[at]?.push((cpuUsOfAll(server.pid) - before) / 1000)
    }
  return [
    { name: 'scan again, nothing new', unit: 'ms', values: wall },
    { name: 'scan again, nothing new: CPU, five seconds after it included', unit: 'ms', values: cpu },
  ]
}

/** All of them at the same time: nobody asks anything. */
export const measureIdling = async (servers: readonly ScannedServer[], seconds: number): Promise<Row[]> => {
  const before = servers.map(({ server }) => cpuUsOfAll(server.pid))
  await delay(seconds * 1000)
  const after = servers.map(({ server }, at) => (cpuUsOfAll(server.pid) - (before[at] ?? 0)) / 1000)
  return [
    { name: 'idle: CPU of a minute', unit: 'ms', values: after.map((ms) => [(ms * 60) / seconds]) },
    { name: 'idle: memory', unit: 'MB', values: servers.map(({ server }) => [pssBytesOf(server.pid).all / 1e6]) },
  ]
}
