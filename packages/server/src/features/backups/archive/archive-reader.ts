import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createInflateRaw } from 'node:zlib'
import {
  type ArchiveManifest,
  formatNumber,
  parseManifest,
  parseTrailer,
  type Part,
  trailerLength,
} from './archive-format.ts'

/** The file cannot be used, and why, as a sentence. Nothing was done with it. */
export class UnusableArchive extends Error {
  override readonly name = 'UnusableArchive'
}

const manifestBytesMax = 4 * 1024 * 1024
const chunkBytes = 256 * 1024

export interface ArchiveHead {
  readonly manifest: ArchiveManifest
  readonly size: number
  /** The digest covers everything before it. */
  readonly digest: string
}

/**
 * It reads the end of the file. That is cheap: only `requireUnchanged` checks whether the rest is as it was written.
 */
export const readHead = async (file: string): Promise<ArchiveHead> => {
  const handle = await open(file, 'r')
  try {
    const { size } = await handle.stat()
    const readAt = async (position: number, length: number): Promise<Buffer> => {
      const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(length), position })
      return buffer.subarray(0, bytesRead)
    }
    const trailer = size < trailerLength ? undefined : parseTrailer(await readAt(size - trailerLength, trailerLength))
    if (!trailer) throw new UnusableArchive('It is no backup of Carrel, or its end is missing.')
    if (trailer.size > manifestBytesMax || trailer.offset + trailer.size > size) throw damaged()
    const manifest = parseManifest((await readAt(trailer.offset, trailer.size)).toString())
    if (!manifest) throw damaged()
    if (manifest.format > formatNumber)
      throw new UnusableArchive(
        `Carrel ${manifest.program} has made it, in a form this one does not know: update first.`,
      )
    if (manifest.parts.some(({ offset, packedSize }) => offset + packedSize > size)) throw damaged()
    return { manifest, size, digest: trailer.digest }
  } finally {
    await handle.close()
  }
}

const damaged = () => new UnusableArchive('It is damaged: its bytes are not those that were written.')

/** It reads the whole file once. */
export const requireUnchanged = async (
  file: string,
  { size, digest }: ArchiveHead,
  onBytes: (done: number) => void = () => undefined,
): Promise<void> => {
  const hash = createHash('sha256')
  let done = 0
  for await (const chunk of streamOf(file, 0, size - digest.length)) {
    hash.update(chunk)
    done += chunk.length
    onBytes(done)
  }
  if (hash.digest('hex') !== digest) throw damaged()
}

/** A part unpacked. It fails at its end when it is not what was written, and before when it is longer. */
export async function* readPart(file: string, part: Part): AsyncGenerator<Buffer> {
  const digest = createHash('sha256')
  let size = 0
  const inflated = createInflateRaw({ chunkSize: chunkBytes })
  const failed = pipeline(streamOf(file, part.offset, part.offset + part.packedSize), inflated).catch(() => undefined)
  try {
    for await (const chunk of inflated as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > part.size) throw damaged()
      digest.update(chunk)
      yield chunk
    }
  } catch (error) {
    throw isOfZlib(error) ? damaged() : error
  } finally {
    inflated.destroy()
    await failed
  }
  if (size !== part.size || digest.digest('hex') !== part.sha256) throw damaged()
}

const isOfZlib = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(Z_|ERR_STREAM_PREMATURE)/.test(String(error.code))

const streamOf = (file: string, from: number, to: number): AsyncIterable<Buffer> =>
  to <= from ? nothing() : createReadStream(file, { start: from, end: to - 1, highWaterMark: chunkBytes })

async function* nothing(): AsyncGenerator<Buffer> {}
