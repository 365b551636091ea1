import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openContent } from '../books/content.ts'
import { addLibrary, requireCounts, scanOnce } from '../books/scan.ts'
import { watchMemory } from '../books/watch-memory.ts'
import type { BenchDatabase } from '../databases/database.ts'
import type { Bench, Figure } from '../figure.ts'
import { type GeneratedLibrary, generatedLibrary } from '../gen/library.ts'
import { callerAt, makeInstallation } from '../installation.ts'
import { bytesReadBy, childrenNamed, cpuUsOfAll } from '../process-figures.ts'

const run = promisify(execFile)
const headLoop = fileURLToPath(new URL('../books/head-loop.ts', import.meta.url))
const rounds = 3
const megabyte = 1_000_000

export const initialScan: Bench = {
  names: ['scan.initial.M'],
  run: async ({ database }) => {
    const library = await generatedLibrary('M')
    await runHeadLoop(library)
    const scans: FirstScan[] = []
    const limits: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      limits.push(await runHeadLoop(library))
      scans.push(await scanFirst(database, library))
    }
    return [
      ...figuresOf('scan.initial.M', scans),
      {
        name: 'scan.initial.M of the head loop',
        unit: '× limit',
        values: scans.map(({ readMs }, round) => (limits[round] ?? Number.NaN) / readMs),
        gate: { min: 0.5 },
      },
      {
        name: 'scan.initial.M head loop',
        unit: 'books/s',
        values: limits.map((ms) => (library.counts.books * 1000) / ms),
      },
    ]
  },
}

export interface FirstScan {
  readonly books: number
  readonly listedMs: number
  readonly readMs: number
  readonly cpuMs: number
  readonly peakMb: number
  /** Of the files, by the decoders. */
  readonly bytesRead: number
  readonly bytes: number
}

/** A library that the server has never seen, on a database that is new. */
export const scanFirst = async (database: BenchDatabase, { root, counts }: GeneratedLibrary): Promise<FirstScan> => {
  await using installation = await makeInstallation(await database.freshEnvironment())
  await using server = await installation.start()
  await using content = await openContent(installation)
  const call = callerAt(server.port, installation.token)
  const id = await addLibrary(call, root)
  const cpuBefore = cpuUsOfAll(server.pid)
  using memory = watchMemory(server.pid)
  const { listedMs, readMs } = await scanOnce(call, content, id)
  await requireCounts(content, id, counts)
  return {
    books: counts.books,
    listedMs,
    readMs,
    cpuMs: (cpuUsOfAll(server.pid) - cpuBefore) / 1000,
    peakMb: memory.peakBytes() / megabyte,
    bytesRead: childrenNamed(server.pid, 'decoder').reduce((sum, pid) => sum + bytesReadBy(pid), 0),
    bytes: counts.bytes,
  }
}

export const figuresOf = (name: string, scans: readonly FirstScan[]): Figure[] => [
  { name: `${name}, listed`, unit: 'books/s', values: scans.map((each) => (each.books * 1000) / each.listedMs) },
  { name: `${name}, read`, unit: 'books/s', values: scans.map((each) => (each.books * 1000) / each.readMs) },
  { name: `${name}, CPU of a book`, unit: 'µs', values: scans.map((each) => (each.cpuMs * 1000) / each.books) },
  {
    name: `${name}, bytes read of the books`,
    unit: '%',
    values: scans.map((each) => (each.bytesRead * 100) / each.bytes),
  },
  { name: `${name}, most memory, all processes`, unit: 'MB', values: scans.map(({ peakMb }) => peakMb) },
]

/** How long the least takes that a scan can do with these files. */
export const runHeadLoop = async ({ root }: GeneratedLibrary): Promise<number> => {
  const { stdout } = await run(process.execPath, [headLoop, root])
  return (JSON.parse(stdout) as { ms: number }).ms
}
