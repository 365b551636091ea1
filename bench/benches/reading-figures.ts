import {
  addressOf,
  type Client,
  createUser,
  listBooks,
  login,
  readReadingStats,
  type ReadingSession,
  recordReadingSessions,
} from '../../packages/api/src/index.ts'
import { seededLibrary } from '../books/seeded-library.ts'
import { type Reply, requestBytes } from '../connection.ts'
import type { Bench, Figure } from '../figure.ts'
import { callerAt } from '../installation.ts'
import { type Contender, type Round, runOnce, runRounds } from '../rounds.ts'
import type { ServerProcess } from '../server-process.ts'
import { median, quantile } from '../statistics.ts'

const pace = { rounds: 7, roundMs: 1000, warmUpMs: 1000 }
const growth = { max: 2 }
const day = 24 * 60 * 60 * 1000
const end = Date.parse('2026-11-01T00:00:00.000Z')
const heavyDays = 3652
const sessionsADay = 5
const batch = 500
const password = 'eleven-boats-under-a-bridge'

/** One who has read for ten years, five times a day, beside one who has read for a day. */
export const readingFigures: Bench = {
  names: ['figures.stats', 'figures.ingest'],
  run: async ({ database }) => {
    await using seeded = await seededLibrary(database, '10k')
    await using server = await seeded.installation.start()
    const admin = callerAt(server.port, seeded.installation.token)
    const bookIds = await someBooks(admin)
    const heavy = await makeReader(admin, server, 'heavy')
    const light = await makeReader(admin, server, 'light')
    const begun = performance.now()
    await read(heavy.call, bookIds, heavyDays)
    const ingestedMs = (performance.now() - begun) / Math.ceil((heavyDays * sessionsADay) / batch)
    await read(light.call, bookIds, 1)
    const roundsByName = await runRounds(contendersOf(server, heavy.token, light.token, true), pace)
    const anew = await runRounds(contendersOf(server, heavy.token, light.token, false), pace)
    return [
      { name: `figures.ingest ${batch} at once`, unit: 'ms', values: [ingestedMs] },
      ...answers('kept', roundsByName),
      ...answers('worked out', anew),
      ...(await ingest(server, heavy.token, bookIds)),
    ]
  },
}

type Headers = Readonly<Record<string, string>>

const questions = {
  'a day of one day': { who: 'light', query: { from: '2026-10-31', to: '2026-10-31' } },
  '90 days of one day': { who: 'light', query: { from: '2026-08-01', to: '2026-10-31' } },
  'a day of ten years': { who: 'heavy', query: { from: '2026-10-31', to: '2026-10-31' } },
  '90 days of ten years': { who: 'heavy', query: { from: '2026-08-01', to: '2026-10-31' } },
  'ten years of one day by month': {
    who: 'light',
    query: { from: '2016-11-01', to: '2026-10-31', granularity: 'month' },
  },
  'ten years by month': { who: 'heavy', query: { from: '2016-11-01', to: '2026-10-31', granularity: 'month' } },
  'ten years by week': { who: 'heavy', query: { from: '2016-11-01', to: '2026-10-31', granularity: 'week' } },
  'ten years by day': { who: 'heavy', query: { from: '2016-11-01', to: '2026-10-31', granularity: 'day' } },
  'ten years elsewhere': {
    who: 'heavy',
    query: { from: '2016-11-01', to: '2026-10-31', granularity: 'month', timezone: 'Asia/Tokyo' },
  },
} as const
type Question = keyof typeof questions

/**
 * An answer is cached for the same question; a window that begins a thousandth of a second later is another question.
 */
const contendersOf = (
  server: ServerProcess,
  heavy: Headers,
  light: Headers,
  isKept: boolean,
): Readonly<Record<string, Contender>> =>
  Object.fromEntries(
    Object.entries(questions).map(([name, { who, query }]) => {
      const headers = who === 'heavy' ? heavy : light
      let sent = 0
      const request = () => {
        const from = isKept ? query.from : new Date(Date.parse(query.from) + (sent += 1)).toISOString()
        return requestBytes({ path: addressOf(readReadingStats, { query: { ...query, from } }), headers })
      }
      const load = { port: server.port, connections: 1, awake: true, request, check: requireOk }
      return [name, { pid: server.pid, load }]
    }),
  )

const requireOk = ({ status, body }: Reply): void => {
  if (status !== 200) throw new Error(`Expected figures, got ${status} ${body.toString().slice(0, 300)}`)
}

const p50 = ({ latenciesMs }: Round): number => quantile(latenciesMs, 0.5)

const answers = (how: string, rounds: Readonly<Record<string, Round[]>>): Figure[] => [
  ...Object.entries(rounds).map(([name, each]) => ({
    name: `figures.stats ${name}, ${how}, median`,
    unit: 'ms',
    values: each.map(p50),
  })),
  ...Object.entries(rounds).map(([name, each]) => ({
    name: `figures.stats ${name}, ${how}, CPU of one`,
    unit: 'µs',
    values: each.map(({ cpuUsPerRequest }) => cpuUsPerRequest),
  })),
  ...growthsOf(how, rounds),
]

const growthsOf = (how: string, rounds: Readonly<Record<string, Round[]>>): Figure[] => {
  const ratio = (above: Question, below: Question): number[] => [
    median((rounds[above] ?? []).map(p50)) / median((rounds[below] ?? []).map(p50)),
  ]
  return [
    {
      name: `figures.stats 90 days, ${how}, ten years to one day`,
      unit: 'ratio',
      values: ratio('90 days of ten years', '90 days of one day'),
    },
    {
      name: `figures.stats a day, ${how}, ten years to one day`,
      unit: 'ratio',
      values: ratio('a day of ten years', 'a day of one day'),
      gate: growth,
    },
    {
      name: `figures.stats all by month, ${how}, ten years to one day`,
      unit: 'ratio',
      values: ratio('ten years by month', 'ten years of one day by month'),
      gate: growth,
    },
    {
      name: `figures.stats all by month of ten years, ${how}, to a day of one day`,
      unit: 'ratio',
      values: ratio('ten years by month', 'a day of one day'),
      gate: growth,
    },
  ]
}

/** One session after the other as it ends, and one that comes ten years late. */
const ingest = async (server: ServerProcess, headers: Headers, bookIds: readonly string[]): Promise<Figure[]> => {
  const figures: Figure[] = []
  for (const [name, at] of [
    ['as it ends', end],
    ['ten years late', end - (heavyDays - 30) * day],
  ] as const) {
    const rounds: Round[] = []
    for (let round = 0; round < pace.rounds; round += 1) {
      const request = (index: number) =>
        requestBytes({
          method: 'POST',
          path: '/api/v1/reading-sessions',
          headers,
          body: { sessions: [sessionOf(bookIds, index, at + (round * 10_000 + index) * 600_000 * 0.001)] },
        })
      const load = { port: server.port, connections: 1, request, check: requireOk }
      rounds.push(await runOnce({ pid: server.pid, load }, pace.roundMs))
    }
    figures.push({ name: `figures.ingest one ${name}, answer, median`, unit: 'ms', values: rounds.map(p50) })
  }
  return figures
}

const someBooks = async (call: Client): Promise<string[]> => {
  const pages = await Promise.all(
    Array.from({ length: 6 }, async (_, index) => {
      const page = await call(listBooks, { query: { page: index + 1, pageSize: 500 } })
      if (!page.ok) throw new Error(page.error.message)
      return page.body.data.map(({ id }) => id)
    }),
  )
  return pages.flat()
}

const makeReader = async (
  admin: Client,
  server: ServerProcess,
  username: string,
): Promise<{ readonly call: Client; readonly token: Headers }> => {
  const made = await admin(createUser, { body: { username, password, role: 'reader' } })
  if (!made.ok) throw new Error(made.error.message)
  const signedIn = await callerAt(server.port, {})(login, { body: { username, password } })
  if (!signedIn.ok) throw new Error(signedIn.error.message)
  const token = { authorization: `Bearer ${signedIn.body.accessToken}` }
  return { call: callerAt(server.port, token), token }
}

const read = async (call: Client, bookIds: readonly string[], days: number): Promise<void> => {
  const all = Array.from({ length: days * sessionsADay }, (_, index) =>
    // Six sessions for each book, one book after the other.
    sessionOf(bookIds, Math.floor(index / 6), end - days * day + (index / sessionsADay) * day),
  )
  for (let from = 0; from < all.length; from += batch) {
    const answer = await call(recordReadingSessions, { body: { sessions: all.slice(from, from + batch) } })
    if (!answer.ok || answer.body.rejected.length > 0)
      throw new Error(answer.ok ? JSON.stringify(answer.body.rejected[0]) : answer.error.message)
  }
}

const devices = ['tablet', 'phone', 'reader']

const sessionOf = (bookIds: readonly string[], book: number, at: number): ReadingSession => ({
  id: crypto.randomUUID(),
  bookId: bookIds[book % bookIds.length] ?? '',
  kind: 'progress',
  clientStartedAt: new Date(at).toISOString(),
  clientEndedAt: new Date(at + 20 * 60_000).toISOString(),
  deviceId: devices[book % devices.length] ?? '',
  activeDurationMs: 18 * 60_000,
  pagesRead: 5,
  toPage: 1 + (Math.round(at / 1000) % 30),
})
