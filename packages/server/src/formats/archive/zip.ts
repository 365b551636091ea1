import { constants, crc32, inflateRawSync } from 'node:zlib'
import { BookFault } from '../book-format.ts'
import { bookLimits } from '../limits.ts'
import { readExactly } from '../read-exactly.ts'
import { readZipDirectory, type ZipDirectory, type ZipEntry, type ZipFile } from './zip-directory.ts'

export { readZipDirectory, type ZipDirectory, type ZipEntry, type ZipFile } from './zip-directory.ts'

const directories = new WeakMap<ZipFile, ZipDirectory>()

/**
 * The directory is read once for each open file: both detecting the format and opening the book need it. It throws a
 * `BookFault`.
 */
export const zipDirectoryOf = (file: ZipFile): ZipDirectory => {
  const cached = directories.get(file)
  if (cached) return cached
  const directory = readZipDirectory(file)
  directories.set(file, directory)
  return directory
}

const localHeaderLength = 30
/** Most local headers have at most this after the name, so that one read takes header and data. */
const usualExtra = 64
/** Packing may add its tables to the first bytes of something that cannot be packed. */
const packedSlack = 320
/** Deflate makes at most this much of a byte. */
const greatestRatio = 1032

/** It reads all bytes of a member and checks them. It throws a `BookFault`. */
export const readZipEntry = (file: ZipFile, entry: ZipEntry, { bytesMax }: { bytesMax: number }): Buffer => {
  refuseTooLarge(entry, bytesMax)
  const { packed } = readPacked(file, entry, entry.storedSize)
  const bytes = entry.method === 'stored' ? packed : inflate(packed, entry)
  if (bytes.length !== entry.size || crc32(bytes) !== entry.crc32) {
    throw new BookFault('damaged', 'A member of the ZIP is not what its checksum says')
  }
  return bytes
}

/** It returns where the bytes of a member begin. */
export const dataOffset = (file: ZipFile, entry: ZipEntry): number => readPacked(file, entry, 0).offset

/**
 * It returns where a member begins and its first bytes, unpacked, with one read. The head is not checked: it has no
 * checksum.
 */
export const zipEntryStart = (file: ZipFile, entry: ZipEntry, length: number): { offset: number; head: Buffer } => {
  const readLength = entry.method === 'stored' ? length : length + packedSlack
  const { offset, packed } = readPacked(file, entry, Math.min(readLength, entry.storedSize))
  const head = entry.method === 'stored' ? packed : inflateHead(packed, length)
  return { offset, head: head.subarray(0, length) }
}

const refuseTooLarge = ({ size, storedSize, method }: ZipEntry, bytesMax: number): void => {
  const isBomb = size > bookLimits.ratioFromBytes && size > storedSize * bookLimits.ratio
  // Packed bytes may be a little more than what they unpack to, never much.
  if (size > bytesMax || storedSize > bytesMax + bytesMax / 1000 + 64 || isBomb) {
    throw new BookFault('limit', `A member of the ZIP would unpack from ${storedSize} to ${size} bytes`)
  }
  if (method === 'stored' ? size !== storedSize : size > storedSize * greatestRatio) {
    throw new BookFault('damaged', 'A member of the ZIP cannot have the size it says')
  }
}

/** The first bytes of a member as they stand in the file, with its local header read and compared. */
const readPacked = (file: ZipFile, entry: ZipEntry, length: number): { offset: number; packed: Buffer } => {
  if (entry.isEncrypted) throw new BookFault('encrypted', 'A member of the ZIP is encrypted')
  if (entry.method === 'other') throw new BookFault('unsupported', 'A member of the ZIP is packed in an unknown way')
  const fixed = localHeaderLength + entry.rawName.length
  const readLength = Math.min(fixed + usualExtra + length, entry.boundary - entry.headerOffset)
  const bytes = readExactly(file, entry.headerOffset, readLength)
  const headLength = fixed + checkLocalHeader(bytes, entry)
  const offset = entry.headerOffset + headLength
  if (offset + entry.storedSize > entry.boundary) {
    throw new BookFault('damaged', 'Members of the ZIP overlap each other or its directory')
  }
  const isAllThere = headLength + length <= bytes.length
  const packed = isAllThere ? bytes.subarray(headLength, headLength + length) : readExactly(file, offset, length)
  return { offset, packed }
}

/** It returns how long the extra fields after the name are. */
const checkLocalHeader = (bytes: Buffer, entry: ZipEntry): number => {
  const nameLength = entry.rawName.length
  const isSame =
    bytes.readUInt32LE(0) === 0x04034b50 &&
    bytes.readUInt16LE(8) === (entry.method === 'deflated' ? 8 : 0) &&
    bytes.readUInt16LE(26) === nameLength &&
    bytes.toString('latin1', localHeaderLength, localHeaderLength + nameLength) === entry.rawName
  if (!isSame) throw new BookFault('damaged', 'A member of the ZIP is not what the directory says')
  return bytes.readUInt16LE(28)
}

const inflate = (packed: Buffer, { size }: ZipEntry): Buffer => {
  try {
    // One buffer of the stated size, and the counter stops at the first byte beyond it.
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, size), chunkSize: Math.max(64, size + 1) })
  } catch (error) {
    throw new BookFault('damaged', 'A member of the ZIP cannot be unpacked', { cause: error })
  }
}

const headSlack = 64 * 1024

/** A few packed bytes of a ZIP bomb inflate to too much: then fewer are taken. */
const inflateHead = (packed: Buffer, length: number): Buffer => {
  let input = packed
  while (input.length > 0) {
    try {
      return inflateRawSync(input, {
        finishFlush: constants.Z_SYNC_FLUSH,
        maxOutputLength: length + headSlack,
        chunkSize: Math.max(64, length),
      })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') {
        throw new BookFault('damaged', 'A member of the ZIP cannot be unpacked', { cause: error })
      }
      input = input.subarray(0, input.length >> 1)
    }
  }
  return input
}
