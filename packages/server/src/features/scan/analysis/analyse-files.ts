import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Analysed } from '../../../decoders/analyse.ts'
import type { Decoders } from '../../../decoders/pool.ts'
import { BookFault, type Fault } from '../../../formats/book-format.ts'
import { answers } from '../../../platform/storage/library-reads.ts'
import { watchStorage } from '../../../platform/storage/storage-watch.ts'
import type { ScanResources } from '../resources.ts'

/** What reads files, and how. */
export interface Reader {
  readonly decoders: Decoders
  readonly cacheDir: string
  /** Two looks at a file must agree, this far apart (C11). */
  readonly settleMs: number
  readonly signal: AbortSignal
  /** Whether the storage of a root answers. */
  readonly isThere: (rootPath: string) => Promise<boolean>
}

/** Tasks do not wait for files that are away: a scan would stand still with them. */
export const readerOf = ({ config, decoders, settleMs, runLimited }: ScanResources, signal: AbortSignal): Reader => ({
  decoders,
  settleMs,
  signal,
  cacheDir: join(config.dataDir, 'cache', 'unpacked'),
  isThere: (rootPath) => answers(runLimited, rootPath),
})

export interface FileToRead {
  readonly rootPath: string
  readonly path: string
  readonly isFolder: boolean
  readonly size: number
  readonly modifiedUs: number
  readonly changedUs: number
  /** When it was looked at, by `performance.now()`. */
  readonly seenAt: number
}

type WithoutIndex<Each> = Each extends unknown ? Omit<Each, 'index'> : never
export type ReadFile = WithoutIndex<Analysed>

const filesAtOnce = 32
/** A time of change this far back is as good as the first of the two looks; clocks of storage may differ by less. */
const longAgoMs = 60_000

/**
 * Reads files in decoders. One that ends its decoder is told from those that were to be read after it; what could not be
 * read because its storage was away has not been read, and nothing is said of it.
 */
export const analyseFiles = async (reader: Reader, files: readonly FileToRead[]): Promise<readonly ReadFile[]> => {
  await settle(files, reader.settleMs, reader.signal)
  const ofRoots = Map.groupBy(files, ({ rootPath }) => rootPath)
  const read = await Promise.all([...ofRoots].map(([rootPath, ofRoot]) => readInRoot(reader, rootPath, ofRoot)))
  const answers = new Map(read.flat())
  return files.map((file) => answers.get(file) ?? { isUnsettled: true })
}

type Answers = readonly (readonly [FileToRead, ReadFile])[]

const readInRoot = async (reader: Reader, rootPath: string, files: readonly FileToRead[]): Promise<Answers> => {
  using storage = watchStorage(() => reader.isThere(rootPath), reader.signal)
  await storage.check()
  const results: (ReadFile | undefined)[] = files.map(() => undefined)
  const readRange = async (from: number, to: number, tellsEach = false): Promise<void> => {
    let next = from
    const onPart = (parts: readonly Analysed[]): void => {
      for (const { index, ...result } of parts) {
        results[from + index] = result
        next = from + index + 1
      }
    }
    if (storage.isAway()) return
    try {
      const part = files
        .slice(from, to)
        .map(({ path, isFolder, size, modifiedUs }) => ({ path, isFolder, size, modifiedUs }))
      const input = { files: part, cacheDir: reader.cacheDir, tellsEach }
      await reader.decoders.run('analyse', input, { onPart, signal: storage.signal })
    } catch (error) {
      reader.signal.throwIfAborted()
      if (!(error instanceof BookFault)) throw error
      if (mayBeStorage(error)) await storage.check()
      if (next >= to || storage.isAway()) return
      // Several may have been read without a word of it: again, and one by one.
      if (!tellsEach && next + 1 < to) return readRange(next, to, true)
      results[next] = { fault: { code: error.code, message: error.message } }
      await readRange(next + 1, to)
    }
  }
  const ranges: Promise<void>[] = []
  for (let from = 0; from < files.length; from += filesAtOnce)
    ranges.push(readRange(from, Math.min(from + filesAtOnce, files.length)))
  await Promise.all(ranges)
  if (results.some((result) => result && 'fault' in result && mayBeStorage(result.fault))) await storage.check()
  return files.flatMap((file, index) => {
    const result = results[index]
    if (!result || (storage.isAway() && 'fault' in result && mayBeStorage(result.fault))) return []
    return [[file, result] as const]
  })
}

/** Faults that storage which hangs or is not connected any more brings about as well. */
const mayBeStorage = ({ code }: Pick<Fault, 'code'>): boolean => code === 'timeout' || code === 'unreadable'

const settle = async (files: readonly FileToRead[], settleMs: number, signal: AbortSignal): Promise<void> => {
  const now = Date.now()
  const fresh = files.filter(({ changedUs }) => changedUs / 1000 > now - longAgoMs)
  if (fresh.length === 0) return
  const waitMs = Math.max(...fresh.map(({ seenAt }) => seenAt)) + settleMs - performance.now()
  if (waitMs > 0) await delay(waitMs, undefined, { signal })
}
