import { createReadStream } from 'node:fs'
import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { copySqlite, emptyTables } from '../../database/dialects/sqlite/sqlite-file.ts'
import { leftOutTables } from '../../database/copied-tables.ts'
import { latestVersion, NewerSchemaError, refuseOlder } from '../../database/migrate.ts'
import type { DatabaseAddress } from '../../database/open.ts'
import { openRowSource, type RowSource } from '../../database/rows.ts'
import { openUnfinished, type Unfinished } from '../../database/unfinished.ts'
import { putInPlace } from '../../platform/files/durable-files.ts'
import { AppError } from '../../platform/errors.ts'
import type { StoredAt } from '../../platform/objects/objects.ts'
import { coverStore } from '../covers/covers.ts'
import { databaseName, type Reason } from './archive/archive-format.ts'
import { UnusableArchive } from './archive/archive-reader.ts'
import { type ArchiveWriter, writeArchive } from './archive/archive-writer.ts'
import { isBackupName, nameOfBackup } from './names.ts'
import { explained } from './explained.ts'
import { writePictures } from './archive/pictures.ts'
import { blamed, type PrepareContext, requireRestorable } from './restoring/prepare.ts'
import { type RowCounts, writeRows } from './archive/row-archive.ts'

export interface MakeBackup extends StoredAt {
  readonly address: DatabaseAddress
  /** A folder, where it gets a name of its own, or a file that is not there yet. */
  readonly target: { readonly folder: string } | { readonly file: string }
  readonly reason: Reason
  readonly program: string
}

export interface MadeBackup {
  readonly file: string
  readonly size: number
  readonly rows: number
}

/**
 * A copy of everything that cannot be made again, taken while others read and write. It gets its name only after a
 * database has been made from it and looked through; until then there is nothing with that name.
 */
export const makeBackup = async (options: MakeBackup, context: PrepareContext): Promise<MadeBackup> => {
  const { folder, file } = targetOf(options, context.clock())
  try {
    await requireKnown(options.address)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await using unfinished = await openUnfinished(folder)
    if (options.address.kind === 'sqlite') await requireRoom(folder, options.address.file)
    const archive = unfinished.in('archive.zip')
    const rows = await write(options, archive, unfinished, context)
    context.onProgress({ step: 'restoring a copy', done: 0, total: undefined })
    await requireRestorable(archive, unfinished.in('scratch.db'), { ...context, onProgress: () => undefined })
    const { size } = await stat(archive)
    await putInPlace(archive, file)
    return { file, size, rows }
  } catch (error) {
    throw explained(unrestorable(error), { folder, outcome: 'no backup was made' })
  }
}

/** The copy equals the database: then it is the database that is damaged, or the disk. */
const unrestorable = (error: unknown): unknown => {
  const blame = blamed(error)
  if (!(blame instanceof UnusableArchive)) return error
  return new AppError(
    'unavailable',
    `What was written cannot be restored, as the database or the disk is damaged: no backup was made. ${blame.message}`,
    { cause: error },
  )
}

const targetOf = ({ target, reason }: MakeBackup, now: Date): { readonly folder: string; readonly file: string } =>
  'file' in target
    ? { folder: dirname(target.file), file: target.file }
    : { folder: target.folder, file: join(target.folder, nameOfBackup(now, reason)) }

const write = async (
  options: MakeBackup,
  archive: string,
  unfinished: Unfinished,
  context: PrepareContext,
): Promise<number> => {
  const createdAt = context.clock().toISOString()
  const writer = await writeArchive(archive)
  try {
    const asFile = options.address.kind === 'sqlite' && options.reason !== 'export'
    const written = asFile
      ? await writeFile(writer, options.address.file, unfinished.in('copy.db'), { options, context })
      : await writeAllRows(writer, options, context)
    await writer.end({ ...written, reason: options.reason, createdAt, program: options.program })
    return Object.values(written.tables).reduce((sum, count) => sum + count, 0)
  } catch (error) {
    await writer.abandon()
    throw error
  }
}

interface Written {
  readonly content: 'sqlite' | 'rows'
  readonly schemaVersion: number
  readonly tables: RowCounts
  readonly pictures: number
}

const writeFile = async (
  writer: ArchiveWriter,
  file: string,
  copy: string,
  { options, context }: { readonly options: MakeBackup; readonly context: PrepareContext },
): Promise<Written> => {
  context.onProgress({ step: 'copying', done: 0, total: undefined })
  copySqlite(file, copy)
  emptyTables(
    copy,
    leftOutTables.filter((name) => name !== 'schema_version'),
  )
  const source = await openRowSource({ kind: 'sqlite', file: copy })
  try {
    const tables = await countRows(source)
    const pictures = await writePictures(writer, source, coverStore(options))
    const { size } = await stat(copy)
    await writer.add(databaseName, packed(copy, size, context))
    return { content: 'sqlite', schemaVersion: source.version, tables, pictures }
  } finally {
    await source.close()
    await rm(copy)
  }
}

async function* packed(file: string, total: number, { onProgress }: PrepareContext): AsyncGenerator<Buffer> {
  let done = 0
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
    done += chunk.length
    onProgress({ step: 'packing', done, total })
    yield chunk
  }
}

const countRows = async (source: RowSource): Promise<RowCounts> => {
  const counts: RowCounts = {}
  for (const table of source.tables) counts[table.name] = await source.count(table)
  return counts
}

const writeAllRows = async (writer: ArchiveWriter, options: MakeBackup, context: PrepareContext): Promise<Written> => {
  const source = await openRowSource(options.address)
  try {
    const pictures = await writePictures(writer, source, coverStore(options))
    const tables = await writeRows(writer, source, context.onProgress)
    return { content: 'rows', schemaVersion: source.version, tables, pictures }
  } finally {
    await source.close()
  }
}

/** A newer database may have tables that this program does not know. */
const requireKnown = async (address: DatabaseAddress): Promise<void> => {
  const source = await openRowSource(address)
  const { version } = source
  await source.close()
  if (version === 0) throw new AppError('not_found', 'There is nothing in the database: nothing to copy.')
  refuseOlder(version, 'The database has', 'Copy it with the program that has made it.')
  if (version > latestVersion)
    throw new NewerSchemaError(
      `The database has schema version ${version}, this program knows up to ${latestVersion}: copy it with the newer program.`,
    )
}

/** The copy and what is packed of it, or what is packed and the copy made from it. */
const requireRoom = async (folder: string, file: string): Promise<void> => {
  const { bavail, bsize } = await statfs(folder)
  const needed = 2 * ((await stat(file)).size + ((await stat(`${file}-wal`).catch(() => undefined))?.size ?? 0))
  if (bavail * bsize >= needed) return
  const inWords = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MiB`
  throw new AppError(
    'disk_full',
    `There is not enough room in ${folder}: a backup needs about ${inWords(needed)}, ${inWords(bavail * bsize)} are free.`,
  )
}

/**
 * It removes all but the newest of the backups made into a folder automatically or by hand, and returns how many it
 * removed.
 */
export const removeOldBackups = async (folder: string, keep: number): Promise<number> => {
  const names = (await readdir(folder)).filter(isBackupName).sort()
  const old = names.slice(0, Math.max(0, names.length - keep))
  for (const name of old) await rm(join(folder, basename(name)), { force: true })
  return old.length
}
