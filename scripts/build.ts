import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))
const out = join(root, 'packages/server/dist')
const stamp = join(out, 'built')

/** `--if-needed` builds only when a source is newer than the last build. */
if (!process.argv.includes('--if-needed') || isStale()) await bundle()

async function bundle(): Promise<void> {
  const startedAt = new Date()
  rmSync(out, { recursive: true, force: true })
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
      walker: 'packages/server/src/features/scan/walker/main.ts',
      watcher: 'packages/server/src/features/scan/watch/watcher/main.ts',
      'backup-maker': 'packages/server/src/features/backups/maker/main.ts',
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
  writeFileSync(stamp, '')
  utimesSync(stamp, startedAt, startedAt)
}

function isStale(): boolean {
  if (!existsSync(stamp)) return true
  const builtAt = statSync(stamp).mtimeMs
  const sources = ['packages/api/src', 'packages/server/src', 'package-lock.json', 'scripts/build.ts']
  return sources.some((source) => newestOf(join(root, source)) > builtAt)
}

function newestOf(path: string): number {
  const found = statSync(path)
  if (!found.isDirectory()) return found.mtimeMs
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => newestOf(join(path, name))))
}
