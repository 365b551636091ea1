import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import { flushCompileCache } from 'node:module'
import { setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { openLibraryFile } from '../../../../platform/storage/library-files.ts'
import { type FileSource, type ForeignRecord, type Reader, SourceFault } from '../../records.ts'
import { hashOf } from '../hashes.ts'
import { readers } from '../readers.ts'
import type { FileToHash, FromReader, SourceFiles, ToReader } from './messages.ts'

/** A process that reads what strangers have made, one answer for each question. It holds no connection of ours. */
interface Opened {
  readonly reader: Reader
  readonly files: FileSource
  records: AsyncIterator<readonly ForeignRecord[]> | undefined
}

const niceness = 5
setPriority(niceness)
let opened: Opened | undefined

const answer = async (message: ToReader): Promise<FromReader> => {
  if (message.kind === 'hash') return { kind: 'hashes', values: hashesOf(message.file) }
  if (message.kind === 'open') {
    opened = await openSource(message.source)
    return { kind: 'opened' }
  }
  if (!opened) throw new Error('No source is open')
  const { reader, files } = opened
  if (message.kind === 'cover') return { kind: 'cover', bytes: await reader.cover(files, message.ref) }
  opened.records ??= reader.read(files)[Symbol.asyncIterator]()
  const next = await opened.records.next()
  return next.done ? { kind: 'end' } : { kind: 'records', records: next.value }
}

const openSource = async ({ kind, path, isUpload, scratch }: SourceFiles): Promise<Opened> => {
  const reader = readers.get(kind)
  if (!reader) throw new SourceFault('unknown_version', `Carrel cannot read the stores of ${kind} yet.`)
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile())
    return { reader, files: { store: path, folder: isUpload ? null : dirname(path), scratch }, records: undefined }
  if (!found?.isDirectory())
    throw new SourceFault('not_found', 'There is no such file or folder, or it cannot be read.')
  const store = await storeIn(path, reader)
  return { reader, files: { store, folder: path, scratch }, records: undefined }
}

/** Links may lead anywhere: a store that is one is no part of the folder that was named. */
const storeIn = async (folder: string, { storeNames }: Reader): Promise<string> => {
  const names = new Set(await readdir(await realpath(folder)))
  for (const name of storeNames) {
    if (!names.has(name)) continue
    if ((await lstat(join(folder, name))).isFile()) return join(folder, name)
  }
  throw new SourceFault('not_found', `There is no ${storeNames.join(' and no ')} in this folder.`)
}

const hashesOf = ({ path, kinds }: FileToHash) => {
  const file = openLibraryFile(path)
  try {
    return kinds.flatMap((kind) => {
      const value = hashOf(kind, file)
      return value === undefined ? [] : [{ kind, value }]
    })
  } finally {
    file.close()
  }
}

const faultIn = (error: unknown): FromReader => {
  if (error instanceof SourceFault) return { kind: 'fault', code: error.code, message: error.message }
  return { kind: 'failed', message: error instanceof Error ? error.message : String(error) }
}

process.on('message', (message: ToReader) => {
  void answer(message)
    .catch(faultIn)
    .then((reply) => process.send?.(reply, undefined, undefined, () => undefined))
})
process.once('disconnect', () => process.exit(0))
// A process that is killed keeps nothing of what it has compiled.
flushCompileCache()
