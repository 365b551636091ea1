import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../errors.ts'
import { FileChanged, type HeldFile, type ExpectedFile, type LibraryReads } from './library-reads.ts'

/** Whoever takes them slowly has some of these waiting: two hundred such downloads are to cost less than 64 MiB. */
const chunkBytes = 96 * 1024
const triesMax = 100
const waitMs = 50

/**
 * The bytes of a file from one place to another. It fails when it is not the file any more that it was at the
 * beginning.
 */
export async function* fileStream(held: HeldFile, from: number, to: number): AsyncGenerator<Buffer> {
  for (let position = from; position < to; position += chunkBytes) {
    const chunk = await patiently(() => held.read(position, Math.min(chunkBytes, to - position)))
    // Bytes are sent only if nobody has written to the file meanwhile.
    if (!(await patiently(() => held.isUnchanged()))) throw new FileChanged()
    yield chunk
  }
}

/** A stream among many waits its turn rather than break off. */
const patiently = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (
        error instanceof FileChanged ||
        !(error instanceof AppError) ||
        error.code !== 'unavailable' ||
        tries === triesMax
      )
        throw error
      await delay(waitMs)
    }
  }
}

export const streamOf = async function* (reads: LibraryReads, file: ExpectedFile): AsyncGenerator<Buffer> {
  const held = await reads.hold(file)
  try {
    yield* fileStream(held, 0, file.size)
  } finally {
    held.release()
  }
}
