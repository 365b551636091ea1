import { join } from 'node:path'
import { type Client, createUser, login, readHome } from '../../packages/api/src/index.ts'
import type { Database } from '../../packages/server/src/database/database.ts'
import { insertMany } from '../../packages/server/src/database/many.ts'
import { openDatabase } from '../../packages/server/src/database/open.ts'
import { recountSeries } from '../../packages/server/src/features/reading/reading.ts'
import { createLog } from '../../packages/server/src/platform/log.ts'
import { seededLibrary } from '../books/seeded-library.ts'
import { requestBytes } from '../connection.ts'
import { exchangeOnce } from '../exchange-once.ts'
import type { Bench, Figure } from '../figure.ts'
import { callerAt, type Installation } from '../installation.ts'
import { sameReply } from '../load.ts'
import { type Round, runRounds } from '../rounds.ts'
import { median, quantile } from '../statistics.ts'

const booksRead = 50_000
const rowsAtOnce = 1000
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
    await makePeople(installation)
    await using server = await installation.start()
    const heavy = await signedIn(server.port, 'heavy')
    const empty = await signedIn(server.port, 'empty')
    const loadOf = async (headers: Headers) => {
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

type Headers = Readonly<Record<string, string>>

const makePeople = async (installation: Installation): Promise<void> => {
  const idOf = async (admin: Client, username: string): Promise<string> => {
    const created = await admin(createUser, { body: { username, password, role: 'reader' } })
    if (!created.ok) throw new Error(`${username} could not be created: ${created.error.message}`)
    return created.body.id
  }
  await using server = await installation.start()
  const admin = callerAt(server.port, installation.token)
  const userId = await idOf(admin, 'heavy')
  await idOf(admin, 'empty')
  const { CARREL_DATABASE_URL: url } = installation.environment
  const address =
    url === undefined
      ? ({ kind: 'sqlite', file: join(installation.directory, 'carrel.db') } as const)
      : ({ kind: 'postgres', url } as const)
  const db = await openDatabase(address, createLog({ level: 'warn', format: 'json' }), (error) => {
    throw error
  })
  try {
    await readALot(db, userId)
  } finally {
    await db.close()
  }
}

const signedIn = async (port: number, username: string): Promise<Headers> => {
  const outcome = await callerAt(port, {})(login, { body: { username, password } })
  if (!outcome.ok) throw new Error(`${username} could not sign in: ${outcome.error.message}`)
  return { authorization: `Bearer ${outcome.body.accessToken}` }
}

/**
 * The rows are as the log would have left them: of every four series one is finished, one is finished except for a
 * book, one has an open book, and one was dropped.
 */
const readALot = async (db: Database, userId: string): Promise<void> => {
  const books = await db.read
    .selectFrom('book')
    .select(['id', 'series_id'])
    .where('state', '=', 'present')
    .orderBy('series_id')
    .orderBy('position_key')
    .limit(booksRead)
    .execute()
  const series = [...Map.groupBy(books, ({ series_id }) => series_id)]
  const rows = series.flatMap(([, ofSeries], index) => {
    const way = index % 4
    const read = way === 1 ? ofSeries.slice(0, -1) : ofSeries
    return read.map(({ id }, position) => progressRow(userId, id, { index, isOpen: way === 2 && position === 0 }))
  })
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const some = rows.slice(from, from + rowsAtOnce)
    await db.write(async (db) => {
      await insertMany(db, 'read_progress', some)
      await insertMany(
        db,
        'read_completion',
        some.flatMap(({ book_id, started_at, completed_at }) =>
          completed_at === null ? [] : [{ user_id: userId, id: book_id, book_id, started_at, completed_at }],
        ),
      )
    })
  }
  const ids = series.map(([id]) => id)
  for (let from = 0; from < ids.length; from += rowsAtOnce)
    await db.write((db) => recountSeries(db, ids.slice(from, from + rowsAtOnce)))
  const dropped = ids.filter((_, index) => index % 4 === 3)
  const at = new Date(0).toISOString()
  await db.write((db) =>
    insertMany(
      db,
      'series_status',
      dropped.map((series_id) => ({ user_id: userId, series_id, status: 'dropped' as const, updated_at: at })),
    ),
  )
  await db.write((db) =>
    insertMany(
      db,
      'series_follow',
      dropped.slice(0, 500).map((series_id) => ({ user_id: userId, series_id, followed_at: at, newest_at: at })),
    ),
  )
}

const minuteMs = 60_000

const progressRow = (
  user_id: string,
  book_id: string,
  { index, isOpen }: { readonly index: number; readonly isOpen: boolean },
) => {
  const at = new Date(Date.UTC(2020, 0, 1) + index * minuteMs).toISOString()
  return {
    user_id,
    book_id,
    entry_id: book_id,
    device_id: 'unknown',
    page: 3,
    percentage: null,
    page_count: 20,
    completed: isOpen ? (0 as const) : (1 as const),
    rereading: 0 as const,
    started_at: at,
    updated_at: at,
    completed_at: isOpen ? null : at,
  }
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
