import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'
import {
  centralHeader,
  descriptorOf,
  endOfDirectory,
  localHeader,
  type WrittenMember,
  type ZipMember,
} from '../../../formats/archive/zip-records.ts'
import {
  type ArchiveManifest,
  formatNumber,
  manifestName,
  type Part,
  trailerLength,
  trailerOf,
} from './archive-format.ts'

export interface ArchiveWriter {
  /** Nothing of it is kept in memory. */
  add(name: string, bytes: AsyncIterable<Buffer>): Promise<Part>
  /** It closes the file; what stands in it now is all there is. */
  end(manifest: Omit<ArchiveManifest, 'product' | 'format' | 'parts'>): Promise<void>
  abandon(): Promise<void>
}

/** This level gives most of the compression at the speed of a disk. */
const packingLevel = 1

interface Written {
  readonly part: Part
  readonly member: WrittenMember
}

/**
 * A ZIP that any program opens, written from its beginning to its end. Its comment says where the manifest stands and
 * holds a digest of everything before: that is what we read it by.
 */
export const writeArchive = async (file: string): Promise<ArchiveWriter> => {
  const out = outputTo(await open(file, 'wx', 0o600))
  const written: Written[] = []

  const write = async (name: string, bytes: AsyncIterable<Buffer>, method: ZipMember['method']): Promise<Written> => {
    const member = { name, method, isLong: true, offset: out.length() }
    await out.write(localHeader(member))
    const offset = out.length()
    const content = measured(bytes)
    if (method === 'deflated') await pipeline(content.pass(), createDeflateRaw({ level: packingLevel }), out.take)
    else await out.take(content.pass())
    const packedSize = out.length() - offset
    const { size, crc32, sha256 } = content.figures()
    const sizes = { size, packedSize, crc32 }
    await out.write(descriptorOf({ ...member, ...sizes }))
    return { part: { name, offset, packedSize, size, sha256 }, member: { ...member, ...sizes } }
  }

  return {
    add: async (name, bytes) => {
      const each = await write(name, bytes, 'deflated')
      written.push(each)
      return each.part
    },
    end: async (manifest) => {
      const content: ArchiveManifest = {
        product: 'carrel',
        format: formatNumber,
        ...manifest,
        parts: written.map(({ part }) => part),
      }
      const text = Buffer.from(`${JSON.stringify(content, null, 2)}\n`)
      const last = await write(manifestName, once(text), 'stored')
      const offset = out.length()
      for (const { member } of [...written, last]) await out.write(centralHeader(member))
      const trailer = trailerOf(last.part)
      const directory = { count: written.length + 1, offset, size: out.length() - offset }
      await out.write(endOfDirectory({ ...directory, commentLength: trailerLength }))
      await out.write(trailer)
      await out.write(Buffer.from(out.digest()))
      await out.close()
    },
    abandon: out.close,
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

const outputTo = (handle: FileHandle) => {
  const digest = createHash('sha256')
  let length = 0
  const write = async (bytes: Buffer): Promise<void> => {
    digest.update(bytes)
    for (let index = 0; index < bytes.length;) index += (await handle.write(bytes, index)).bytesWritten
    length += bytes.length
  }
  return {
    write,
    take: async (source: AsyncIterable<Buffer>): Promise<void> => {
      for await (const chunk of source) await write(chunk)
    },
    length: () => length,
    digest: () => digest.copy().digest('hex'),
    close: () => handle.close(),
  }
}

const measured = (bytes: AsyncIterable<Buffer>) => {
  const digest = createHash('sha256')
  let size = 0
  let sum = 0
  return {
    pass: async function* () {
      for await (const chunk of bytes) {
        digest.update(chunk)
        sum = crc32(chunk, sum)
        size += chunk.length
        yield chunk
      }
    },
    figures: () => ({ size, crc32: sum, sha256: digest.digest('hex') }),
  }
}
