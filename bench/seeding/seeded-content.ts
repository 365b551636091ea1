import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, readdir, rename, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '../../packages/server/src/database/open.ts'
import { selectScannedLibrary } from '../../packages/server/src/features/scan/queries.ts'
import { createLog } from '../../packages/server/src/platform/log.ts'
import { addLibrary } from '../../packages/server/test/content.ts'
import { migrateFresh } from '../../packages/server/test/migrate-fresh.ts'
import { planLibrary } from '../gen/plan.ts'
import { seedProfiles, type SeedName } from '../gen/profiles.ts'
import { fillSqlite } from './fill-sqlite.ts'

/** A database with a library of this size and nobody to see it; kept from one run to the next. */
export interface SeededContent {
  readonly file: string
  readonly size: SeedName
  readonly books: number
}

const prefix = 'carrel-bench-seeded-'
const keptUnusedMs = 24 * 60 * 60 * 1000
const scannedFrom = new Date('2026-01-01T00:00:00.000Z')

export const seededContent = async (size: SeedName): Promise<SeededContent> => {
  const folder = join(tmpdir(), `${prefix}${size}-${version()}`)
  const file = join(folder, 'content.db')
  if (!existsSync(file)) await make(size, folder, file)
  const now = new Date()
  await utimes(folder, now, now)
  const books = [...planLibrary(seedProfiles[size])].reduce((sum, each) => sum + each.books.length, 0)
  return { file, size, books }
}

const make = async (size: SeedName, folder: string, file: string): Promise<void> => {
  const startedAt = performance.now()
  await removeUnused()
  // There is a folder for the library, and nothing in it.
  const root = join(folder, 'library')
  await mkdir(root, { recursive: true })
  const unfinished = `${file}.${process.pid}`
  const address = { kind: 'sqlite', file: unfinished } as const
  await migrateFresh(address)
  const db = await openDatabase(address, createLog({ level: 'warn', format: 'json' }), (error) => {
    throw error
  })
  const { id } = await addLibrary(db, { name: 'Seeded', path: root })
  const library = await selectScannedLibrary(db.read, id)
  await db.close()
  if (!library) throw new Error('The library is not there')
  await fillSqlite(unfinished, { library, profile: seedProfiles[size], from: scannedFrom })
  await rename(unfinished, file)
  const seconds = (performance.now() - startedAt) / 1000
  console.log(`${size}: made in ${seconds.toFixed(0)} s, ${(statSync(file).size / 1e6).toFixed(0)} MB, kept as ${file}`)
}

/** Another state of the source may still use its own content today, so only older content is removed. */
const removeUnused = async (): Promise<void> => {
  const before = Date.now() - keptUnusedMs
  for (const name of (await readdir(tmpdir())).filter((each) => each.startsWith(prefix))) {
    const folder = join(tmpdir(), name)
    if (statSync(folder).mtimeMs < before) await rm(folder, { recursive: true, force: true })
  }
}

/** The rows depend on these: the tables, and the code that makes them. */
const madeBy = [
  '../gen/',
  './',
  '../../packages/server/src/database/migrations/',
  '../../packages/server/src/database/migrations/baseline/',
  '../../packages/server/src/naming/',
  '../../packages/server/src/catalogue/search-index/',
  '../../packages/server/src/catalogue/search-index/by-words/',
]

const version = (): string => {
  const digest = createHash('sha256')
  for (const folder of madeBy.map((each) => fileURLToPath(new URL(each, import.meta.url)))) {
    const names = readdirSync(folder).filter((name) => /(?<!\.test)\.ts$/.test(name))
    for (const name of names.sort()) digest.update(readFileSync(join(folder, name)))
  }
  return digest.digest('hex').slice(0, 16)
}
