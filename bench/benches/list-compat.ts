import { spawnBare } from '../bare-process.ts'
import { seededLibrary } from '../books/seeded-library.ts'
import { type Reply, requestBytes } from '../connection.ts'
import { exchangeOnce } from '../exchange-once.ts'
import type { Bench, Figure } from '../figure.ts'
import { sameReply } from '../load.ts'
import { ratios, type Round, runRounds } from '../rounds.ts'
import { quantile } from '../statistics.ts'

const pace = { rounds: 7, roundMs: 1000, warmUpMs: 1000 }
const share = { min: 0.2 }

/** An application for manga asks like this for its first page, and for one page after the other. */
const series = '/komga/api/v1/series?search=&deleted=false&sort=metadata.titleSort%2Casc&page='
const pagesInTurn = 200

/** Pages of the compatibility API beside a bare server that sends the same bytes: the one everybody asks for, and all in turn. */
export const listCompat: Bench = {
  names: ['list.compat'],
  isLong: true,
  run: async ({ database }) => {
    await using seeded = await seededLibrary(database, '100k')
    const { installation } = seeded
    await using server = await installation.start({ CARREL_SETTING_COMPAT_ENABLED: 'true' })
    const requestOf = (page: number) => requestBytes({ path: `${series}${page}`, headers: installation.token })
    const first = requestOf(0)
    const requests = Array.from({ length: pagesInTurn }, (_, page) => requestOf(page))
    const model = await exchangeOnce(server.port, first)
    isPage(model)
    await using bare = await spawnBare(model, first)
    const same = { connections: 1, awake: true, request: () => first, check: sameReply(model) }
    let sent = 0
    const turn = { ...same, request: () => requests[(sent += 1) % pagesInTurn] ?? first, check: isPage }
    const rounds = await runRounds(
      {
        bare: { pid: bare.pid, load: { ...same, port: bare.port } },
        first: { pid: server.pid, load: { ...same, port: server.port } },
        turn: { pid: server.pid, load: { ...turn, port: server.port } },
      },
      pace,
    )
    return [
      ...figuresOf('list.compat, the first page', rounds.first, rounds.bare, share),
      ...figuresOf('list.compat, page by page', rounds.turn, rounds.bare, undefined),
    ]
  },
}

const isPage = ({ status, body }: Reply): void => {
  if (status !== 200) throw new Error(`A page was answered with ${status}: ${body.toString().slice(0, 200)}`)
}

const figuresOf = (name: string, ours: readonly Round[], bare: readonly Round[], gate: Figure['gate']): Figure[] => [
  { name: `${name}, answer, median`, unit: 'ms', values: ours.map(({ latenciesMs }) => quantile(latenciesMs, 0.5)) },
  {
    name: `${name} of bare node:http`,
    unit: '× limit',
    values: ratios(ours, bare, 'perSecond'),
    ...(gate && { gate }),
  },
]
