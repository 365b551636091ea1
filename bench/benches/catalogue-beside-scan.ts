import { search } from '../../packages/api/src/index.ts'
import { openContent } from '../books/content.ts'
import { addLibrary, scanOnce } from '../books/scan.ts'
import { seededLibrary } from '../books/seeded-library.ts'
import { requestBytes } from '../connection.ts'
import type { Bench, Figure } from '../figure.ts'
import { generatedLibrary } from '../gen/library.ts'
import { callerAt } from '../installation.ts'
import type { Load } from '../load.ts'
import { type Round, runOnce } from '../rounds.ts'
import { quantile } from '../statistics.ts'
import { queriesFor } from './search.ts'

const size = '1M'
/** Each is scanned once: a server knows them after that. */
const scannedMeanwhile = ['M', 'L-10k', 'S'] as const
const roundMs = 500
const notMuchSlower = { max: 3 }

/** Lists and searches in a library of a million books, alone, and while the server scans another into the same database. */
export const catalogueBesideScan: Bench = {
  names: ['list.beside', 'search.beside'],
  isLong: true,
  run: async ({ database }) => {
    await using seeded = await seededLibrary(database, size)
    const { installation } = seeded
    await using server = await installation.start()
    await using content = await openContent(installation)
    const call = callerAt(server.port, installation.token)
    const lists = Object.entries(requests()).map(([name, path]): ListTimings => ({ name, alone: [], beside: [], path }))
    const ask = async (into: 'alone' | 'beside'): Promise<void> => {
      for (const each of lists)
        each[into].push(
          await runOnce(loadOf(server, requestBytes({ path: each.path, headers: installation.token })), roundMs),
        )
    }
    await ask('alone')
    for (const each of lists) each.alone.length = 0
    for (const profile of scannedMeanwhile) {
      const library = await generatedLibrary(profile)
      const id = await addLibrary(call, library.root)
      await ask('alone')
      const over = new AbortController()
      const scanning = scanOnce(call, content, id).finally(() => over.abort())
      while (!over.signal.aborted) await ask('beside')
      await scanning
    }
    return lists.flatMap(figuresOf)
  },
}

interface ListTimings {
  readonly name: string
  readonly path: string
  readonly alone: Round[]
  readonly beside: Round[]
}

const requests = (): Readonly<Record<string, string>> => {
  const queries = queriesFor(size)
  const searched = (what: string) => `${search.path}?q=${encodeURIComponent(queries[what] ?? '')}&limit=10`
  return {
    'list.beside books by name': '/api/v1/books',
    'list.beside books, newest first': '/api/v1/books?sort=created_at,desc',
    'list.beside series by name': '/api/v1/series',
    'search.beside two words': searched('two words'),
    'search.beside the commonest word': searched('the commonest word'),
  }
}

/** The results change while the catalogue grows. */
const loadOf = (server: { readonly pid: number; readonly port: number }, request: Buffer) => ({
  pid: server.pid,
  load: {
    port: server.port,
    connections: 1,
    awake: true,
    request: () => request,
    check: ({ status, body }) => {
      if (status !== 200) throw new Error(`A request was answered with ${status}: ${body.toString().slice(0, 200)}`)
    },
  } satisfies Omit<Load, 'durationMs'>,
})

/** The quantile is over all rounds together: the scan is not the same in any two of them. */
const at = (rounds: readonly Round[], share: number): number =>
  quantile(
    rounds.flatMap(({ latenciesMs }) => latenciesMs).toSorted((one, other) => one - other),
    share,
  )

const figuresOf = ({ name, alone, beside }: ListTimings): Figure[] => [
  { name: `${name}, alone, median`, unit: 'ms', values: [at(alone, 0.5)] },
  { name: `${name}, alone, 99 %`, unit: 'ms', values: [at(alone, 0.99)] },
  { name: `${name}, beside a scan, median`, unit: 'ms', values: [at(beside, 0.5)] },
  { name: `${name}, beside a scan, 99 %`, unit: 'ms', values: [at(beside, 0.99)] },
  {
    name: `${name}, 99 %, beside to alone`,
    unit: 'ratio',
    values: [at(beside, 0.99) / at(alone, 0.99)],
    gate: notMuchSlower,
  },
]
