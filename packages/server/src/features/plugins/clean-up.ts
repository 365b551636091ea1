import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../context.ts'
import { defineCleanUp } from '../../tasks/clean-up.ts'
import { pluginsFolder } from './running/launch.ts'
import { selectPackageFolders, selectPluginIds } from './queries.ts'

/** One that is just being made is not named yet. */
const youngMs = 60 * 60 * 1000

/** Folders of plugins that are gone, and of packages that others have taken the place of. */
export const cleanUpPlugins = defineCleanUp(
  'cleanup_plugins',
  async ({ db, signal }, now, { config }: Pick<Context, 'config'>) => {
    if (!now) return undefined
    const root = pluginsFolder(config.dataDir)
    const named = await selectPackageFolders(db.read)
    const standing = await selectPluginIds(db.read)
    const isOld = async (path: string): Promise<boolean> =>
      now.getTime() - (await stat(path).catch(() => ({ mtimeMs: now.getTime() }))).mtimeMs > youngMs
    const remove = async (part: string, isNeeded: (name: string) => boolean): Promise<number> => {
      let removed = 0
      for (const name of await readdir(join(root, part)).catch(() => [])) {
        signal.throwIfAborted()
        const path = join(root, part, name)
        if (isNeeded(name) || !(await isOld(path))) continue
        await rm(path, { recursive: true, force: true })
        removed += 1
      }
      return removed
    }
    return {
      folders: await remove('data', (name) => standing.has(name)),
      packages: await remove('packages', (name) => named.has(join('packages', name))),
    }
  },
)
