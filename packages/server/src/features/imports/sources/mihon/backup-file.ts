import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { SourceFault } from '../../records.ts'
import { readVarint, splitTag, type WireType } from './protobuf.ts'

const mebibyte = 1024 * 1024

/** A hundred thousand chapters take some 20 MiB. */
const backupLimits = {
  fileBytes: 128 * mebibyte,
  inflatedBytes: 512 * mebibyte,
  /** The limit holds for one manga with all its chapters. */
  valueBytes: 32 * mebibyte,
} as const

export interface TopLevelValue {
  readonly field: number
  readonly bytes: Uint8Array
}

/**
 * It reads the outermost message a value at a time, and keeps of it only those that are wanted: a backup of any length takes the memory of its
 * longest manga.
 */
export async function* readTopLevel(path: string, fields: ReadonlySet<number>): AsyncGenerator<TopLevelValue> {
  const splitter = splitTopLevel(fields)
  let inflatedBytes = 0
  for await (const chunk of inflate(path)) {
    inflatedBytes += chunk.length
    if (inflatedBytes > backupLimits.inflatedBytes) {
      throw new SourceFault('too_large', 'This backup is larger than 512 MiB once it is unpacked.')
    }
    yield* splitter.take(chunk)
  }
  splitter.end()
}

async function* inflate(path: string): AsyncGenerator<Uint8Array> {
  const isPacked = await beginsLikeGzip(path)
  const file = createReadStream(path, { highWaterMark: 256 * 1024 })
  if (!isPacked) {
    yield* file
    return
  }
  const unpacked = createGunzip({ chunkSize: 256 * 1024 })
  // What goes wrong in either is thrown where the chunks are read.
  pipeline(file, unpacked, () => undefined)
  try {
    yield* unpacked
  } catch (error) {
    throw new SourceFault('damaged', 'This backup is damaged: it cannot be unpacked to its end.', { cause: error })
  }
}

/** Backups were not packed in the first years, and the app still reads those. */
const beginsLikeGzip = async (path: string): Promise<boolean> => {
  const handle = await open(path, 'r').catch((cause: unknown) => {
    throw new SourceFault('not_found', 'There is no such file, or it cannot be read.', { cause })
  })
  try {
    const { size } = await handle.stat()
    if (size > backupLimits.fileBytes) throw new SourceFault('too_large', 'This backup is larger than 128 MiB.')
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0)
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b
  } finally {
    await handle.close()
  }
}

const headBytesMax = 20

const splitTopLevel = (fields: ReadonlySet<number>) => {
  /** The beginning of a tag or a length that the next chunk continues. */
  let head: Uint8Array = new Uint8Array(0)
  let collecting: { field: number; bytes: Uint8Array; filled: number } | undefined
  let skipping = 0

  const begin = ({ field, type, size }: Head): void => {
    if (type !== 'bytes' || !fields.has(field)) {
      skipping = size
      return
    }
    if (size > backupLimits.valueBytes) {
      throw new SourceFault('too_large', 'This backup holds a series that takes more than 32 MiB.')
    }
    collecting = { field, bytes: new Uint8Array(size), filled: 0 }
  }

  return {
    *take(chunk: Uint8Array): Generator<TopLevelValue> {
      let rest = chunk
      while (true) {
        if (collecting !== undefined) {
          const part = rest.subarray(0, collecting.bytes.length - collecting.filled)
          collecting.bytes.set(part, collecting.filled)
          collecting.filled += part.length
          rest = rest.subarray(part.length)
          if (collecting.filled < collecting.bytes.length) return
          yield { field: collecting.field, bytes: collecting.bytes }
          collecting = undefined
        }
        const skipped = Math.min(skipping, rest.length)
        skipping -= skipped
        rest = rest.subarray(skipped)
        if (rest.length === 0) return
        const joined = head.length === 0 ? rest : Buffer.concat([head, rest])
        const parsed = readHead(joined)
        if (parsed === undefined) {
          head = joined.slice(0, headBytesMax)
          return
        }
        head = new Uint8Array(0)
        rest = joined.subarray(parsed.next)
        begin(parsed)
      }
    },
    end(): void {
      if (head.length > 0 || skipping > 0 || collecting !== undefined) {
        throw new SourceFault('damaged', 'This backup is damaged: it ends in the middle.')
      }
    },
  }
}

interface Head {
  readonly field: number
  readonly type: WireType
  readonly size: number
  readonly next: number
}

/** It is undefined until the bytes that say it are all there, which are twenty at most. */
const readHead = (bytes: Uint8Array): Head | undefined => {
  const tag = readVarint(bytes, 0)
  if (tag === undefined) return undefined
  const { field, type } = splitTag(tag.value)
  if (type === 'fixed64') return { field, type, size: 8, next: tag.next }
  if (type === 'fixed32') return { field, type, size: 4, next: tag.next }
  const value = readVarint(bytes, tag.next)
  if (value === undefined) return undefined
  if (type === 'varint') return { field, type, size: 0, next: value.next }
  if (value.value > BigInt(backupLimits.inflatedBytes)) {
    throw new SourceFault('damaged', 'This backup is damaged: a part of it claims to be longer than any backup.')
  }
  return { field, type, size: Number(value.value), next: value.next }
}
