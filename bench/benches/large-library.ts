import { updateLibrary } from '../../packages/api/src/index.ts'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Disturbance, disturbed } from '../books/disturb.ts'
import { type Least, leastOfChecking } from '../books/least.ts'
import { openedFilesDuring } from '../books/opened-files.ts'
import { scanOnce, type Scanned } from '../books/scan.ts'
import { type FirstScan, type ScannedLibrary, scannedLibrary } from '../books/scanned-library.ts'
import type { Bench, Figure } from '../figure.ts'
import { childrenNamed, cpuUsOfAll } from '../process-figures.ts'
import { median } from '../statistics.ts'
import { figuresOfScans } from './scan.ts'

const rounds = 5
const megabyte = 1_000_000
const delta: Disturbance = { changed: 250, removed: 250, renamed: 250, added: 250 }
/** A file touched a moment ago is checked twice, which is not measured here. */
const untilSettledMs = 62_000
/** It is somewhat longer than the interval at which the worker asks which libraries are to be watched. */
const untilUnwatchedMs = 12_000
const gates = {
  memory: { max: 400 },
  growth: { max: 1.5 },
  nochange: { min: 0.5 },
  opened: { max: 0 },
  delta: { max: 1.5 },
}

/** A hundred thousand files: read for the first time, looked at again, and again when one of a hundred has changed. */
export const largeLibrary: Bench = {
  names: ['scan.growth', 'memory.scan', 'rescan.nochange.L', 'rescan.delta'],
  isLong: true,
  run: async ({ database }) => {
    const smaller: FirstScan[] = []
    for (const profile of ['L-1k', 'L-10k'] as const) {
      await using scanned = await scannedLibrary(database, profile)
      smaller.push(scanned.first)
    }
    await using scanned = await scannedLibrary(database, 'L')
    const { first } = scanned
    await stopWatching(scanned)
    const nochange = await rescans(scanned)
    return [
      ...figuresOfScans('scan.growth 1k', smaller.slice(0, 1)),
      ...figuresOfScans('scan.growth 10k', smaller.slice(1)),
      ...figuresOfScans('scan.growth 100k', [first]),
      ...growth(smaller, first),
      { name: 'memory.scan 100k, all processes', unit: 'MB', values: [first.peakBytes / megabyte], gate: gates.memory },
      ...nochange,
      ...(await rescanOfDelta(scanned, median(nochange[0]?.values ?? []))),
    ]
  },
}

const growth = ([small, middle]: readonly FirstScan[], large: FirstScan): Figure[] => {
  const cost = ({ cpuMs, books }: FirstScan) => cpuMs / books
  if (!small || !middle) throw new Error('Nothing was measured')
  return [
    { name: 'scan.growth CPU of a book, 100k to 1k', unit: 'ratio', values: [cost(large) / cost(small)] },
    {
      name: 'scan.growth CPU of a book, 100k to 10k',
      unit: 'ratio',
      values: [cost(large) / cost(middle)],
      gate: gates.growth,
    },
  ]
}

const rescans = async (scanned: ScannedLibrary): Promise<Figure[]> => {
  const { library, call, content, id, server, installation } = scanned
  const scan = async (): Promise<Scanned> => requireNothing(await scanOnce(call, content, id))
  await content.forgetCovers()
  await leastOfChecking(library)
  await scan()
  const least: Least[] = []
  const ours: Least[] = []
  for (let round = 0; round < rounds; round += 1) {
    least.push(await leastOfChecking(library))
    const cpuBefore = cpuUsOfAll(server.pid)
    const { listedMs } = await scan()
    ours.push({ ms: listedMs, cpuMs: (cpuUsOfAll(server.pid) - cpuBefore) / 1000 })
  }
  const ofFind = (measure: keyof Least): number[] =>
    ours.map((each, round) => (least[round]?.[measure] ?? Number.NaN) / each[measure])
  const [worker] = childrenNamed(server.pid, 'worker')
  const record = join(installation.directory, 'bench-opened.txt')
  const opened = worker === undefined ? undefined : await openedFilesDuring(worker, library.root, record, scan)
  return [
    { name: 'rescan.nochange.L', unit: 'ms', values: ours.map(({ ms }) => ms) },
    { name: 'rescan.nochange.L, find', unit: 'ms', values: least.map(({ ms }) => ms) },
    { name: 'rescan.nochange.L of find, by CPU', unit: '× limit', values: ofFind('cpuMs') },
    { name: 'rescan.nochange.L of find, by time', unit: '× limit', values: ofFind('ms'), gate: gates.nochange },
    ...(opened === undefined
      ? []
      : [{ name: 'rescan.nochange.L, files opened', unit: 'files', values: [opened], gate: gates.opened }]),
  ]
}

const requireNothing = (scanned: Scanned): Scanned => {
  const { booksAdded, booksUpdated, booksMoved, booksMissing, booksRestored } = scanned.status
  const changes = { booksAdded, booksUpdated, booksMoved, booksMissing, booksRestored }
  if (Object.values(changes).some((count) => count !== 0))
    throw new Error(`Nothing had changed, and it found ${JSON.stringify(changes)}`)
  return scanned
}

/** A watcher would find the changes before the scan looks for them. */
const stopWatching = async ({ call, id }: ScannedLibrary): Promise<void> => {
  const changed = await call(updateLibrary, { params: { id }, body: { watch: false } })
  if (!changed.ok) throw new Error(`The library is still watched: ${changed.error.message}`)
  await delay(untilUnwatchedMs)
}

const rescanOfDelta = async (
  { library, call, content, id, first }: ScannedLibrary,
  nochangeMs: number,
): Promise<Figure[]> => {
  const { status, readMs } = await disturbed(library, 'L', delta, async () => {
    await delay(untilSettledMs)
    return scanOnce(call, content, id)
  })
  const expected: Partial<typeof status> = {
    booksAdded: delta.added,
    booksUpdated: delta.changed,
    booksMoved: delta.renamed,
    booksMissing: delta.removed,
    booksRestored: 0,
  }
  for (const [name, count] of Object.entries(expected))
    if (status[name as keyof typeof status] !== count)
      throw new Error(`The scan has counted something else: ${JSON.stringify({ name, count, status })}`)
  const share = Object.values(delta).reduce((sum: number, count: number) => sum + count, 0) / first.books
  const expectedMs = nochangeMs + first.readMs * share
  return [
    { name: 'rescan.delta, 1 %', unit: 'ms', values: [readMs] },
    {
      name: 'rescan.delta to nochange and 1 % of the first scan',
      unit: 'ratio',
      values: [readMs / expectedMs],
      gate: gates.delta,
    },
  ]
}
