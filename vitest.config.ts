import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// Threads and processes of a server run from its sources: they are stripped of their types once, not at each start.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node')

const server = (database: 'sqlite' | 'postgres') => ({
  test: {
    name: database,
    include: ['packages/server/**/*.server.test.ts'],
    env: { TEST_DATABASE: database },
    globalSetup: [`packages/server/test/${database}-setup.ts`],
    // A process per file would cost more than all the tests in it.
    isolate: false,
    pool: 'forks' as const,
    testTimeout: 60_000,
  },
})

export default defineConfig({
  test: {
    reporters: ['default', './scripts/closing-line.ts'],
    maxWorkers: 3,
    projects: [
      {
        test: { name: 'unit', include: ['{packages,plugins}/**/*.unit.test.ts'], isolate: false, testTimeout: 20_000 },
      },
      server('sqlite'),
      server('postgres'),
      {
        test: {
          name: 'smoke',
          include: ['packages/server/test/smoke/*.smoke.test.ts'],
          globalSetup: ['scripts/build-before-tests.ts'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['e2e/*.browser.test.ts'],
          globalSetup: ['scripts/build-before-tests.ts', 'e2e/chromium-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
