import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { planLibrary } from '../gen/plan.ts'
import { type ProfileName, profileNames, profiles } from '../gen/profiles.ts'
import { type Counts, generatedLibrary } from '../gen/library.ts'
import { exchangeOnce } from '../exchange-once.ts'
import { pageSizes } from './adapters/adapter.ts'
import { type PreparedServer, bytesOf, measureAnswers } from './answer-rows.ts'
import { measureHome } from './browser-rows.ts'
import { type Row, tableOf } from './row.ts'
import { measureFirstScans, measureIdling, measureRescans } from './scan-rows.ts'
import { readEntries, type RunningServer } from './server.ts'

const usual = fileURLToPath(new URL('./servers.json', import.meta.url))

const usage = `Usage: node bench/peer/run.ts [--library ${profileNames.join('|')}] [--rounds 5] [--scans 3] [--round-ms 1500] [--idle 60] [SERVERS.json]
It starts each server that the file names on a new folder, has it read the same library, asks all of them the same in
turn, and prints one table of medians. ${usual} says what a file looks like.`

const wordsMax = 60
const bookIdsMax = 200

/** What people would look for: words of five letters and more in the names of the library. */
const wordsOf = (library: ProfileName): string[] => {
  const words = [...planLibrary(profiles[library])].flatMap(({ name }) => name.match(/\b[A-Za-z]{5,}\b/g) ?? [])
  return [...new Set(words)].slice(0, wordsMax)
}

const prepare = async (server: RunningServer, counts: Counts): Promise<PreparedServer> => {
  const { adapter, ask, port, headers } = server
  const fullPages = {
    books: Math.max(1, Math.floor(counts.books / pageSizes.books)),
    series: Math.max(1, Math.floor(counts.series / pageSizes.series)),
  }
  const questions = adapter.questions({ genres: await adapter.genres(ask), fullPages })
  const bookIds: string[] = []
  for (const id of await adapter.bookIds(ask, bookIdsMax)) {
    const { status } = await exchangeOnce(port, bytesOf(questions.page(id, 2), headers))
    // A damaged book is refused, and so is the second page of a book that has one: that takes less time than an answer.
    if (status === 200) bookIds.push(id)
  }
  return { server, questions, bookIds, key: await adapter.makeKey(ask) }
}

const positive = (text: string, what: string): number => {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new Error(`${what} is a number from 1 on, not ${text}`)
  return value
}

const run = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      library: { type: 'string', default: 'S' },
      rounds: { type: 'string', default: '5' },
      scans: { type: 'string', default: '3' },
      'round-ms': { type: 'string', default: '1500' },
      idle: { type: 'string', default: '60' },
      help: { type: 'boolean', default: false },
    },
  })
  const name = profileNames.find((each) => each === values.library)
  if (values.help || name === undefined || positionals.length > 1) {
    console.log(usage)
    return values.help ? 0 : 2
  }
  const rounds = positive(values.rounds, 'rounds')
  const pace = { rounds, roundMs: positive(values['round-ms'], 'round-ms') }
  const entries = await readEntries(positionals[0] ?? usual)
  const { root, counts } = await generatedLibrary(name)
  const { books, damaged } = counts
  await using keep = new AsyncDisposableStack()
  const options = { root, books, readable: books - damaged, rounds: positive(values.scans, 'scans') }
  const { rows: ofScans, servers } = await measureFirstScans(entries, options, keep)
  const rows: Row[] = [...ofScans]
  rows.push(...(await measureRescans(servers, rounds)))
  rows.push(...(await measureIdling(servers, positive(values.idle, 'idle'))))
  const preparedServers = await Promise.all(servers.map(({ server }) => prepare(server, counts)))
  rows.push(...(await measureAnswers(preparedServers, wordsOf(name), pace)))
  rows.push(
    ...(await measureHome(
      servers.map(({ server }) => server),
      rounds,
    )),
  )
  console.log(`${new Date().toISOString()}, ${books} books, medians of ${rounds} rounds in turn\n`)
  console.log(
    tableOf(
      entries.map((entry) => entry.name),
      rows,
    ),
  )
  return 0
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))

process.exit(
  await run().catch((failure: unknown) => {
    console.error(failure)
    return 1
  }),
)
