import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { deadlineMs } from './packages/server/test/deadline.ts'
import { LongestFirst } from './scripts/longest-first.ts'
import { WhereTheTimeWent } from './scripts/where-the-time-went.ts'

// Threads and processes of a server run from its sources: they are stripped of their types once, not at each start.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node')

/** A wait that ends says what was waited for, before the test is ended with nothing to say. */
const waits = {
  testTimeout: 3 * deadlineMs,
  hookTimeout: 3 * deadlineMs,
  expect: { poll: { timeout: deadlineMs, interval: 20 } },
}

/** What speaks SQL. */
const onBoth = 'packages/server/**/*.server.test.ts'
/** What one database proves for both: `npm run test:all` runs it on PostgreSQL too (decision 046). */
const onOne = 'packages/server/**/*.one-database.test.ts'
/** What only PostgreSQL has: a network between. */
const onPostgres = 'packages/server/**/*.postgres.test.ts'
const runsAll = process.env.TESTS === 'all'
const isTortured = process.env['CARREL_TORTURE'] !== undefined

/** Tests make much that soon is garbage: a nursery with room for it takes a tenth off their CPU. */
const execArgv = ['--min-semi-space-size=32', '--max-semi-space-size=64']
/** Processes that read files would let everybody go first: whatever else the machine does, tests would wait for that to end. */
const normalPriority = { CARREL_BACKGROUND_PRIORITY: 'normal' }
const setupFiles = ['packages/server/test/seed-setup.ts']
/** These compute. */
const together = { setupFiles, execArgv, maxWorkers: 3, sequence: { groupOrder: 0 } }
/** These start programs and browsers, and wait for them half of the time. */
const programs = { setupFiles, execArgv, maxWorkers: 5, sequence: { groupOrder: 1 } }

/** What builds and installs, alone: minutes, and nothing else may use the bundle meanwhile. `npm run test:all` runs it. */
const installs = { ...waits, maxWorkers: 1, sequence: { groupOrder: 2 } }

/** `npm run pictures` makes the pictures of the README, `npm run bench:reader` measures what turning a page takes. */
const browserFiles =
  process.env['PICTURES'] !== undefined
    ? 'e2e/pictures/pictures.ts'
    : process.env['FIGURES'] !== undefined
      ? 'e2e/figures/page-turns.ts'
      : 'e2e/*.browser.test.ts'

const server = (database: 'sqlite' | 'postgres') => ({
  test: {
    name: database,
    include: [
      onBoth,
      ...(database === 'sqlite' || runsAll ? [onOne] : []),
      ...(database === 'postgres' ? [onPostgres] : []),
    ],
    env: { TEST_DATABASE: database, ...normalPriority },
    globalSetup: [`packages/server/test/${database}-setup.ts`, 'scripts/plugins-before-tests.ts'],
    // A process per file would cost more than all the tests in it.
    isolate: false,
    pool: 'forks' as const,
    // Node reads the sources itself, as it does where they are served, and keeps what it has compiled between two runs.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    ...together,
    ...waits,
  },
})

export default defineConfig({
  test: {
    reporters: ['default', new WhereTheTimeWent(), './scripts/closing-line.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{packages,plugins}/**/*.unit.test.ts', 'torture/**/*.unit.test.ts'],
          env: normalPriority,
          isolate: false,
          ...together,
          ...waits,
        },
      },
      {
        // Each starts plugins as processes of their own.
        test: {
          name: 'plugins',
          include: ['{packages/plugin-sdk,plugins}/**/*.plugin.test.ts'],
          isolate: false,
          ...together,
          ...waits,
        },
      },
      server('sqlite'),
      server('postgres'),
      {
        test: {
          name: 'smoke',
          include: ['packages/{server/test/smoke,plugin-sdk/test}/*.smoke.test.ts'],
          globalSetup: ['scripts/build-before-tests.ts', 'packages/server/test/smoke/postgres-setup.ts'],
          isolate: false,
          pool: 'forks' as const,
          ...programs,
          ...waits,
        },
      },
      {
        // What a disk, a clock and a network can do to a server (decision 070): `npm test` leaves it to `npm run test:all`.
        test: {
          name: 'torture',
          include: isTortured ? ['torture/*.torture.test.ts'] : [],
          globalSetup: ['scripts/build-before-tests.ts', 'packages/server/test/smoke/postgres-setup.ts'],
          isolate: false,
          pool: 'forks' as const,
          ...programs,
          // They measure, and take all the machine has.
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
          ...waits,
        },
      },
      {
        test: {
          name: 'browser',
          include: [browserFiles],
          // It shows every page in every look, which takes half an hour.
          exclude: runsAll ? [] : ['e2e/every-scheme.browser.test.ts'],
          globalSetup: ['scripts/build-before-tests.ts', 'e2e/chromium-setup.ts'],
          // The files of a worker share a browser.
          isolate: false,
          ...programs,
          ...waits,
        },
      },
      { test: { name: 'install', include: runsAll ? ['scripts/**/*.install.test.ts'] : [], ...installs } },
    ],
  },
})
