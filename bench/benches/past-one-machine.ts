import { randomUUID } from 'node:crypto'
import {
  addressOf,
  type Client,
  createUser,
  listBooks,
  listSeries,
  login,
  readHome,
  readPage,
  readReadingStats,
  type ReadingSession,
  recordReadingSessions,
  saveProgress,
  search,
} from '../../packages/api/src/index.ts'
import { addLibrary, scanOnce } from '../books/scan.ts'
import { openContent } from '../books/content.ts'
import { seededLibrary } from '../books/seeded-library.ts'
import { type Reply, requestBytes } from '../connection.ts'
import type { BenchDatabase } from '../databases/database.ts'
import { largestTables } from '../databases/table-sizes.ts'
import type { Bench, Figure } from '../figure.ts'
import { generatedLibrary } from '../gen/library.ts'
import type { SeedName } from '../gen/profiles.ts'
import { callerAt, type Installation } from '../installation.ts'
import { putLoad } from '../load.ts'
import { addManyReaders } from '../seeding/many-readers.ts'
import type { ServerProcess } from '../server-process.ts'
import { median, quantile } from '../statistics.ts'

/** The whole would be ten million books, a hundred thousand readers and a hundred million entries of what they have read. */
const parts = [
  { share: '1:100', size: '100k', readers: 1000 },
  { share: '1:10', size: '1M', readers: 10_000 },
] as const satisfies readonly { readonly share: string; readonly size: SeedName; readonly readers: number }[]

const nodes = 3
const actors = 24
const lanesEach = 2
const rounds = 5
const roundMs = 3000
const growth = { max: 2 }
const tablesTold = 16
const megabyte = 1_000_000
const password = 'eleven-boats-under-a-bridge'
const [seriesRead, booksOfEach, entriesOfEach] = [20, 5, 10]
const day = 24 * 60 * 60 * 1000
const readFrom = Date.parse('2026-10-01T00:00:00.000Z')

/** Three servers that answer and two that work, on one PostgreSQL; what each question takes where ten times as much is. */
export const pastOneMachine: Bench = {
  names: ['scale'],
  isLong: true,
  run: async ({ database }) => {
    if (database.name !== 'postgres') throw new Error('Several machines share PostgreSQL: add --database postgres')
    const measured = new Map<string, ReadonlyMap<string, readonly number[][]>>()
    const figures: Figure[] = []
    for (const part of parts) {
      const { latencies, made } = await measurePart(database, part)
      measured.set(part.share, latencies)
      figures.push(...made, ...figuresOf(part.share, latencies))
    }
    return [...figures, ...growthOf(measured)]
  },
}

interface Actor {
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
}

const measurePart = async (database: BenchDatabase, { share, size, readers }: (typeof parts)[number]) => {
  await using seeded = await seededLibrary(database, size)
  const { installation, books } = seeded
  const { people, pagesOf } = await prepare(installation)
  const [template, ...rest] = people
  if (!template) throw new Error('Nobody is there')
  const startedAt = performance.now()
  const url = installation.environment.CARREL_DATABASE_URL ?? ''
  const entries = await addManyReaders({
    url,
    templateId: template.id,
    actorIds: rest.map(({ id }) => id),
    readers,
  })
  const madeIn = (performance.now() - startedAt) / 1000
  console.log(
    `${share}: ${books} books, ${readers} readers, ${entries} entries of the log, made in ${madeIn.toFixed(0)} s`,
  )
  for (const { name, rows, bytes, indexBytes } of await largestTables(url, tablesTold)) {
    const [all, ofIndexes] = [bytes, indexBytes].map((each) => (each / megabyte).toFixed(0))
    console.log(`${share}, table ${name}: ${rows} rows, ${all} MB, of which indexes ${ofIndexes}`)
  }
  await using stack = new AsyncDisposableStack()
  const servers: ServerProcess[] = []
  // Two of them have a worker beside them, as `carrel serve` has.
  for (let node = 0; node < nodes; node += 1)
    servers.push(stack.use(await installation.start({ CARREL_ROLES: node === 0 ? 'api' : 'api,worker' })))
  const words = await wordsAt(servers, installation)
  const latencies = new Map<string, number[][]>()
  const questions = questionsOf({ people: rest, books: words.bookIds, words: words.words, pagesOf })
  for (const [name, ask] of Object.entries(questions)) {
    await askAll(servers, ask)
    const each: number[][] = []
    for (let round = 0; round < rounds; round += 1) each.push(await askAll(servers, ask))
    latencies.set(name, each)
    const [half, nearlyAll] = [0.5, 0.99].map((part) => median(each.map((sorted) => quantile(sorted, part))).toFixed(1))
    console.log(`${share}, ${name}: median ${half} ms, 99 % ${nearlyAll} ms`)
  }
  return { latencies, made: [{ name: `scale ${share}, entries of the log`, unit: '', values: [entries] }] }
}

/** People who can sign in, of whom the first has read; and a small library with files in it, whose pages can be read. */
const prepare = async (installation: Installation) => {
  const library = await generatedLibrary('S')
  await using server = await installation.start()
  const admin = callerAt(server.port, installation.token)
  const people: Actor[] = []
  for (let number = 0; number <= actors; number += 1) people.push(await makePerson(admin, server, `actor-${number}`))
  const [first] = people
  if (!first) throw new Error('Nobody is there')
  await readALot(admin, callerAt(server.port, first.headers))
  // What is counted later is counted for whoever asks.
  const stats = await callerAt(server.port, first.headers)(readReadingStats, {
    query: { from: '2026-10-01', to: '2026-11-01' },
  })
  if (!stats.ok) throw new Error(stats.error.message)
  await using content = await openContent(installation)
  const id = await addLibrary(admin, library.root)
  await scanOnce(admin, content, id)
  await content.forgetCovers()
  const listed = await admin(listBooks, { query: { libraryId: id, pageSize: 500 } })
  if (!listed.ok) throw new Error(listed.error.message)
  // Some of them are damaged on purpose.
  const comics = listed.body.data.filter(({ fileFormat, pageCount }) => fileFormat === 'cbz' && (pageCount ?? 0) > 0)
  return { people, pagesOf: comics.map((book) => book.id) }
}

const makePerson = async (admin: Client, { port }: ServerProcess, username: string): Promise<Actor> => {
  const made = await admin(createUser, { body: { username, password, role: 'reader' } })
  if (!made.ok) throw new Error(made.error.message)
  const signedIn = await callerAt(port, {})(login, { body: { username, password } })
  if (!signedIn.ok) throw new Error(signedIn.error.message)
  return { id: made.body.id, headers: { authorization: `Bearer ${signedIn.body.accessToken}` } }
}

/** A thousand sessions, in a hundred books of twenty series. */
const readALot = async (admin: Client, reader: Client): Promise<void> => {
  const listed = await admin(listSeries, { query: { pageSize: 200, sort: 'date_added,asc' } })
  if (!listed.ok) throw new Error(listed.error.message)
  const series = listed.body.data.filter(({ bookCount }) => bookCount === 20).slice(0, seriesRead)
  if (series.length < seriesRead) throw new Error('There are too few series of twenty books')
  let at = readFrom
  for (const { id } of series) {
    const books = await admin(listBooks, { query: { seriesId: id, pageSize: booksOfEach } })
    if (!books.ok) throw new Error(books.error.message)
    const sessions = books.body.data.flatMap((book) =>
      Array.from({ length: entriesOfEach }, (_, index) => sessionOf(book.id, index + 1, (at += (day * 25) / 1000))),
    )
    const answer = await reader(recordReadingSessions, { body: { sessions } })
    if (!answer.ok || answer.body.rejected.length > 0) throw new Error('What was read was not taken')
  }
}

const sessionOf = (bookId: string, page: number, at: number): ReadingSession => ({
  id: randomUUID(),
  bookId,
  kind: 'progress',
  clientStartedAt: new Date(at).toISOString(),
  clientEndedAt: new Date(at + 15 * 60_000).toISOString(),
  deviceId: 'tablet',
  activeDurationMs: 14 * 60_000,
  pagesRead: 1,
  toPage: page,
})

const wordsAt = async (servers: readonly ServerProcess[], installation: Installation) => {
  const [server] = servers
  if (!server) throw new Error('No server is there')
  const call = callerAt(server.port, installation.token)
  const listed = await call(listBooks, { query: { sort: 'random,asc', seed: '7', pageSize: 500 } })
  if (!listed.ok) throw new Error(listed.error.message)
  const words = new Set(listed.body.data.flatMap(({ title }) => title.split(' ').filter((word) => word.length >= 4)))
  return { bookIds: listed.body.data.map(({ id }) => id), words: [...words] }
}

/** The index goes on over all servers and rounds, so that nothing is asked twice in a row. */
type Ask = (index: number, lane: number) => Buffer

interface World {
  readonly people: readonly Actor[]
  readonly books: readonly string[]
  readonly words: readonly string[]
  readonly pagesOf: readonly string[]
}

const questionsOf = ({ people, books, words, pagesOf }: World): Readonly<Record<string, Ask>> => {
  const pick = <Each>(from: readonly Each[], index: number): Each => {
    const picked = from[index % from.length]
    if (picked === undefined) throw new Error('There is nothing to ask for')
    return picked
  }
  const headersOf = (lane: number) => pick(people, lane).headers
  return {
    'a page of series': (index, lane) =>
      requestBytes({
        path: addressOf(listSeries, { query: { page: 1 + ((index * 31) % 90), pageSize: 50 } }),
        headers: headersOf(lane),
      }),
    'a page of books': (index, lane) =>
      requestBytes({
        path: addressOf(listBooks, { query: { page: 1 + ((index * 37) % 190), pageSize: 50 } }),
        headers: headersOf(lane),
      }),
    search: (index, lane) =>
      requestBytes({ path: addressOf(search, { query: { q: pick(words, index) } }), headers: headersOf(lane) }),
    home: (index, lane) => requestBytes({ path: readHome.path, headers: headersOf(lane + index) }),
    'progress saved': (index, lane) =>
      requestBytes({
        method: 'PUT',
        path: addressOf(saveProgress, {
          params: { id: pick(books, lane * 40 + (index % 40)) },
          body: { currentPage: 1 },
        }),
        headers: headersOf(lane),
        body: { currentPage: 1 + (index % 3) },
      }),
    'figures of a month': (index, lane) =>
      requestBytes({
        path: addressOf(readReadingStats, {
          query: { from: new Date(readFrom + index).toISOString(), to: '2026-11-01' },
        }),
        headers: headersOf(lane),
      }),
    'a page of a book': (index, lane) =>
      requestBytes({
        path: addressOf(readPage, { params: { id: pick(pagesOf, index * 13), number: 1 } }),
        headers: headersOf(lane),
      }),
  }
}

let requestCount = 0

/** All servers at once; it returns how long each answer took, sorted. */
const askAll = async (servers: readonly ServerProcess[], ask: Ask): Promise<number[]> => {
  const results = await Promise.all(
    servers.map(({ port }, node) =>
      putLoad({
        port,
        connections: lanesEach,
        durationMs: roundMs,
        request: (_, lane) => ask((requestCount += 1), node * lanesEach + lane),
        check: requireOk,
      }),
    ),
  )
  return results.flatMap(({ latenciesMs }) => latenciesMs).toSorted((one, other) => one - other)
}

const requireOk = ({ status, body }: Reply): void => {
  if (status !== 200) throw new Error(`Expected 200, got ${status} ${body.toString().slice(0, 300)}`)
}

const figuresOf = (share: string, latencies: ReadonlyMap<string, readonly number[][]>): Figure[] =>
  [...latencies].flatMap(([name, each]) => [
    {
      name: `scale ${share}, ${name}, per second`,
      unit: '/s',
      values: each.map(({ length }) => (length * 1000) / roundMs),
    },
    { name: `scale ${share}, ${name}, median`, unit: 'ms', values: each.map((sorted) => quantile(sorted, 0.5)) },
    { name: `scale ${share}, ${name}, 99 %`, unit: 'ms', values: each.map((sorted) => quantile(sorted, 0.99)) },
  ])

const growthOf = (measured: ReadonlyMap<string, ReadonlyMap<string, readonly number[][]>>): Figure[] => {
  const [small, large] = parts.map(({ share }) => measured.get(share))
  if (!small || !large) throw new Error('Nothing was measured')
  const p50 = (each: readonly number[][] = []) => median(each.map((sorted) => quantile(sorted, 0.5)))
  return [...large].map(([name, each]) => ({
    name: `scale, ${name}, ten times as much of all`,
    unit: 'ratio',
    values: [p50(each) / p50(small.get(name))],
    gate: growth,
  }))
}
