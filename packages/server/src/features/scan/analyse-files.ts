import { setTimeout as delay } from 'node:timers/promises'
import type { Analysed } from '../../decoders/analyse.ts'
import type { Decoders } from '../../decoders/pool.ts'
import { BookFault } from '../../formats/book-format.ts'

/** What reads files, and how. */
export interface Reader {
  readonly decoders: Decoders
  readonly cacheDir: string
  /** Two looks at a file must agree, this far apart (C11). */
  readonly settleMs: number
  readonly signal: AbortSignal
}

export interface FileToRead {
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

/** Reads files in decoders. One that ends its decoder is told from those that were to be read after it. */
export const analyseFiles = async (
  { decoders, cacheDir, settleMs, signal }: Reader,
  files: readonly FileToRead[],
): Promise<readonly ReadFile[]> => {
  await settle(files, settleMs, signal)
  const results: (ReadFile | undefined)[] = files.map(() => undefined)
  const readRange = async (from: number, to: number, tellsEach = false): Promise<void> => {
    let next = from
    const onPart = (parts: readonly Analysed[]): void => {
      for (const { index, ...result } of parts) {
        results[from + index] = result
        next = from + index + 1
      }
    }
    try {
      const part = files
        .slice(from, to)
        .map(({ path, isFolder, size, modifiedUs }) => ({ path, isFolder, size, modifiedUs }))
      await decoders.run('analyse', { files: part, cacheDir, tellsEach }, { onPart, signal })
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof BookFault)) throw error
      if (next >= to) return
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
  return results.map((result) => result ?? { isUnsettled: true })
}

const settle = async (files: readonly FileToRead[], settleMs: number, signal: AbortSignal): Promise<void> => {
  const now = Date.now()
  const fresh = files.filter(({ changedUs }) => changedUs / 1000 > now - longAgoMs)
  if (fresh.length === 0) return
  const waitMs = Math.max(...fresh.map(({ seenAt }) => seenAt)) + settleMs - performance.now()
  if (waitMs > 0) await delay(waitMs, undefined, { signal })
}
