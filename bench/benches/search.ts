import { search } from '../../packages/api/src/index.ts'
import { spawnBare } from '../bare-process.ts'
import { seededLibrary } from '../books/seeded-library.ts'
import { type Reply, requestBytes } from '../connection.ts'
import type { BenchDatabase } from '../databases/database.ts'
import { exchangeOnce } from '../exchange-once.ts'
import type { Bench, Figure } from '../figure.ts'
import { planLibrary } from '../gen/plan.ts'
import { growingSizes, seedProfiles, type SeedName } from '../gen/profiles.ts'
import { sameReply } from '../load.ts'
import { ratios, type Round, runRounds } from '../rounds.ts'
import { median, quantile } from '../statistics.ts'

const sizes = growingSizes
const pace = { rounds: 5, roundMs: 1000, warmUpMs: 500 }
/** The limit compares with a bare reply of the same bytes, at a million books. */
const gate = { max: 25 }

/** The queries are what people type, one request after the other, in libraries of three sizes. */
export const searching: Bench = {
  names: ['search.text'],
  isLong: true,
  run: async ({ database }) => {
    const figures: Figure[] = []
    for (const size of sizes) figures.push(...(await measure(database, size)))
    return figures
  },
}

const measure = async (database: BenchDatabase, size: SeedName): Promise<Figure[]> => {
  await using seeded = await seededLibrary(database, size)
  const { installation } = seeded
  await using server = await installation.start()
  const figures: Figure[] = []
  for (const [what, texts] of Object.entries(textsFor(size))) {
    const requests = texts.map((text) =>
      requestBytes({ path: `${search.path}?q=${encodeURIComponent(text)}&limit=10`, headers: installation.token }),
    )
    const [request = Buffer.alloc(0)] = requests
    const model = await exchangeOnce(server.port, request)
    requireHits(model)
    await using bare = await spawnBare(model, request)
    const load = { connections: 1, awake: true, request: () => request, check: sameReply(model) }
    let sent = 0
    const inTurn = { request: () => requests[(sent += 1) % requests.length] ?? request, check: requireHits }
    const { bare: least, ours } = await runRounds(
      {
        bare: { pid: bare.pid, load: { ...load, port: bare.port } },
        ours: { pid: server.pid, load: { ...load, ...(requests.length > 1 && inTurn), port: server.port } },
      },
      pace,
    )
    figures.push(...figuresOf(`search.text ${size}, ${what}`, { least, ours, hasGate: size === '1M' }))
  }
  return figures
}

const requireHits = ({ status, body }: Reply): void => {
  const { series = [], books = [] } = JSON.parse(body.toString()) as { series?: unknown[]; books?: unknown[] }
  if (status !== 200 || series.length + books.length === 0)
    throw new Error(`Nothing was found: ${status} ${body.toString().slice(0, 200)}`)
}

/** There are so many that no answer stays in the cache until it is asked for again. */
const inTurnMax = 150

const textsFor = (size: SeedName): Readonly<Record<string, readonly string[]>> => {
  const words = [...wordCounts(size)].sort(([, one], [, other]) => one - other).map(([word]) => word)
  return {
    ...Object.fromEntries(Object.entries(queriesFor(size)).map(([what, text]) => [what, [text]])),
    'rare words in turn': words.filter((word) => word.length >= 5).slice(0, inTurnMax),
    'pairs of words in turn': [...new Set(plainNames(size))]
      .filter((name) => name.split(' ').length === 2)
      .slice(0, inTurnMax),
  }
}

const plainNames = (size: SeedName): string[] =>
  [...planLibrary(seedProfiles[size])].map(({ name }) => name).filter((name) => /^[A-Z][A-Za-z ]*$/.test(name))

const wordCounts = (size: SeedName): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const word of plainNames(size).flatMap((name) => name.split(' '))) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** The words come from the library itself: some are rare in it and some are everywhere. */
export const queriesFor = (size: SeedName): Readonly<Record<string, string>> => {
  const twoWords = plainNames(size).find((name) => name.split(' ').length === 2) ?? ''
  const withoutSpaces =
    [...planLibrary(seedProfiles[size])].find(({ name }) => /^[\u4e00-\u9fff]{3,}$/.test(name))?.name.slice(1, 3) ?? ''
  const byCount = [...wordCounts(size)].sort(([, one], [, other]) => other - one).map(([word]) => word)
  const common = byCount[0] ?? ''
  const rare = byCount.findLast((word) => word.length >= 7) ?? ''
  return {
    'a rare word': rare,
    'two words': twoWords,
    'two letters': common.slice(0, 2),
    'the commonest word': common,
    'two characters of Chinese': withoutSpaces,
    'a mistake': `${rare.slice(0, 3)}q${rare.slice(4)}`,
  }
}

interface Measured {
  readonly least: readonly Round[]
  readonly ours: readonly Round[]
  readonly hasGate: boolean
}

const at = (share: number) => (round: Round) => quantile(round.latenciesMs, share)

const figuresOf = (name: string, { least, ours, hasGate }: Measured): Figure[] => {
  const bareMs = median(least.map(at(0.99)))
  return [
    { name: `${name}, median`, unit: 'ms', values: ours.map(at(0.5)) },
    { name: `${name}, p99`, unit: 'ms', values: ours.map(at(0.99)) },
    { name: `${name}, CPU to a bare reply`, unit: '×', values: ratios(ours, least, 'cpuUsPerRequest') },
    {
      name: `${name}, p99 of a bare reply`,
      unit: '×',
      values: ours.map((round) => at(0.99)(round) / bareMs),
      ...(hasGate && { gate }),
    },
  ]
}
