import { addLibrary, requireCounts, scanOnce } from '../books/scan.ts'
import { pagesOfZip } from '../books/stored-pages.ts'
import { scannedLibrary } from '../books/scanned-library.ts'
import type { Bench, Figure } from '../figure.ts'
import { generatedLibrary } from '../gen/library.ts'
import { readEventLoopDelayMs } from '../liveness.ts'
import { type Round, runOnce } from '../rounds.ts'
import { quantile } from '../statistics.ts'
import { pageRequest, randomPages } from './pages.ts'

const readers = 4
const step = 16
const roundMs = 4000
/** Each is scanned once: a server knows them after that. */
const scannedMeanwhile = ['M', 'L-10k', 'S'] as const
const notMuchSlower = { max: 3 }

/** Four who turn pages of large books, alone, and while the server reads a library it has never seen. */
export const readingWhileScanning: Bench = {
  names: ['mixed.scan+read'],
  run: async ({ database }) => {
    await using scanned = await scannedLibrary(database, 'BIG')
    const { server, library, content, call, id } = scanned
    const ids = await content.booksByPath(id)
    const pages = library.files.slice(0, 3).flatMap((book) => pagesOfZip(library.root, book, step))
    const requests = pages.map((page) => pageRequest(scanned, ids, page))
    const read = async () => {
      const round = await runOnce(randomPages(server, requests, pages, readers), roundMs)
      return { ...round, loopDelayMs: await readEventLoopDelayMs(server.port) }
    }
    await read()
    const alone: Reading[] = []
    const beside: Reading[] = []
    for (const profile of scannedMeanwhile) {
      const other = await generatedLibrary(profile)
      const otherId = await addLibrary(call, other.root)
      alone.push(await read())
      const scanning = scanOnce(call, content, otherId)
      beside.push(await read())
      await scanning
      await requireCounts(content, otherId, other.counts)
    }
    return [
      ...figuresOf('mixed.scan+read alone', alone),
      ...figuresOf('mixed.scan+read beside a scan', beside),
      {
        name: 'mixed.scan+read answer, 99 %, beside to alone',
        unit: 'ratio',
        values: beside.map((round, index) => p99(round) / p99(alone[index] ?? round)),
        gate: notMuchSlower,
      },
    ]
  },
}

type Reading = Round & { readonly loopDelayMs: number }

const p99 = ({ latenciesMs }: Round): number => quantile(latenciesMs, 0.99)

const figuresOf = (name: string, rounds: readonly Reading[]): Figure[] => [
  { name: `${name}, pages per second`, unit: '/s', values: rounds.map(({ perSecond }) => perSecond) },
  { name: `${name}, answer, median`, unit: 'ms', values: rounds.map((each) => quantile(each.latenciesMs, 0.5)) },
  { name: `${name}, answer, 99 %`, unit: 'ms', values: rounds.map(p99) },
  { name: `${name}, event loop delay, 99 %`, unit: 'ms', values: rounds.map(({ loopDelayMs }) => loopDelayMs) },
]
