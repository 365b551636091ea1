import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { build as Build } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))
const out = join(root, 'packages/server/dist')
const always = ['packages/api/src', 'package-lock.json', 'scripts/build.ts']

interface Part {
  /** The build writes it: the time at which the build began. */
  readonly stamp: string
  readonly sources: readonly string[]
  readonly bundle: () => Promise<void>
}

const parts: readonly Part[] = [
  {
    stamp: 'built',
    sources: [...always, 'packages/server/src', 'packages/plugin-sdk/src', 'plugins'],
    bundle: bundleServer,
  },
  {
    stamp: 'web-built',
    sources: [...always, 'packages/web', 'scripts/build-web.ts'],
    bundle: async () => {
      const { bundleWeb } = await import('./build-web.ts')
      await bundleWeb(join(root, 'packages/web'), join(out, 'web'))
    },
  },
]

/** `--if-needed` builds only what has a source that is newer than the last build. */
for (const part of parts) if (!process.argv.includes('--if-needed') || isStale(part)) await make(part)

async function make({ stamp, bundle }: Part): Promise<void> {
  const startedAt = new Date()
  rmSync(join(out, stamp), { force: true })
  await bundle()
  writeFileSync(join(out, stamp), '')
  utimesSync(join(out, stamp), startedAt, startedAt)
}

async function bundleServer(): Promise<void> {
  for (const name of existsSync(out) ? readdirSync(out) : []) {
    if (name !== 'web' && name !== 'web-built') rmSync(join(out, name), { recursive: true })
  }
  // The bundler is loaded only when there is something to build, because every start looks here.
  const { build } = await import('rolldown')
  await build({
    cwd: root,
    platform: 'node',
    // Native code, and what is found through its own package: everything else goes into the bundle.
    external: [
      'better-sqlite3',
      '@node-rs/argon2',
      'pg-native',
      '@fastify/swagger-ui',
      'sharp',
      '7z-wasm',
      '@hyzyla/pdfium',
    ],
    input: {
      carrel: 'packages/server/src/main.ts',
      decoder: 'packages/server/src/decoders/main.ts',
      'root-probe': 'packages/server/src/features/doctor/root-probe.ts',
      walker: 'packages/server/src/features/scan/walker/main.ts',
      watcher: 'packages/server/src/features/scan/watch/watcher/main.ts',
      'backup-maker': 'packages/server/src/features/backups/maker/main.ts',
      'database-checker': 'packages/server/src/database/dialects/sqlite/checker/main.ts',
      'connection-thread': 'packages/server/src/database/dialects/sqlite/connection-thread.ts',
    },
    output: {
      dir: out,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      sourcemap: true,
      minify: { mangle: false, compress: false, codegen: true },
    },
    logLevel: 'warn',
  })
  await bundlePlugins(build)
}

/** Each is a file of its own that needs nothing beside it, as it would be if it came from elsewhere. */
async function bundlePlugins(build: typeof Build): Promise<void> {
  for (const name of readdirSync(join(root, 'plugins'))) {
    // The echo plugins are examples for people who write plugins.
    if (name.startsWith('echo-')) continue
    const { version, name: full } = JSON.parse(readFileSync(join(root, 'plugins', name, 'package.json'), 'utf8')) as {
      version: string
      name: string
    }
    await build({
      cwd: root,
      platform: 'node',
      input: `plugins/${name}/src/main.ts`,
      output: { file: join(out, 'plugins', name, 'main.js'), format: 'esm' },
      logLevel: 'warn',
    })
    const manifest = { name: full, version, type: 'module', bin: './main.js', private: true }
    writeFileSync(join(out, 'plugins', name, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  }
}

function isStale({ stamp, sources }: Part): boolean {
  const path = join(out, stamp)
  if (!existsSync(path)) return true
  const builtAt = statSync(path).mtimeMs
  return sources.some((source) => newestOf(join(root, source)) > builtAt)
}

function newestOf(path: string): number {
  const found = statSync(path)
  if (!found.isDirectory()) return found.mtimeMs
  // The build and the check of types leave files of their own there.
  const names = readdirSync(path).filter((name) => name !== 'node_modules')
  return Math.max(found.mtimeMs, ...names.map((name) => newestOf(join(path, name))))
}
