import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isStale, makePart, type Part } from './part.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const out = join(root, 'packages/server/dist')
const always = ['packages/api/src', 'package-lock.json', 'scripts/build.ts']
const ofServer = [...always, 'scripts/build-server.ts', 'packages/server/src', 'packages/plugin-sdk/src', 'plugins']

const parts: readonly Part[] = [
  {
    stamp: join(out, 'built'),
    sources: ofServer,
    bundle: async () => {
      const { bundleServer } = await import('./build-server.ts')
      await bundleServer(out)
    },
  },
  {
    stamp: join(out, 'web-built'),
    sources: [...always, 'packages/web', 'scripts/build-web.ts'],
    bundle: async () => {
      const { bundleWeb } = await import('./build-web.ts')
      await bundleWeb(join(root, 'packages/web'), join(out, 'web'))
    },
  },
]

const testPrograms: Part = {
  // A build of the server takes it away.
  stamp: join(out, 'test-programs-built'),
  sources: [...ofServer, 'packages/server/test/work.ts', 'packages/server/test/smoke/programs'],
  bundle: async () => {
    const { bundleTestPrograms } = await import('./build-server.ts')
    await bundleTestPrograms(join(root, 'packages/server/test/smoke/dist'))
  },
}

/** `--if-needed` builds only what has a source that is newer than the last build; `--for-tests` what tests start as well. */
const selected = process.argv.includes('--for-tests') ? [...parts, testPrograms] : parts
for (const part of selected) if (!process.argv.includes('--if-needed') || isStale(part)) await makePart(part)
