import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { openUnfinished } from '../../../database/unfinished.ts'
import { picturesName, tablePart } from '../archive/archive-format.ts'
import { UnusableArchive } from '../archive/archive-reader.ts'
import { type ArchiveWriter, writeArchive } from '../archive/archive-writer.ts'
import { lineOf, lineOfRow, linesOf } from '../archive/lines.ts'
import type { PrepareContext } from '../restoring/prepare.ts'
import { restore, type Restored, type RestoreOptions } from '../restoring/restore.ts'
import {
  type FolderFile,
  folderFormat,
  folderManifest,
  type FolderManifest,
  folderPictures,
  nameOfKind,
  parseFolderManifest,
  rowOf,
} from './folder-format.ts'

export interface ReadFolder extends Omit<RestoreOptions, 'file' | 'onlyIntoEmpty' | 'insteadOfReplacing'> {
  readonly folder: string
}

const manifestBytesMax = 4 * 1024 * 1024

/**
 * It fills an empty installation, on whichever database, from a folder of `writeEverything`. All of it is checked, and a
 * database made from it apart, before anything is touched: it becomes an archive first, which is restored as any other.
 */
export const readEverything = async ({ folder, ...target }: ReadFolder, context: PrepareContext): Promise<Restored> => {
  const manifest = await manifestOf(folder)
  const { address, dataDir } = target
  await using packed = new AsyncDisposableStack()
  const pack = async (): Promise<string> => {
    const beside = address.kind === 'sqlite' ? dirname(address.file) : dataDir
    await mkdir(beside, { recursive: true, mode: 0o700 })
    const archive = packed.use(await openUnfinished(beside)).in('everything.zip')
    const writer = await writeArchive(archive)
    try {
      await fill(writer, folder, manifest, context)
    } catch (error) {
      await writer.abandon()
      throw error
    }
    return archive
  }
  return await restore({ ...target, file: pack, onlyIntoEmpty: true, insteadOfReplacing: intoAnother }, context)
}

const intoAnother =
  'such a folder fills an empty one alone. Fill another, under another CARREL_DATA_DIR or CARREL_DATABASE_URL; what carrel export writes there carrel import --replace puts in the place of this one.'

const manifestOf = async (folder: string): Promise<FolderManifest> => {
  const path = join(folder, folderManifest)
  const stats = await stat(path).catch(() => undefined)
  if (!stats?.isFile() || stats.size > manifestBytesMax)
    throw new UnusableArchive(`There is no ${folderManifest} in it.`)
  const manifest = parseFolderManifest(await readFile(path, 'utf8'))
  if (!manifest) throw new UnusableArchive(`Its ${folderManifest} is none of carrel export everything.`)
  if (manifest.format > folderFormat)
    throw new UnusableArchive(`Carrel ${manifest.program} has made it, in a form this one does not know: update first.`)
  return manifest
}

const fill = async (
  writer: ArchiveWriter,
  folder: string,
  { files, pictures, program, schemaVersion, createdAt }: FolderManifest,
  { onProgress }: PrepareContext,
): Promise<void> => {
  await writer.add(picturesName, sameLines(join(folder, folderPictures), { kind: 'pictures', ...pictures }))
  for (const [done, file] of files.entries()) {
    onProgress({ step: 'checking', done, total: files.length })
    await writer.add(tablePart(file.kind), rowLines(join(folder, nameOfKind(file.kind)), file))
  }
  const tables = Object.fromEntries(files.map(({ kind, count }) => [kind, count]))
  const counts = { tables, pictures: pictures.count }
  await writer.end({ content: 'rows', reason: 'export', createdAt, program, schemaVersion, ...counts })
}

async function* rowLines(path: string, file: FolderFile): AsyncGenerator<Buffer> {
  yield Buffer.from(lineOf(file.fields))
  for await (const line of linesOf(checked(path, file))) yield Buffer.from(lineOfRow(rowOf(file.fields, line)))
}

async function* sameLines(path: string, file: Pick<FolderFile, 'kind' | 'count' | 'sha256'>): AsyncGenerator<Buffer> {
  for await (const line of linesOf(checked(path, file))) yield Buffer.from(lineOf(line))
}

/** What has been changed by hand is as good as what is damaged: who has done what is not to be made up. */
async function* checked(path: string, { kind, sha256 }: Pick<FolderFile, 'kind' | 'sha256'>): AsyncGenerator<Buffer> {
  const digest = createHash('sha256')
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      digest.update(chunk)
      yield chunk
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new UnusableArchive(`The file of ${kind} is not in it.`, { cause: error })
  }
  if (digest.digest('hex') !== sha256) throw new UnusableArchive(`The file of ${kind} is not as it was written.`)
}
