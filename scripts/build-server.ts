import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
// The bundler is loaded only when there is something to build, because every start checks whether there is.
import { build, type Plugin, type RolldownOutput } from 'rolldown'
import { builtAt } from './built-at.ts'
import { writePackagesIn } from './bundled-packages.ts'
import { escapeNonAscii } from './escape-non-ascii.ts'
import { outsideOfBundle } from './outside-of-bundle.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The server starts each of these as a process or a thread of its own. */
const startedByServer = {
  decoder: 'packages/server/src/decoders/main.ts',
  'root-probe': 'packages/server/src/features/doctor/root-probe.ts',
  walker: 'packages/server/src/features/scan/walker/main.ts',
  grouper: 'packages/server/src/features/scan/preview/grouper/main.ts',
  watcher: 'packages/server/src/features/scan/watch/watcher/main.ts',
  'source-reader': 'packages/server/src/features/imports/sources/reader/main.ts',
  'backup-maker': 'packages/server/src/features/backups/maker/main.ts',
  'database-checker': 'packages/server/src/database/dialects/sqlite/checker/main.ts',
  'connection-thread': 'packages/server/src/database/dialects/sqlite/connection-thread.ts',
  'named-writes': 'packages/server/src/named-writes.ts',
}

export const bundleServer = async (out: string): Promise<void> => {
  for (const name of existsSync(out) ? readdirSync(out) : []) {
    if (!name.startsWith('web')) rmSync(join(out, name), { recursive: true })
  }
  const programs = await bundlePrograms({ carrel: 'packages/server/src/main.ts', ...startedByServer }, out)
  const plugins = await bundlePlugins(join(out, 'plugins'))
  writePackagesIn(
    [programs, ...plugins].flatMap(({ output }) =>
      output.flatMap((each) => (each.type === 'chunk' ? each.moduleIds : [])),
    ),
    join(out, 'bundled.json'),
  )
  // Where no server can be started here, it says so, and the first start compiles for itself.
  spawnSync(process.execPath, [join(root, 'packages/server/bin/compile-ahead.cjs')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** Programs of tests made of the same sources in the same way: they start as fast as what users have. */
export const bundleTestPrograms = async (folder: string): Promise<void> => {
  rmSync(folder, { recursive: true, force: true })
  const programs = {
    'with-test-tasks': 'packages/server/test/smoke/programs/with-test-tasks.ts',
    'many-calls': 'packages/server/test/smoke/programs/many-calls.ts',
  }
  await bundlePrograms({ ...programs, ...startedByServer }, join(folder, 'bundle'))
  // The version of the product stands beside its bundle.
  const { version } = versionAndNameIn('packages/server')
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ version, type: 'module' })}\n`)
}

/** Fastify loads it for servers of that kind, which ours is not: 13 ms of each start. */
const withoutHttp2: Plugin = {
  name: 'without-http2',
  resolveId: (id) => (id === 'node:http2' ? '\0without-http2' : null),
  load: (id) => (id === '\0without-http2' ? 'module.exports = {}' : null),
}

const bundlePrograms = async (input: Readonly<Record<string, string>>, dir: string): Promise<RolldownOutput> => {
  const output = await build({
    cwd: root,
    platform: 'node',
    // Nobody has the last: pg would take it where it is installed.
    external: [...outsideOfBundle, 'pg-native'],
    plugins: [withoutHttp2, escapeNonAscii],
    input,
    output: {
      dir,
      // Modules of Node that are imported rather than required read all their exports, and load its fetch with them.
      format: 'cjs',
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      sourcemap: true,
      minify: { mangle: false, compress: false, codegen: true },
    },
    logLevel: 'warn',
  })
  writeFileSync(join(dir, 'package.json'), `${JSON.stringify({ type: 'commonjs' })}\n`)
  await makeEmptyDatabase(join(dir, 'empty.db'))
  return output
}

/** A new installation begins with a copy of it. */
const makeEmptyDatabase = async (file: string): Promise<void> => {
  const { openDatabase } = await import('../packages/server/src/database/open.ts')
  const { migrate } = await import('../packages/server/src/database/migrate.ts')
  const { createLog } = await import('../packages/server/src/platform/log.ts')
  const log = createLog({ level: 'warn', format: 'text' })
  const database = await openDatabase({ kind: 'sqlite', file }, log, (error) => {
    throw error
  })
  await migrate({ database, log, clock: builtAt, keepCopy: async () => undefined })
  await database.close()
}

/** Each is a file of its own that needs nothing beside it, as it would be if it came from elsewhere. */
export const bundlePlugins = async (out: string): Promise<readonly RolldownOutput[]> => {
  const outputs: RolldownOutput[] = []
  for (const name of readdirSync(join(root, 'plugins'))) {
    // The echo plugins are examples for people who write plugins.
    if (name.startsWith('echo-')) continue
    const { version, name: full } = versionAndNameIn(join('plugins', name))
    outputs.push(
      await build({
        cwd: root,
        platform: 'node',
        input: `plugins/${name}/src/main.ts`,
        output: { file: join(out, name, 'main.js'), format: 'esm' },
        logLevel: 'warn',
      }),
    )
    const manifest = { name: full, version, type: 'module', bin: './main.js', private: true }
    writeFileSync(join(out, name, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  }
  return outputs
}

const versionAndNameIn = (folder: string) =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as { version: string; name: string }
