import { requestBytes, type RequestText } from '../connection.ts'
import { exchangeOnce } from '../exchange-once.ts'
import { cpuUsOfAll } from '../process-figures.ts'
import { type Contender, type Round, runRounds } from '../rounds.ts'
import { quantile } from '../statistics.ts'
import { type Headers, listNames, type Questions } from './adapters/adapter.ts'
import type { Row } from './row.ts'
import type { RunningServer } from './server.ts'

export interface Pace {
  readonly rounds: number
  readonly roundMs: number
}

export interface PreparedServer {
  readonly server: RunningServer
  readonly questions: Questions
  readonly bookIds: readonly string[]
  readonly key: Headers | undefined
}

interface RowShape {
  readonly name: string
  readonly connections: number
  /** Undefined where this server has nothing of the kind. */
  readonly requestOf: (server: PreparedServer) => ((turn: number) => RequestText) | undefined
  readonly headersOf?: (server: PreparedServer) => Headers
}

const lanes = [1, 8]
const warmUpMs = 500
/** More different requests are made beforehand than a round can send of what is slow. */
const requestsMax = 3000

/** What readers and their applications ask, of each server in turn. */
export const measureAnswers = async (
  servers: readonly PreparedServer[],
  words: readonly string[],
  pace: Pace,
): Promise<Row[]> => {
  const word = (turn: number): string => words[turn % words.length] ?? ''
  const both = (name: string, requestOf: RowShape['requestOf'], more: Partial<RowShape> = {}): RowShape[] =>
    lanes.map((connections) => ({ name, connections, requestOf, ...more }))
  const shapes: RowShape[] = [
    ...listNames.flatMap((name) => both(name, ({ questions }) => questions.lists[name])),
    ...both(
      'books, full text',
      ({ questions }) =>
        (turn) =>
          questions.search(word(turn)),
    ),
    ...both('who am I, signed in', ({ questions }) => questions.me),
    ...both('who am I, by key', ({ questions, key }) => key && questions.me, {
      headersOf: ({ key = {} }) => key,
    }),
    ...both(
      'one book',
      ({ questions, bookIds }) =>
        (turn) =>
          questions.book(bookIds[turn % bookIds.length] ?? ''),
    ),
    ...both(
      'first page of a book, all in turn',
      ({ questions, bookIds }) =>
        (turn) =>
          questions.page(bookIds[turn % bookIds.length] ?? '', 1),
    ),
    ...[1, 16].map((connections) => ({
      name: 'progress saved',
      connections,
      requestOf:
        ({ questions, bookIds }: PreparedServer) =>
        (turn: number) =>
          questions.progress(bookIds[turn % bookIds.length] ?? '', 1 + (turn % 2)),
    })),
  ]
  const rows: Row[] = []
  for (const shape of shapes) rows.push(...(await measure(servers, shape, pace)))
  rows.push(...(await measureNotModified(servers, pace)))
  return rows
}

/** The first page of the first book, asked for by who has it. */
const measureNotModified = async (servers: readonly PreparedServer[], pace: Pace): Promise<Row[]> => {
  const etags = await Promise.all(
    servers.map(async ({ server, questions, bookIds: [id = ''] }) => {
      const { head } = await exchangeOnce(server.port, bytesOf(questions.page(id, 1), server.headers))
      return /\r\netag: (.+)/i.exec(head)?.[1]
    }),
  )
  const requestOf: RowShape['requestOf'] = ({ server, questions, bookIds: [id = ''] }) => {
    const etag = etags[servers.findIndex((each) => each.server === server)]
    return () => {
      const request = questions.page(id, 1)
      return { ...request, ...(etag !== undefined && { headers: { ...request.headers, 'if-none-match': etag } }) }
    }
  }
  return measure(servers, { name: 'a page that one has, asked again', connections: 8, requestOf }, pace)
}

const measure = async (
  servers: readonly PreparedServer[],
  { name, connections, requestOf, headersOf = ({ server }) => server.headers }: RowShape,
  { rounds, roundMs }: Pace,
): Promise<Row[]> => {
  const refused = servers.map(() => 0)
  const contenders: Record<string, Contender> = {}
  for (const [at, each] of servers.entries()) {
    const question = requestOf(each)
    if (!question) continue
    const requests = Array.from({ length: requestsMax }, (_, turn) => bytesOf(question(turn), headersOf(each)))
    const { pid, port } = each.server
    let turn = 0
    contenders[at] = {
      pid,
      cpuUs: cpuUsOfAll,
      load: {
        port,
        connections,
        request: () => requests[(turn += 1) % requests.length] ?? Buffer.alloc(0),
        // A server that refuses some of it is measured all the same, and it is said how often it did.
        check: ({ status }) => {
          if (status >= 400) refused[at] = (refused[at] ?? 0) + 1
        },
      },
    }
  }
  const results = await runRounds(contenders, { rounds, roundMs, warmUpMs })
  const of = (figure: (round: Round) => number): number[][] => servers.map((_, at) => (results[at] ?? []).map(figure))
  const full = `${name}, ${connections} at a time`
  const told = servers.flatMap(({ server }, at) => (refused[at] ? [`${server.name} refused ${refused[at]}`] : []))
  const more = told.length === 0 ? {} : { note: told.join('; ') }
  return [
    { name: `${full}: median`, unit: 'ms', values: of(({ latenciesMs }) => quantile(latenciesMs, 0.5)), ...more },
    { name: `${full}: 99 %`, unit: 'ms', values: of(({ latenciesMs }) => quantile(latenciesMs, 0.99)), ...more },
    { name: `${full}: CPU of one`, unit: 'ms', values: of((round) => round.cpuUsPerRequest / 1000), ...more },
    { name: full, unit: '/s', values: of(({ perSecond }) => perSecond), isMoreBetter: true, ...more },
  ]
}

/** A request by whoever has these headers. */
export const bytesOf = (request: RequestText, headers: Headers): Buffer =>
  requestBytes({ ...request, headers: { ...headers, ...request.headers } })
