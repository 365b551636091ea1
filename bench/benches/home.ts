import {
  type Client,
  createUser,
  followSeries,
  listBooksOfSeries,
  listSeries,
  login,
  markBookUnread,
  markSeriesRead,
  readHome,
  saveProgress,
  saveReadingStatus,
} from '../../packages/api/src/index.ts'
import { seededLibrary } from '../books/seeded-library.ts'
import { requestBytes } from '../connection.ts'
import { exchangeOnce } from '../exchange-once.ts'
import type { Bench, Figure } from '../figure.ts'
import { callerAt } from '../installation.ts'
import { sameReply } from '../load.ts'
import { type Round, runRounds } from '../rounds.ts'
import { median, quantile } from '../statistics.ts'

const booksRead = 50_000
const seriesAtOnce = 500
const pace = { rounds: 9, roundMs: 1000, warmUpMs: 1000 }
const growth = { max: 2 }
const password = 'seven-lanterns-on-a-slow-river'

/** The home of somebody who has read fifty thousand books, and of somebody who has read none. Nothing of it is kept. */
export const home: Bench = {
  names: ['home'],
  isLong: true,
  run: async ({ database }) => {
    await using seeded = await seededLibrary(database, '100k')
    const { installation } = seeded
    await using server = await installation.start()
    const admin = callerAt(server.port, installation.token)
    const heavy = await personAt(server.port, admin, 'heavy')
    const empty = await personAt(server.port, admin, 'empty')
    await readALot(heavy.call)
    const loadOf = async ({ headers }: Person) => {
      const request = requestBytes({ path: readHome.path, headers })
      const model = await exchangeOnce(server.port, request)
      if (model.status !== 200) throw new Error(`No home: ${model.status} ${model.body.toString().slice(0, 200)}`)
      const load = { port: server.port, connections: 1, awake: true, request: () => request, check: sameReply(model) }
      return { model, contender: { pid: server.pid, load } }
    }
    const [full, bare] = [await loadOf(heavy), await loadOf(empty)]
    requireFull(full.model.body.toString())
    const rounds = await runRounds({ heavy: full.contender, empty: bare.contender }, pace)
    return [...figuresOf('heavy', rounds.heavy), ...figuresOf('empty', rounds.empty), growthOf(rounds)]
  },
}

interface Person {
  readonly call: Client
  readonly headers: Readonly<Record<string, string>>
}

const personAt = async (port: number, admin: Client, username: string): Promise<Person> => {
  const created = await admin(createUser, { body: { username, password, role: 'reader' } })
  if (!created.ok) throw new Error(`${username} could not be created: ${created.error.message}`)
  const signedIn = await callerAt(port, {})(login, { body: { username, password } })
  if (!signedIn.ok) throw new Error(`${username} could not sign in: ${signedIn.error.message}`)
  const headers = { authorization: `Bearer ${signedIn.body.accessToken}` }
  return { headers, call: callerAt(port, headers) }
}

/** Of every four series one is read to its end, one but for a book, one has an open book, and one was dropped. */
const readALot = async (call: Client): Promise<void> => {
  let read = 0
  let index = 0
  for (let page = 1; read < booksRead; page += 1) {
    const listed = await call(listSeries, { query: { page, pageSize: seriesAtOnce } })
    if (!listed.ok || listed.body.data.length === 0) throw new Error('There are too few series')
    for (const { id } of listed.body.data) {
      if (read >= booksRead) break
      const marked = await call(markSeriesRead, { params: { id } })
      if (!marked.ok) throw new Error(`A series could not be marked: ${marked.error.message}`)
      read += marked.body.count
      await leaveSome(call, id, index)
      index += 1
    }
  }
}

const leaveSome = async (call: Client, id: string, index: number): Promise<void> => {
  const way = index % 4
  if (way === 0) return
  if (way === 3) {
    await call(saveReadingStatus, { params: { id }, body: { status: 'dropped' } })
    if (index < 1000) await call(followSeries, { params: { id } })
    return
  }
  const books = await call(listBooksOfSeries, { params: { id }, query: { sort: 'number,desc', pageSize: 1 } })
  const last = books.ok ? books.body.data[0]?.id : undefined
  if (last === undefined) throw new Error('A series has no books')
  await call(markBookUnread, { params: { id: last } })
  if (way === 2) await call(saveProgress, { params: { id: last }, body: { currentPage: 2 } })
}

const requireFull = (text: string): void => {
  const { continueReading, onDeck, recentlyFinished } = JSON.parse(text) as Record<string, readonly unknown[]>
  if ([continueReading, onDeck, recentlyFinished].some((shelf) => shelf?.length !== 20))
    throw new Error('The shelves of a heavy reader are not full')
}

const p50 = ({ latenciesMs }: Round): number => quantile(latenciesMs, 0.5)

const figuresOf = (name: string, rounds: readonly Round[]): Figure[] => [
  { name: `home ${name}, answer, median`, unit: 'ms', values: rounds.map(p50) },
  { name: `home ${name}, answer, 99 %`, unit: 'ms', values: rounds.map((each) => quantile(each.latenciesMs, 0.99)) },
  { name: `home ${name}, CPU of one`, unit: 'µs', values: rounds.map(({ cpuUsPerRequest }) => cpuUsPerRequest) },
]

const growthOf = ({ heavy, empty }: Readonly<Record<'heavy' | 'empty', readonly Round[]>>): Figure => ({
  name: 'home, heavy to empty',
  unit: 'ratio',
  values: [median(heavy.map(p50)) / median(empty.map(p50))],
  gate: growth,
})
