import { spawnBare } from '../bare-process.ts'
import { seededLibrary } from '../books/seeded-library.ts'
import { type Reply, requestBytes } from '../connection.ts'
import type { BenchDatabase } from '../databases/database.ts'
import { exchangeOnce } from '../exchange-once.ts'
import type { Bench, Figure } from '../figure.ts'
import { sameReply } from '../load.ts'
import { runRounds } from '../rounds.ts'
import { figuresAgainstBare, usualLoad } from './against-bare.ts'

const feeds = {
  opds1: { begins: '<?xml', paths: ['/opds/v1/catalog', '/opds/v1/recent', '/opds/v1/series', '/opds/v1/books'] },
  opds2: { begins: '{', paths: ['/opds/v2', '/opds/v2/recent', '/opds/v2/series', '/opds/v2/books'] },
} as const
const pagesInTurn = 150
const pace = { rounds: 5, roundMs: 1000, warmUpMs: 1000 }
const fastEnough = { min: 0.2 }

/** Feeds beside a bare server that answers the same bytes: asked for again, and a page after the other, of which none is kept. */
export const opds: Bench = {
  names: ['opds1', 'opds2'],
  isLong: true,
  run: async ({ database }) => measureAll(database),
}

const measureAll = async (database: BenchDatabase): Promise<Figure[]> => {
  await using seeded = await seededLibrary(database, '10k')
  const { installation } = seeded
  await using server = await installation.start()
  const requestOf = (path: string) => requestBytes({ path, headers: installation.token })
  const figures: Figure[] = []

  const measure = async (name: string, begins: string, paths: readonly string[]) => {
    const requests = paths.map(requestOf)
    const [first = Buffer.alloc(0)] = requests
    const model = await exchangeOnce(server.port, first)
    if (model.status !== 200 || !model.body.toString().startsWith(begins))
      throw new Error(`No feed: ${model.status} ${model.body.toString().slice(0, 200)}`)
    await using bare = await spawnBare(model, first)
    const isFeed = ({ status, body }: Reply): void => {
      if (status !== 200) throw new Error(`A feed was answered with ${status}: ${body.toString().slice(0, 200)}`)
    }
    let sent = 0
    const ours =
      requests.length === 1
        ? { request: () => first, check: sameReply(model) }
        : { request: () => requests[(sent += 1) % requests.length] ?? first, check: isFeed }
    const rounds = await runRounds(
      {
        bare: {
          pid: bare.pid,
          load: { ...usualLoad, port: bare.port, request: () => first, check: sameReply(model) },
        },
        ours: { pid: server.pid, load: { ...usualLoad, port: server.port, ...ours } },
      },
      pace,
    )
    const isKept = requests.length === 1
    return figuresAgainstBare(name, rounds.ours, rounds.bare).map((figure) =>
      isKept && figure.name.endsWith('by CPU') ? { ...figure, gate: fastEnough } : figure,
    )
  }

  for (const [version, { begins, paths }] of Object.entries(feeds)) {
    for (const path of paths) figures.push(...(await measure(`${version} ${path}`, begins, [path])))
    const list = paths.at(-1) ?? ''
    const pages = Array.from({ length: pagesInTurn }, (_, at) => `${list}?page=${at + 1}`)
    figures.push(...(await measure(`${version} page by page`, begins, pages)))
  }
  return figures
}
