import { addressOf, saveProgress, type ReadProgress } from '../../packages/api/src/index.ts'
import { scannedLibrary } from '../books/scanned-library.ts'
import { type Reply, requestBytes } from '../connection.ts'
import type { Bench, Figure } from '../figure.ts'
import { runCommits } from '../run-commits.ts'
import { ratios, type Round, runOnce } from '../rounds.ts'
import { quantile } from '../statistics.ts'

const rounds = 7
const roundMs = 1500
const readersMany = 16
const pagesMax = 4

/** Readers who turn pages, each in a book of their own; beside the database alone, one row per commit. */
export const progress: Bench = {
  names: ['write.progress'],
  run: async ({ database }) => {
    await using scanned = await scannedLibrary(database, 'S')
    await using commits = await database.openCommits(scanned.installation.directory)
    const bookIds = [...(await scanned.content.booksByPath(scanned.id)).values()]
    const compared = new Map(
      [1, readersMany].map((readers) => [readers, { limit: [] as Round[], ours: [] as Round[] }]),
    )
    const turnPages = (readers: number) => {
      const { pid, port } = scanned.server
      const load = {
        port,
        connections: readers,
        request: (index: number, lane: number) => {
          const input = { params: { id: bookIds[lane] ?? '' }, body: { currentPage: 1 + (index % pagesMax) } }
          const path = addressOf(saveProgress, input)
          return requestBytes({ method: 'PUT', path, headers: scanned.installation.token, body: input.body })
        },
        check: (reply: Reply, lane: number) => requireSaved(reply, bookIds[lane]),
      }
      return runOnce({ pid, load }, roundMs)
    }
    await turnPages(readersMany)
    for (let round = 0; round < rounds; round += 1)
      for (const [readers, { limit, ours }] of compared) {
        limit.push(await runCommits(commits, readers, roundMs))
        ours.push(await turnPages(readers))
      }
    return [...compared].flatMap(([readers, { limit, ours }]) => figuresOf(`write.progress ${readers}`, ours, limit))
  },
}

const requireSaved = ({ status, body }: Reply, bookId: string | undefined): void => {
  const saved = JSON.parse(body.toString()) as Partial<ReadProgress>
  if (status === 200 && saved.bookId === bookId) return
  throw new Error(`Expected progress in ${bookId}, got ${status} ${body.toString()}`)
}

const figuresOf = (name: string, ours: readonly Round[], limit: readonly Round[]): Figure[] => [
  { name: `${name}, per second`, unit: '/s', values: ours.map(({ perSecond }) => perSecond) },
  { name: `${name} of bare commits`, unit: '× limit', values: ratios(ours, limit, 'perSecond') },
  { name: `${name}, CPU of one`, unit: 'µs', values: ours.map(({ cpuUsPerRequest }) => cpuUsPerRequest) },
  { name: `${name}, answer, median`, unit: 'ms', values: ours.map((each) => quantile(each.latenciesMs, 0.5)) },
  { name: `${name}, answer, 99 %`, unit: 'ms', values: ours.map((each) => quantile(each.latenciesMs, 0.99)) },
]
