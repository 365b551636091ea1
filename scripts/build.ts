import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const out = join(root, 'packages/server/dist')
const always = ['packages/api/src', 'package-lock.json', 'scripts/build.ts']
const ofServer = [...always, 'scripts/build-server.ts', 'packages/server/src', 'packages/plugin-sdk/src', 'plugins']

interface Part {
  /** The build writes it: the time at which the build began. */
  readonly stamp: string
  readonly sources: readonly string[]
  readonly bundle: () => Promise<void>
}

const parts: readonly Part[] = [
  {
    stamp: 'built',
    sources: ofServer,
    bundle: async () => {
      const { bundleServer } = await import('./build-server.ts')
      await bundleServer(out)
    },
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

const testPrograms: Part = {
  // A build of the server takes it away.
  stamp: 'test-programs-built',
  sources: [...ofServer, 'packages/server/test/work.ts', 'packages/server/test/smoke/programs'],
  bundle: async () => {
    const { bundleTestPrograms } = await import('./build-server.ts')
    await bundleTestPrograms(join(root, 'packages/server/test/smoke/dist'))
  },
}

/** `--if-needed` builds only what has a source that is newer than the last build; `--for-tests` what tests start as well. */
const selected = process.argv.includes('--for-tests') ? [...parts, testPrograms] : parts
for (const part of selected) if (!process.argv.includes('--if-needed') || isStale(part)) await make(part)

async function make({ stamp, bundle }: Part): Promise<void> {
  const startedAt = new Date()
  rmSync(join(out, stamp), { force: true })
  await bundle()
  writeFileSync(join(out, stamp), '')
  utimesSync(join(out, stamp), startedAt, startedAt)
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
