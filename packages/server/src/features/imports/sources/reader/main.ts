import { access, constants, lstat, readdir, realpath, stat } from 'node:fs/promises'
import type { Stats } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { dirname, join } from 'node:path'
import { openLibraryFile } from '../../../../platform/storage/library-files.ts'
import { type FileSource, type ForeignRecord, type Reader, SourceFault } from '../../records.ts'
import { hashOf } from '../hashes.ts'
import { readers } from '../readers.ts'
import type { FileToHash, FromReader, SourceDatabase, SourceFiles, SourceToOpen, ToReader } from './messages.ts'
import { stepBackTo } from '../../../../platform/processes/step-back.ts'

type Got = Pick<Extract<ToReader, { kind: 'got' }>, 'status' | 'body'>

/** A process that reads what strangers have made, one answer for each question. It holds no connection of ours. */
interface Opened {
  readonly read: () => AsyncIterable<readonly ForeignRecord[]>
  readonly cover: (ref: string) => Promise<Uint8Array | undefined>
  records: AsyncIterator<readonly ForeignRecord[]> | undefined
}

const niceness = 5
stepBackTo(niceness)
let opened: Opened | undefined

const answer = async (message: Exclude<ToReader, { kind: 'got' }>): Promise<FromReader> => {
  if (message.kind === 'hash') return { kind: 'hashes', values: hashesOf(message.file) }
  if (message.kind === 'open') {
    opened = await openSource(message.source)
    return { kind: 'opened' }
  }
  if (!opened) throw new Error('No source is open')
  if (message.kind === 'cover') return { kind: 'cover', bytes: await opened.cover(message.ref) }
  opened.records ??= opened.read()[Symbol.asyncIterator]()
  const next = await opened.records.next()
  return next.done ? { kind: 'end' } : { kind: 'records', records: next.value }
}

const openSource = async (source: SourceToOpen): Promise<Opened> => {
  const reader = readers.get(source.kind)
  if (!reader) throw new SourceFault('unknown_version', `Carrel cannot read the stores of ${source.kind} yet.`)
  if ('path' in source) return openFiles(reader, source)
  return 'database' in source ? openDatabase(reader, source) : openServer(reader)
}

const cannotBeAsked = (): SourceFault =>
  new SourceFault('wrong_kind', 'A server of this kind cannot be asked by its address: give a copy of its database.')

const openServer = ({ atAddress }: Reader): Opened => {
  if (!atAddress) throw cannotBeAsked()
  const source = { get: askFor }
  return { read: () => atAddress.read(source), cover: (ref) => atAddress.cover(source, ref), records: undefined }
}

/** Books can be matched anew without the store: it is copied when it is read. */
const openDatabase = ({ copyDatabase, ...reader }: Reader, { database, scratch }: SourceDatabase): Opened => {
  if (!copyDatabase) throw cannotBeAsked()
  let copied: Promise<void> | undefined
  const files: FileSource = { store: join(scratch, 'copied.db'), folder: null, scratch }
  const copyOnce = (): Promise<void> => (copied ??= copyDatabase(database, files.store))
  return {
    read: async function* () {
      await copyOnce()
      yield* reader.read(files)
    },
    cover: async (ref) => {
      await copyOnce()
      return reader.cover(files, ref)
    },
    records: undefined,
  }
}

const openFiles = async (reader: Reader, { path, isUpload, scratch }: SourceFiles): Promise<Opened> => {
  const opening = (files: FileSource): Opened => ({
    read: () => reader.read(files),
    cover: (ref) => reader.cover(files, ref),
    records: undefined,
  })
  const stats = await readable(path)
  if (stats.isFile()) return opening({ store: path, folder: isUpload ? null : dirname(path), scratch })
  if (!stats.isDirectory()) throw notFound()
  const store = await storeIn(path, reader)
  await readable(store)
  return opening({ store, folder: path, scratch })
}

const readable = async (path: string): Promise<Stats> => {
  try {
    await access(path, constants.R_OK)
    return await stat(path)
  } catch (cause) {
    throw notFound(cause)
  }
}

const notFound = (cause?: unknown): SourceFault =>
  new SourceFault('not_found', 'There is no such file or folder, or it cannot be read.', { cause })

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

let onGot: ((got: Got) => void) | undefined

/** Whoever started this process asks the other server; nothing else is asked here until that has answered. */
const askFor = (path: string): Promise<Got> => {
  const { promise, resolve } = Promise.withResolvers<Got>()
  onGot = resolve
  send({ kind: 'wanted', path })
  return promise
}

const send = (reply: FromReader): void => void process.send?.(reply, undefined, undefined, () => undefined)

process.on('message', (message: ToReader) => {
  if (message.kind === 'got') onGot?.(message)
  else void answer(message).catch(faultIn).then(send)
})
process.once('disconnect', () => process.exit(0))
// A process that is killed keeps nothing of what it has compiled.
flushCompileCache()
