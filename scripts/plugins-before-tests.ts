import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { isStale, makePart } from './part.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Each plugin that comes with Carrel has a folder in this one, bundled as users have it. */
    bundledPlugins: string
  }
}

const folder = fileURLToPath(new URL('../node_modules/.cache/carrel-plugins', import.meta.url))

/** A plugin that is started from its sources takes five times as much CPU: each start reads some hundred files of its libraries. */
export const setup = async (project: TestProject): Promise<void> => {
  const plugins = {
    stamp: join(folder, 'built'),
    sources: ['plugins', 'packages/plugin-sdk/src', 'package-lock.json', 'scripts/build-server.ts'],
    bundle: async () => {
      const { bundlePlugins } = await import('./build-server.ts')
      await bundlePlugins(join(folder, 'plugins'))
    },
  }
  if (isStale(plugins)) await makePart(plugins)
  project.provide('bundledPlugins', join(folder, 'plugins'))
}
