import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import {
  foldLog,
  isSqliteFile,
  requireReferences,
  requireSound,
  requireSoundFile,
  UnsoundDatabase,
} from '../../../database/dialects/sqlite/sqlite-file.ts'
import { latestVersion, migrate, NewerSchemaError, refuseOlder } from '../../../database/migrate.ts'
import { migrations } from '../../../database/migrations/index.ts'
import { type DatabaseAddress, openDatabase } from '../../../database/open.ts'
import { openRowSource, openRowTarget } from '../../../database/rows.ts'
import type { Log } from '../../../platform/log.ts'
import { type ArchiveManifest, databaseName } from '../archive/archive-format.ts'
import { type ArchiveHead, readHead, readPart, requireUnchanged, UnusableArchive } from '../archive/archive-reader.ts'
import type { OnProgress } from '../progress.ts'
import { copyRows, loadRows, requireSameRows, requireSameTables } from '../archive/row-archive.ts'

export interface PrepareContext {
  readonly log: Log
  readonly clock: () => Date
  readonly onProgress: OnProgress
}

/** A file to restore from: an archive, or a database as `carrel migrate` keeps one. */
export type Origin =
  | { readonly kind: 'archive'; readonly file: string; readonly manifest: ArchiveManifest }
  | { readonly kind: 'database'; readonly file: string }

/** It fails unless every byte is as it was written, and this program knows what it means. */
export const examine = async (file: string, onProgress: OnProgress): Promise<Origin> => {
  if (await isSqliteFile(file)) {
    await requireKnownVersion({ kind: 'sqlite', file })
    return { kind: 'database', file }
  }
  const head: ArchiveHead = await readHead(file)
  await requireUnchanged(file, head, (done) => onProgress({ step: 'checking', done, total: head.size }))
  const { manifest } = head
  if (manifest.schemaVersion > latestVersion)
    throw new NewerSchemaError(
      `Carrel ${manifest.program} has made it, with schema version ${manifest.schemaVersion}; this program knows up to ${latestVersion}. Restore it with the newer program; nothing was changed.`,
    )
  refuseOlder(manifest.schemaVersion, `Carrel ${manifest.program} has made it, with`, restoreBefore)
  return { kind: 'archive', file, manifest }
}

const restoreBefore = 'Restore it with the program that has made it; nothing was changed.'

/** It makes the database that an archive holds in a new file, as it was. */
export const unpackInto = async (
  { file: archive, manifest }: Extract<Origin, { kind: 'archive' }>,
  file: string,
  context: PrepareContext,
): Promise<void> => {
  if (manifest.content === 'sqlite') await unpackFile(archive, manifest, file, context.onProgress)
  else await fillNew({ kind: 'sqlite', file }, archive, manifest, context)
  requireSoundFile(file, requireSound)
  requireSoundFile(file, requireReferences)
  await requireCounts(file, manifest)
}

/** A database reports rows that do not fit like this. */
const misfit = /^(22...|23...|SQLITE_(CONSTRAINT|MISMATCH).*)$/

/** An error caused by a file that cannot be used is reported as a fault of the file. */
export const blamed = (error: unknown): unknown => {
  if (error instanceof UnsoundDatabase)
    return new UnusableArchive(`The database in it is damaged (${error.message}).`, { cause: error })
  if (error instanceof Error && 'code' in error && misfit.test(String(error.code)))
    return new UnusableArchive(`Its rows do not fit together (${error.message}).`, { cause: error })
  return error
}

/** It checks that the rows of an archive come out as they went in. */
export const requireRestorable = async (archive: string, file: string, context: PrepareContext): Promise<void> => {
  const origin = await examine(archive, context.onProgress)
  if (origin.kind !== 'archive') throw new UnusableArchive('It is no archive.')
  await unpackInto(origin, file, context)
  if (origin.manifest.content === 'sqlite') return
  const source = await openRowSource({ kind: 'sqlite', file })
  try {
    await requireSameRows(source, origin.manifest)
  } finally {
    await source.close()
  }
}

const unpackFile = async (
  archive: string,
  { parts }: ArchiveManifest,
  file: string,
  onProgress: OnProgress,
): Promise<void> => {
  const part = parts.find(({ name }) => name === databaseName)
  if (!part) throw new UnusableArchive('The database is not in it.')
  const counted = async function* () {
    let done = 0
    for await (const chunk of readPart(archive, part)) {
      done += chunk.length
      onProgress({ step: 'unpacking', done, total: part.size })
      yield chunk
    }
  }
  await pipeline(counted, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }))
}

/** Tables as they were then, so that what follows are the steps that every installation has gone. */
export const fillNew = async (
  address: DatabaseAddress,
  archive: string,
  manifest: ArchiveManifest,
  context: PrepareContext,
): Promise<void> => {
  await bringUp(address, manifest.schemaVersion, context)
  const target = await openRowTarget(address)
  try {
    await loadRows(archive, manifest, target, context.onProgress)
  } finally {
    await target.close()
  }
}

/** It takes all rows over from a file of SQLite that is at the version of this program. */
export const fillFrom = async (address: DatabaseAddress, file: string, context: PrepareContext): Promise<void> => {
  await bringUp(address, latestVersion, context)
  const source = await openRowSource({ kind: 'sqlite', file })
  const target = await openRowTarget(address)
  try {
    await copyRows(source, target, context.onProgress)
  } finally {
    await source.close()
    await target.close()
  }
}

/** A database that is nobody else's, up to a version. */
export const bringUp = async (
  address: DatabaseAddress,
  version: number,
  { log, clock }: Pick<PrepareContext, 'log' | 'clock'>,
): Promise<void> => {
  let failure: Error | undefined
  const database = await openDatabase(address, log, (error) => {
    failure = error
  })
  try {
    const steps = migrations.filter((step) => step.version <= version)
    await migrate({ database, log, clock, keepCopy: async () => undefined, steps })
  } finally {
    await database.close()
  }
  if (failure) throw failure
  if (address.kind === 'sqlite' && !foldLog(address.file))
    throw new Error(`The log of ${address.file} could not be folded into it`)
}

const requireKnownVersion = async (address: DatabaseAddress): Promise<void> => {
  const source = await openRowSource(address).catch((cause: Error) => {
    throw new UnusableArchive(`It is damaged (${cause.message}).`, { cause })
  })
  const { version } = source
  await source.close()
  if (version === 0) throw new UnusableArchive('It is a database, but none of Carrel.')
  refuseOlder(version, 'It has', restoreBefore)
  if (version > latestVersion)
    throw new NewerSchemaError(
      `It has schema version ${version}; this program knows up to ${latestVersion}. Restore it with the newer program; nothing was changed.`,
    )
}

const requireCounts = async (file: string, { schemaVersion, tables }: ArchiveManifest): Promise<void> => {
  const source = await openRowSource({ kind: 'sqlite', file })
  try {
    if (source.version !== schemaVersion) throw new UnusableArchive('Its database is of another version than it says.')
    requireSameTables(tables, source.tables)
    for (const table of source.tables)
      if ((await source.count(table)) !== (tables[table.name] ?? 0))
        throw new UnusableArchive(`Some of the rows of ${table.name} are not in it.`)
  } finally {
    await source.close()
  }
}
