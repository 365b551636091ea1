import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Database } from '../../../database/database.ts'
import type { Log } from '../../../platform/log.ts'
import { type PackageRow, raiseRevisionsOfPackage, savePackage, selectBuiltIn } from '../queries.ts'

export interface BuiltIns {
  /** Each of them has a folder in this one. */
  readonly root: string
  /** It is the script each of them begins with, in its own folder. */
  readonly entry: string
  /** A plugin may read these besides its own folder. */
  readonly readable: readonly string[]
}

// The sources run built-in plugins as they are written, with what they import; in the bundle each is a file beside it.
const isSource = import.meta.url.endsWith('.ts')
const repository = fileURLToPath(new URL('../../../../../../', import.meta.url))
const inSources: BuiltIns = {
  root: join(repository, 'plugins'),
  entry: 'src/main.ts',
  readable: [join(repository, 'packages/plugin-sdk'), join(repository, 'node_modules')],
}
const inBundle = { root: fileURLToPath(new URL('./plugins', import.meta.url)), entry: 'main.js', readable: [] }
export const ownBuiltIns: BuiltIns = isSource ? inSources : inBundle

/** These plugins are examples for authors, not for users. */
const isForAuthors = (folder: string): boolean => folder.startsWith('echo-')

/** The built-in plugin that recommends works only with data from this server, and sends nothing out. */
export const asksNobody = ({ name, source }: Pick<PackageRow, 'name' | 'source'>): boolean =>
  source === 'built_in' && name === '@carrel/plugin-local-recommendations'

export const builtInProgram = (
  { folder, entry }: Pick<PackageRow, 'folder' | 'entry'>,
  { root, readable }: BuiltIns,
) => ({ script: join(root, folder, entry), readable: [join(root, folder), ...readable] })

/** Plugins that come with Carrel are packages like others, from the first start of a worker on. */
export const knowBuiltIns = async (
  db: Pick<Database, 'read' | 'write'>,
  { clock, log }: { readonly clock: () => Date; readonly log: Log },
  builtIns: BuiltIns,
): Promise<void> => {
  try {
    const packages = await readBuiltIns(builtIns)
    const rowsByName = new Map((await selectBuiltIn(db.read)).map((row) => [row.name, row]))
    const news = packages.filter(({ name, version, entry }) => {
      const before = rowsByName.get(name)
      return before?.version !== version || before.entry !== entry
    })
    if (news.length === 0) return
    await db.write(async (db) => {
      for (const each of news) {
        await savePackage(db, { ...each, installed_at: clock().toISOString() })
        await raiseRevisionsOfPackage(db, each.name)
      }
    })
  } catch (err) {
    log.warn({ err }, 'The plugins that come with Carrel could not be made known; they are at the next start')
  }
}

const readBuiltIns = async ({ root, entry }: BuiltIns): Promise<Omit<PackageRow, 'installed_at'>[]> => {
  const folders = (await readdir(root).catch(() => [])).filter((folder) => !isForAuthors(folder))
  return Promise.all(
    folders.map(async (folder) => {
      const { name, version } = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8')) as {
        name: string
        version: string
      }
      return { name, version, source: 'built_in' as const, folder, entry }
    }),
  )
}
