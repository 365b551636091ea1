import { mkdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { removeMarker } from '../../../database/belonging.ts'
import { latestVersion } from '../../../database/migrate.ts'
import type { DatabaseAddress } from '../../../database/open.ts'
import { openRowSource } from '../../../database/rows.ts'
import { lockDatabase, swapSqlite } from '../../../database/swap-sqlite.ts'
import { openUnfinished, type Unfinished } from '../../../database/unfinished.ts'
import {
  copySqlite,
  requireReferences,
  requireSound,
  requireSoundFile,
} from '../../../database/dialects/sqlite/sqlite-file.ts'
import { explained } from '../explained.ts'
import { coverStore } from '../../covers/covers.ts'
import type { StoredAt } from '../../../platform/objects/objects.ts'
import { blamed, examine, bringUp, fillFrom, fillNew, type Origin, type PrepareContext, unpackInto } from './prepare.ts'
import { readPictures } from '../archive/pictures.ts'

export interface RestoreOptions extends StoredAt {
  /** Where it has to be made first, that is done once nothing is in the way. */
  readonly file: string | (() => Promise<string>)
  readonly address: DatabaseAddress
  /** Refuse to replace a database that anybody has an account in. */
  readonly onlyIntoEmpty: boolean
  /** What whoever is refused can do; absent: call it again with `--replace`. */
  readonly insteadOfReplacing?: string
}

export interface Restored {
  /** The old database is here by now; undefined where there was none. */
  readonly aside: string | undefined
  readonly pictures: number
}

/** Something is in the way that an operator can remove. Nothing was changed. */
export class InTheWay extends Error {
  override readonly name = 'InTheWay'
}

/**
 * It looks through everything, makes a database of it apart from the one there is, and puts that in its place at once.
 */
export const restore = async (options: RestoreOptions, context: PrepareContext): Promise<Restored> => {
  const { address, dataDir } = options
  try {
    return address.kind === 'sqlite'
      ? await restoreFile(options, address, context)
      : await restoreTables(options, address, context)
  } catch (error) {
    throw explained(blamed(error), { folder: address.kind === 'sqlite' ? dirname(address.file) : dataDir, outcome })
  }
}

const outcome = 'nothing was changed'

/** It makes a database of it, looks through that, and takes it away again. */
export const verify = async (file: string, folder: string, context: PrepareContext): Promise<void> => {
  const origin = await examine(file, context.onProgress)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await using unfinished = await openUnfinished(folder)
    await makeFile(origin, unfinished, context)
  } catch (error) {
    throw explained(blamed(error), { folder, outcome })
  }
  await picturesOf(origin, undefined)
}

const originOf = async ({ file }: RestoreOptions, { onProgress }: PrepareContext): Promise<Origin> =>
  examine(typeof file === 'string' ? file : await file(), onProgress)

const stampOf = (now: Date): string => now.toISOString().replace(/[:.]/g, '-')

const restoreFile = async (
  options: RestoreOptions,
  { file }: Extract<DatabaseAddress, { kind: 'sqlite' }>,
  context: PrepareContext,
): Promise<Restored> => {
  const folder = dirname(file)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const lock = lockDatabase(file, 'alone')
  if (!lock) throw new InTheWay(`Carrel is running on ${file}: stop it first. Nothing was changed.`)
  try {
    if (options.onlyIntoEmpty) await requireEmpty(options)
    const origin = await originOf(options, context)
    await using unfinished = await openUnfinished(folder)
    const finished = await makeFile(origin, unfinished, context)
    const pictures = await picturesOf(origin, options)
    const asideFolder = join(folder, `before-restore-${stampOf(context.clock())}`)
    await removeMarker(options.dataDir)
    const wasThere = await swapSqlite(finished, file, asideFolder)
    return { aside: wasThere ? join(asideFolder, basename(file)) : undefined, pictures }
  } finally {
    lock.release()
  }
}

/** A file of SQLite at the version of this program. */
const makeFile = async (origin: Origin, unfinished: Unfinished, context: PrepareContext): Promise<string> => {
  const file = unfinished.in('restored.db')
  if (origin.kind === 'archive') await unpackInto(origin, file, context)
  else {
    requireSoundFile(origin.file, requireSound)
    copySqlite(origin.file, file)
    requireSoundFile(file, requireReferences)
  }
  context.onProgress({ step: 'migrating', done: 0, total: undefined })
  await bringUp({ kind: 'sqlite', file }, latestVersion, context)
  return file
}

const picturesOf = async (origin: Origin, storedAt: StoredAt | undefined): Promise<number> => {
  if (origin.kind !== 'archive') return 0
  return readPictures(origin.file, origin.manifest, storedAt && coverStore(storedAt))
}

const restoreTables = async (
  options: RestoreOptions,
  { url }: Extract<DatabaseAddress, { kind: 'postgres' }>,
  context: PrepareContext,
): Promise<Restored> => {
  if (options.onlyIntoEmpty) await requireEmpty(options)
  const { openPostgresSwap } = await import('../../../database/dialects/postgres-swap.ts')
  const stamp = stampOf(context.clock()).toLowerCase().replaceAll('-', '_')
  const swapping = await openPostgresSwap(url, stamp)
  if (!swapping) throw new InTheWay('Another restore is under way on this database. Nothing was changed.')
  const requireUnused = async (): Promise<void> => {
    if (await swapping.isInUse())
      throw new InTheWay(
        'Carrel is running on this database: stop all of its servers and workers first. Nothing was changed.',
      )
  }
  try {
    await requireUnused()
    const origin = await originOf(options, context)
    await fillTables(origin, { kind: 'postgres', url: swapping.scratchUrl }, options.dataDir, context)
    const pictures = await picturesOf(origin, options)
    const wasThere = await swapping.hasTables()
    const asideName = `before_restore_${stamp}`
    await requireUnused()
    await removeMarker(options.dataDir)
    await swapping.swap(asideName)
    return { aside: wasThere ? `the schema ${asideName}` : undefined, pictures }
  } finally {
    await swapping.close()
  }
}

const fillTables = async (
  origin: Origin,
  scratch: DatabaseAddress,
  dataDir: string,
  context: PrepareContext,
): Promise<void> => {
  if (origin.kind === 'archive' && origin.manifest.content === 'rows') {
    await fillNew(scratch, origin.file, origin.manifest, context)
    await bringUp(scratch, latestVersion, context)
    return
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await using unfinished = await openUnfinished(dataDir)
  await fillFrom(scratch, await makeFile(origin, unfinished, context), context)
}

const withReplace = 'with --replace its database makes way and is kept.'

const requireEmpty = async ({ address, insteadOfReplacing = withReplace }: RestoreOptions): Promise<void> => {
  const source = await openRowSource(address).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'SQLITE_CANTOPEN') return undefined
    throw error
  })
  if (!source) return
  try {
    for (const table of source.tables)
      if (['user', 'library'].includes(table.name) && (await source.count(table)) > 0)
        throw new InTheWay(`This installation is in use already: ${insteadOfReplacing} Nothing was changed.`)
  } finally {
    await source.close()
  }
}
