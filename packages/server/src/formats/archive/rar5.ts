import { crc32 } from 'node:zlib'
import { nameFromBytes } from '../../platform/files/file-names.ts'
import { BookFault } from '../book-format.ts'
import type { ByteSource } from './byte-source.ts'
import { encryptedArchive, multiVolume, nameWithinLimits, type RarBlock, type RarEntry } from './rar-entry.ts'

export const rar5Signature = Buffer.from('526172211a070100', 'hex')

const blockTypes = { main: 1, file: 2, encryption: 4, end: 5 } as const
const blockFlags = { extra: 0x01, data: 0x02, splitBefore: 0x08, splitAfter: 0x10 } as const
const mainFlags = { volume: 0x01, solid: 0x04 } as const
const fileFlags = { folder: 0x01, time: 0x02, crc: 0x04, unknownSize: 0x08 } as const
const extraTypes = { encryption: 1, redirection: 5 } as const
const unixHost = 1
const largestHeader = 2 * 1024 * 1024
/** A checksum and the longest size a header may state. */
const shortHeader = 7

/** One block of an archive of RAR 5 or later. */
export const readRar5Block = (source: ByteSource, offset: number): RarBlock | undefined => {
  const start = reader(source.read(offset, shortHeader), 4)
  const rest = start.number()
  const headerSize = start.position() + rest
  if (start.isPastEnd() || rest === 0 || headerSize > largestHeader) return undefined
  const header = source.read(offset, headerSize)
  if (header.length < headerSize || crc32(header.subarray(4)) !== header.readUInt32LE(0)) return undefined
  const block = blockOf(reader(header, start.position()), offset)
  return block && { ...block, headerSize }
}

interface Common {
  readonly flags: number
  readonly extraSize: number
  readonly dataSize: number
  readonly offset: number
}

const blockOf = (header: Reader, offset: number): RarBlock | undefined => {
  const type = header.number()
  const flags = header.number()
  const extraSize = flags & blockFlags.extra ? header.number() : 0
  const dataSize = flags & blockFlags.data ? header.number() : 0
  if (header.isPastEnd()) return undefined
  const common = { flags, extraSize, dataSize, offset }
  const block = { offset, headerSize: 0, dataSize }
  if (type === blockTypes.encryption) throw encryptedArchive()
  if (type === blockTypes.main) return { ...block, kind: 'main', main: mainOf(header) }
  if (type === blockTypes.end) return { ...block, kind: 'end' }
  if (type !== blockTypes.file) return { ...block, kind: 'other' }
  const entry = entryOf(header, common)
  return header.isPastEnd() ? undefined : { ...block, kind: 'file', entry }
}

const mainOf = (header: Reader): { isSolid: boolean } => {
  const flags = header.number()
  if (flags & mainFlags.volume) throw multiVolume()
  return { isSolid: (flags & mainFlags.solid) !== 0 }
}

const entryOf = (header: Reader, common: Common): RarEntry => {
  if (common.flags & (blockFlags.splitBefore | blockFlags.splitAfter)) throw multiVolume()
  const flags = header.number()
  const size = header.number()
  if (flags & fileFlags.unknownSize)
    throw new BookFault('unsupported', 'The archive does not say how large its files are')
  const attributes = header.number()
  if (flags & fileFlags.time) header.bytes(4)
  const checksum = flags & fileFlags.crc ? header.uint32() : undefined
  const packing = header.number()
  const host = header.number()
  const nameLength = header.number()
  const name = header.bytes(nameLength)
  const extra = extraOf(header.end(common.extraSize))
  const isFolder = (flags & fileFlags.folder) !== 0
  return {
    name: nameWithinLimits(nameFromBytes(name), nameLength),
    size,
    packedSize: common.dataSize,
    // A password disguises the checksum.
    crc32: extra.isEncrypted ? undefined : checksum,
    ...packingOf(packing),
    isEncrypted: extra.isEncrypted,
    isFolder,
    isLink: !isFolder && (extra.isLink || (host === unixHost && isSpecial(attributes))),
    headerOffset: common.offset,
    dataOffset: common.offset + header.length,
  }
}

const isSpecial = (mode: number): boolean => (mode & 0xf000) !== 0 && (mode & 0xf000) !== 0x8000

const packingOf = (packing: number): Pick<RarEntry, 'isStored' | 'isSolid' | 'dictionaryBytes'> => {
  const isStored = ((packing >> 7) & 7) === 0
  const version = packing & 0x3f
  // The version after RAR 5 has one bit more for it, and 32nds in between.
  const power = (packing >> 10) & (version === 0 ? 0x0f : 0x1f)
  const thirtySeconds = version === 0 ? 0 : (packing >> 15) & 0x1f
  const dictionaryBytes = isStored ? 0 : 128 * 1024 * 2 ** power * (1 + thirtySeconds / 32)
  return { isStored, isSolid: (packing & 0x40) !== 0, dictionaryBytes }
}

const extraOf = (extra: Reader): { isEncrypted: boolean; isLink: boolean } => {
  const flags = { isEncrypted: false, isLink: false }
  while (!extra.isPastEnd() && extra.position() < extra.length) {
    const size = extra.number()
    const next = extra.position() + size
    const type = extra.number()
    if (type === extraTypes.encryption) flags.isEncrypted = true
    if (type === extraTypes.redirection) flags.isLink = true
    extra.skipTo(next)
  }
  return flags
}

interface Reader {
  readonly length: number
  /** Seven bits a byte, the lowest first; a byte without the highest bit is the last. */
  number(): number
  uint32(): number
  bytes(length: number): Buffer
  skipTo(position: number): void
  /** The last so many bytes. */
  end(length: number): Reader
  position(): number
  /** It returns whether more was read than there is: then the result means nothing. */
  isPastEnd(): boolean
}

const reader = (bytes: Buffer, from: number): Reader => {
  let offset = from
  const take = (length: number): Buffer => {
    const taken = bytes.subarray(offset, offset + length)
    offset += length
    return taken
  }
  return {
    length: bytes.length,
    number: () => {
      let value = 0
      for (let index = 0; index < 10; index += 1) {
        const byte = take(1)[0] ?? 0
        value += (byte & 0x7f) * 2 ** (7 * index)
        if (byte < 0x80) break
      }
      return value
    },
    uint32: () => {
      const word = take(4)
      return word.length === 4 ? word.readUInt32LE(0) : 0
    },
    bytes: take,
    skipTo: (position) => {
      // The position never goes back, so that the records come to an end.
      offset = Math.max(offset, position)
    },
    end: (length) => reader(bytes.subarray(Math.max(offset, bytes.length - length)), 0),
    position: () => offset,
    isPastEnd: () => offset > bytes.length,
  }
}
