import type { BookCondition, SeriesCondition } from '../../packages/api/src/index.ts'
import { spawnBare } from '../bare-process.ts'
import { seededLibrary } from '../books/seeded-library.ts'
import { type Reply, requestBytes } from '../connection.ts'
import type { BenchDatabase } from '../databases/database.ts'
import { exchangeOnce } from '../exchange-once.ts'
import type { Bench, Figure } from '../figure.ts'
import { growingSizes, type SeedName } from '../gen/profiles.ts'
import { sameReply } from '../load.ts'
import { ratios, type Round, runRounds } from '../rounds.ts'
import { median, quantile } from '../statistics.ts'

const sizes = growingSizes
const pace = { rounds: 7, roundMs: 1000, warmUpMs: 1000 }
const growth = { max: 2 }

const firstPages = {
  'list.books': { path: '/api/v1/books' },
  'list.series': { path: '/api/v1/series' },
  'list.books by series': { path: '/api/v1/books?sort=series,asc' },
  'list.books by size': { path: '/api/v1/books?sort=file_size,desc' },
  'list.books by number': { path: '/api/v1/books?sort=number,asc' },
  'list.books by chance': { path: '/api/v1/books?sort=random,asc&seed=bench' },
  'list.series by books': { path: '/api/v1/series?sort=book_count,desc' },
} as const

const filteredList = (target: 'series' | 'books', condition: SeriesCondition | BookCondition) => ({
  method: 'POST' as const,
  path: `/api/v1/${target}/list`,
  body: { condition },
})
/** These take as long as there is to look through. */
const filtered = {
  'list.books in cbz': filteredList('books', { format: { operator: 'is', value: 'cbz' } }),
  'list.books with a word': filteredList('books', { title: { operator: 'contains', value: 'the' } }),
  'list.books unread': filteredList('books', { readStatus: { operator: 'is', value: 'unread' } }),
  'list.series with a word': filteredList('series', { title: { operator: 'contains', value: 'the' } }),
} as const

/** Each page is asked for once in a while: none of them is kept when it is. */
const pagesInTurn = 500
const pageSize = 50
const otherPages = (books: number) => {
  const middle = Math.floor(books / 2 / pageSize)
  return {
    'list.books, the middle page': { path: `/api/v1/books?page=${middle}` },
    'list.books by series, the middle page': { path: `/api/v1/books?sort=series,asc&page=${middle}` },
    'list.books, page by page': { path: '/api/v1/books?page=', pages: Math.min(pagesInTurn, books / pageSize) },
    'list.books by size, page by page': {
      path: '/api/v1/books?sort=file_size,desc&page=',
      pages: Math.min(pagesInTurn, books / pageSize),
    },
  }
}

/** Pages of books and of series, one request after the other, in libraries of three sizes. */
export const lists: Bench = {
  names: ['list.books', 'list.series'],
  isLong: true,
  run: async ({ database }) => {
    const measured: Measured[] = []
    for (const size of sizes) measured.push(...(await measure(database, size)))
    return [...measured.flatMap(figuresOf), ...growths(measured)]
  },
}

interface ListBenchRequest {
  readonly method?: 'POST'
  readonly path: string
  readonly body?: unknown
  /** The path goes on with the number of a page, one after the other. */
  readonly pages?: number
}

const isPage = ({ status, body }: Reply): void => {
  if (status !== 200) throw new Error(`A page was answered with ${status}: ${body.toString().slice(0, 200)}`)
}

interface Measured {
  readonly name: string
  readonly size: SeedName
  readonly ours: readonly Round[]
  readonly bare: readonly Round[]
}

const measure = async (database: BenchDatabase, size: SeedName): Promise<Measured[]> => {
  await using seeded = await seededLibrary(database, size)
  const { installation, books } = seeded
  await using server = await installation.start()
  const measured: Measured[] = []
  for (const [name, { pages = 1, ...query }] of Object.entries<ListBenchRequest>({
    ...firstPages,
    ...otherPages(books),
    ...filtered,
  })) {
    const requests = Array.from({ length: pages }, (_, index) =>
      requestBytes({
        ...query,
        path: pages > 1 ? `${query.path}${index + 1}` : query.path,
        headers: installation.token,
      }),
    )
    const [request = Buffer.alloc(0)] = requests
    const model = await exchangeOnce(server.port, request)
    const { total } = JSON.parse(model.body.toString()) as { total?: number }
    if (model.status !== 200 || (name === 'list.books' && total !== books))
      throw new Error(`Expected ${books} books, got ${model.status} ${model.body.toString().slice(0, 200)}`)
    await using bare = await spawnBare(model, request)
    const load = { connections: 1, awake: true, request: () => request, check: sameReply(model) }
    let sent = 0
    const inTurn = { request: () => requests[(sent += 1) % pages] ?? request, check: isPage }
    const rounds = await runRounds(
      {
        bare: { pid: bare.pid, load: { ...load, port: bare.port } },
        ours: { pid: server.pid, load: { ...load, ...(pages > 1 && inTurn), port: server.port } },
      },
      pace,
    )
    // The line is printed at once: it takes long until all of them are measured.
    console.log(`${name} ${size}: ${median(rounds.ours.map(p50)).toFixed(2)} ms`)
    measured.push({ name, size, ...rounds })
  }
  return measured
}

const p50 = ({ latenciesMs }: Round): number => quantile(latenciesMs, 0.5)

const figuresOf = ({ name, size, ours, bare }: Measured): Figure[] => [
  { name: `${name} ${size}, answer, median`, unit: 'ms', values: ours.map(p50) },
  { name: `${name} ${size}, CPU per request`, unit: 'µs', values: ours.map(({ cpuUsPerRequest }) => cpuUsPerRequest) },
  { name: `${name} ${size} of bare node:http, by CPU`, unit: '× limit', values: ratios(bare, ours, 'cpuUsPerRequest') },
]

const growths = (measured: readonly Measured[]): Figure[] =>
  [...Map.groupBy(measured, ({ name }) => name)].map(([name, each]) => {
    const [smallest, , largest] = each.map(({ ours }) => median(ours.map(p50)))
    return {
      name: `${name} answer, 1M to 10k`,
      unit: 'ratio',
      values: [(largest ?? Number.NaN) / (smallest ?? Number.NaN)],
      ...(name in firstPages && { gate: growth }),
    }
  })
