import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rmdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { DatabaseAddress } from '../../../database/open.ts'
import { openRowSource, type RowSource, type TableShape } from '../../../database/rows.ts'
import { openUnfinished } from '../../../database/unfinished.ts'
import { syncPath } from '../../../platform/files/durable-files.ts'
import { AppError } from '../../../platform/errors.ts'
import type { StoredAt } from '../../../platform/objects/objects.ts'
import { coverStore } from '../../covers/covers.ts'
import { lineOf } from '../archive/lines.ts'
import { pictureLines } from '../archive/pictures.ts'
import { explained } from '../explained.ts'
import type { PrepareContext } from '../restoring/prepare.ts'
import {
  type FolderFile,
  folderFormat,
  folderManifest,
  type FolderManifest,
  folderPictures,
  nameOfKind,
  recordOf,
} from './folder-format.ts'

export interface WriteFolder extends StoredAt {
  readonly address: DatabaseAddress
  /** It is not there yet, or empty. */
  readonly folder: string
  readonly program: string
}

/**
 * Everything in the database as it is at one moment, as a folder that people and their programs can read. It has its name
 * only once it is whole. Nothing of it is held in memory.
 */
export const writeEverything = async (options: WriteFolder, context: PrepareContext): Promise<FolderManifest> => {
  const { folder } = options
  await requireFree(folder)
  try {
    await using unfinished = await openUnfinished(dirname(folder))
    const made = unfinished.in('everything')
    await mkdir(made, { mode: 0o700 })
    const manifest = await writeInto(made, options, context)
    await rmdir(folder).catch(() => undefined)
    await rename(made, folder)
    await syncPath(dirname(folder))
    return manifest
  } catch (error) {
    throw explained(error, { folder: dirname(folder), outcome: 'nothing was written' })
  }
}

const requireFree = async (folder: string): Promise<void> => {
  const stats = await stat(folder).catch(() => undefined)
  if (stats && !(stats.isDirectory() && (await readdir(folder)).length === 0))
    throw new AppError('already_exists', `${folder} is there already and not empty: name a folder that is not.`)
}

const writeInto = async (
  made: string,
  options: WriteFolder,
  { clock, onProgress }: PrepareContext,
): Promise<FolderManifest> => {
  const { address, program } = options
  const createdAt = clock().toISOString()
  const source = await openRowSource(address)
  try {
    const pictures = await writeLines(join(made, folderPictures), pictureLines(source, coverStore(options)))
    const files: FolderFile[] = []
    let done = 0
    for (const table of source.tables) {
      const counted = (count: number): void =>
        onProgress({ step: 'reading rows', done: done + count, total: undefined })
      const written = await writeLines(join(made, nameOfKind(table.name)), recordLines(source, table), counted)
      files.push({ kind: table.name, fields: [...table.columns], ...written })
      done += written.count
    }
    const manifest: FolderManifest = {
      product: 'carrel',
      content: 'everything',
      format: folderFormat,
      createdAt,
      program,
      schemaVersion: source.version,
      files,
      pictures,
    }
    const asOurs = { mode: 0o600, flush: true }
    await writeFile(join(made, folderManifest), `${JSON.stringify(manifest, null, 2)}\n`, asOurs)
    await syncPath(made)
    return manifest
  } finally {
    await source.close()
  }
}

async function* recordLines(source: RowSource, table: TableShape): AsyncGenerator<readonly string[]> {
  for await (const rows of source.rows(table)) yield rows.map((row) => lineOf(recordOf(table.columns, row)))
}

const writeLines = async (
  path: string,
  lines: AsyncIterable<readonly string[]>,
  onCount: (count: number) => void = () => undefined,
): Promise<{ readonly count: number; readonly sha256: string }> => {
  const digest = createHash('sha256')
  let count = 0
  const bytes = async function* (): AsyncGenerator<Buffer> {
    for await (const some of lines) {
      const chunk = Buffer.from(some.join(''))
      digest.update(chunk)
      count += some.length
      onCount(count)
      yield chunk
    }
  }
  await pipeline(bytes, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }))
  return { count, sha256: digest.digest('hex') }
}
