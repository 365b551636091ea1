import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'
import { type ArchiveManifest, formatNumber, manifestName, type Part, trailerOf } from './archive-format.ts'

export interface ArchiveWriter {
  /** Nothing of it is kept in memory. */
  add(name: string, bytes: AsyncIterable<Buffer>): Promise<Part>
  /** It closes the file; what stands in it now is all there is. */
  end(manifest: Omit<ArchiveManifest, 'product' | 'format' | 'parts'>): Promise<void>
  abandon(): Promise<void>
}

const signatures = { local: 0x04034b50, descriptor: 0x08074b50, central: 0x02014b50, end: 0x06054b50 }
const signatures64 = { end: 0x06064b50, locator: 0x07064b50 }
const full32 = 0xffffffff
/** Names are UTF-8; size and checksum follow what they are about. */
const flags = 0x808
const zip64Version = 45
const deflated = 8
/** The first day of 1980: when it was made stands in the manifest. */
const noDate = 0x21
const stored = 0
/** This level gives most of the compression at the speed of a disk. */
const packingLevel = 1

interface Written extends Part {
  readonly crc: number
  readonly headerOffset: number
  readonly method: number
}

/**
 * A ZIP that any program opens, written from its beginning to its end. Its comment says where the manifest stands and
 * holds a digest of everything before: that is what we read it by.
 */
export const writeArchive = async (file: string): Promise<ArchiveWriter> => {
  const out = outputTo(await open(file, 'wx', 0o600))
  const written: Written[] = []

  const write = async (name: string, bytes: AsyncIterable<Buffer>, method: number): Promise<Written> => {
    const headerOffset = out.length()
    await out.write(localHeader(name, method))
    const offset = out.length()
    const content = measured(bytes)
    if (method === deflated) await pipeline(content.pass(), createDeflateRaw({ level: packingLevel }), out.take)
    else await out.take(content.pass())
    const packedSize = out.length() - offset
    const { size, crc, sha256 } = content.figures()
    await out.write(descriptorOf(size, packedSize, crc))
    return { name, offset, packedSize, size, sha256, crc, headerOffset, method }
  }

  return {
    add: async (name, bytes) => {
      const part = await write(name, bytes, deflated)
      written.push(part)
      return plainPart(part)
    },
    end: async (manifest) => {
      const content: ArchiveManifest = {
        product: 'carrel',
        format: formatNumber,
        ...manifest,
        parts: written.map(plainPart),
      }
      const text = Buffer.from(`${JSON.stringify(content, null, 2)}\n`)
      const part = await write(manifestName, once(text), stored)
      const directoryOffset = out.length()
      for (const each of [...written, part]) await out.write(centralHeader(each))
      const trailer = trailerOf(part)
      await out.write(ending(written.length + 1, directoryOffset, out.length() - directoryOffset, trailer.length + 64))
      await out.write(trailer)
      await out.write(Buffer.from(out.digest()))
      await out.close()
    },
    abandon: out.close,
  }
}

const plainPart = ({ name, offset, packedSize, size, sha256 }: Written): Part => ({
  name,
  offset,
  packedSize,
  size,
  sha256,
})

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

const outputTo = (handle: FileHandle) => {
  const digest = createHash('sha256')
  let length = 0
  const write = async (bytes: Buffer): Promise<void> => {
    digest.update(bytes)
    for (let at = 0; at < bytes.length;) at += (await handle.write(bytes, at)).bytesWritten
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
  let crc = 0
  return {
    pass: async function* () {
      for await (const chunk of bytes) {
        digest.update(chunk)
        crc = crc32(chunk, crc)
        size += chunk.length
        yield chunk
      }
    },
    figures: () => ({ size, crc, sha256: digest.digest('hex') }),
  }
}

const localHeader = (name: string, method: number): Buffer => {
  const head = Buffer.alloc(30)
  head.writeUInt32LE(signatures.local, 0)
  head.writeUInt16LE(zip64Version, 4)
  head.writeUInt16LE(flags, 6)
  head.writeUInt16LE(method, 8)
  head.writeUInt16LE(noDate, 12)
  head.writeUInt32LE(full32, 18)
  head.writeUInt32LE(full32, 22)
  head.writeUInt16LE(Buffer.byteLength(name), 26)
  const extra = extraField([0, 0])
  head.writeUInt16LE(extra.length, 28)
  return Buffer.concat([head, Buffer.from(name), extra])
}

const descriptorOf = (size: number, packedSize: number, crc: number): Buffer => {
  const descriptor = Buffer.alloc(24)
  descriptor.writeUInt32LE(signatures.descriptor, 0)
  descriptor.writeUInt32LE(crc, 4)
  descriptor.writeBigUInt64LE(BigInt(packedSize), 8)
  descriptor.writeBigUInt64LE(BigInt(size), 16)
  return descriptor
}

const centralHeader = ({ name, method, crc, size, packedSize, headerOffset }: Written): Buffer => {
  const extra = extraField([size, packedSize, headerOffset])
  const head = Buffer.alloc(46)
  head.writeUInt32LE(signatures.central, 0)
  head.writeUInt16LE(zip64Version, 4)
  head.writeUInt16LE(zip64Version, 6)
  head.writeUInt16LE(flags, 8)
  head.writeUInt16LE(method, 10)
  head.writeUInt16LE(noDate, 14)
  head.writeUInt32LE(crc, 16)
  head.writeUInt32LE(full32, 20)
  head.writeUInt32LE(full32, 24)
  head.writeUInt16LE(Buffer.byteLength(name), 28)
  head.writeUInt16LE(extra.length, 30)
  head.writeUInt32LE(full32, 42)
  return Buffer.concat([head, Buffer.from(name), extra])
}

const extraField = (values: readonly number[]): Buffer => {
  const field = Buffer.alloc(4 + 8 * values.length)
  field.writeUInt16LE(1, 0)
  field.writeUInt16LE(8 * values.length, 2)
  values.forEach((value, index) => field.writeBigUInt64LE(BigInt(value), 4 + 8 * index))
  return field
}

const ending = (count: number, directoryOffset: number, directorySize: number, commentLength: number): Buffer => {
  const end64 = Buffer.alloc(76)
  end64.writeUInt32LE(signatures64.end, 0)
  end64.writeBigUInt64LE(44n, 4)
  end64.writeUInt16LE(zip64Version, 12)
  end64.writeUInt16LE(zip64Version, 14)
  end64.writeBigUInt64LE(BigInt(count), 24)
  end64.writeBigUInt64LE(BigInt(count), 32)
  end64.writeBigUInt64LE(BigInt(directorySize), 40)
  end64.writeBigUInt64LE(BigInt(directoryOffset), 48)
  end64.writeUInt32LE(signatures64.locator, 56)
  end64.writeBigUInt64LE(BigInt(directoryOffset + directorySize), 64)
  end64.writeUInt32LE(1, 72)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(signatures.end, 0)
  end.writeUInt16LE(0xffff, 8)
  end.writeUInt16LE(0xffff, 10)
  end.writeUInt32LE(full32, 12)
  end.writeUInt32LE(full32, 16)
  end.writeUInt16LE(commentLength, 20)
  return Buffer.concat([end64, end])
}
