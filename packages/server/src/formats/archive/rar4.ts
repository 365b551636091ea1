import { crc32 } from 'node:zlib'
import { nameFromBytes } from '../../platform/files/file-names.ts'
import type { ByteSource } from './byte-source.ts'
import { encryptedArchive, multiVolume, nameWithinLimits, type RarBlock, type RarEntry } from './rar-entry.ts'

export const rar4Signature = Buffer.from('526172211a0700', 'hex')

const blockTypes = { main: 0x73, file: 0x74, service: 0x7a, end: 0x7b } as const
const hasDataAfter = 0x8000
const mainFlags = { volume: 0x01, comment: 0x02, solid: 0x08, encryptedHeaders: 0x80 } as const
const fileFlags = {
  splitBefore: 0x01,
  splitAfter: 0x02,
  password: 0x04,
  comment: 0x08,
  solid: 0x10,
  window: 0xe0,
  large: 0x100,
  unicode: 0x200,
} as const
const stored = 0x30
/** These of the operating systems that made archives store a Unix mode as attributes. */
const unixHosts = [3, 5]
const shortHeader = 7
const fileHeader = 32

/** One block of an archive of the generation before RAR 5. */
export const readRar4Block = (source: ByteSource, offset: number): RarBlock | undefined => {
  const start = source.read(offset, shortHeader)
  if (start.length < shortHeader) return undefined
  const headerSize = start.readUInt16LE(5)
  if (headerSize < shortHeader) return undefined
  const header = source.read(offset, headerSize)
  if (header.length < headerSize || !isIntact(header)) return undefined
  const type = header[2] ?? 0
  const flags = header.readUInt16LE(3)
  if (type === blockTypes.main) return mainBlock(header, flags, offset)
  if (type === blockTypes.end) return { kind: 'end', offset, headerSize, dataSize: 0 }
  if (type !== blockTypes.file && type !== blockTypes.service) return otherBlock(header, flags, offset)
  if (headerSize < fileHeader + (flags & fileFlags.large ? 8 : 0)) return undefined
  if (type === blockTypes.file) return fileBlock(header, flags, offset)
  return { kind: 'other', offset, headerSize, dataSize: fileSizes(header, flags).packedSize }
}

/** Comments of the oldest archives stand inside the header, where its checksum does not reach. */
const isIntact = (header: Buffer): boolean => {
  const type = header[2] ?? 0
  const flags = header.readUInt16LE(3)
  if (type === blockTypes.main && flags & mainFlags.comment) return true
  if (type === blockTypes.file && flags & fileFlags.comment) return true
  return (crc32(header.subarray(2)) & 0xffff) === header.readUInt16LE(0)
}

const mainBlock = (header: Buffer, flags: number, offset: number): RarBlock => {
  if (flags & mainFlags.encryptedHeaders) throw encryptedArchive()
  if (flags & mainFlags.volume) throw multiVolume()
  const main = { isSolid: (flags & mainFlags.solid) !== 0 }
  return { kind: 'main', offset, headerSize: header.length, dataSize: 0, main }
}

const otherBlock = (header: Buffer, flags: number, offset: number): RarBlock | undefined => {
  const saysSize = (flags & hasDataAfter) !== 0
  if (saysSize && header.length < shortHeader + 4) return undefined
  return {
    kind: 'other',
    offset,
    headerSize: header.length,
    dataSize: saysSize ? header.readUInt32LE(shortHeader) : 0,
  }
}

const fileBlock = (header: Buffer, flags: number, offset: number): RarBlock => {
  if (flags & (fileFlags.splitBefore | fileFlags.splitAfter)) throw multiVolume()
  const { packedSize, size } = fileSizes(header, flags)
  const window = (flags & fileFlags.window) >> 5
  const nature = natureOf(header, window)
  const entry: RarEntry = {
    name: entryName(header, flags),
    size,
    packedSize,
    crc32: header.readUInt32LE(16),
    isStored: header[25] === stored,
    isSolid: (flags & fileFlags.solid) !== 0,
    isEncrypted: (flags & fileFlags.password) !== 0,
    ...nature,
    dictionaryBytes: nature.isFolder ? 0 : 0x10000 << window,
    headerOffset: offset,
    dataOffset: offset + header.length,
  }
  return { kind: 'file', offset, headerSize: header.length, dataSize: packedSize, entry }
}

const fileSizes = (header: Buffer, flags: number): { packedSize: number; size: number } => {
  const isLarge = (flags & fileFlags.large) !== 0
  const high = (position: number): number => (isLarge ? header.readUInt32LE(position) * 2 ** 32 : 0)
  return {
    packedSize: header.readUInt32LE(7) + high(fileHeader),
    size: header.readUInt32LE(11) + high(fileHeader + 4),
  }
}

const natureOf = (header: Buffer, window: number): { isFolder: boolean; isLink: boolean } => {
  const attributes = header.readUInt32LE(28)
  const mode = unixHosts.includes(header[15] ?? 0) ? attributes & 0xf000 : 0
  const isFolder = window === 7 || mode === 0x4000
  return { isFolder, isLink: !isFolder && mode !== 0 && mode !== 0x8000 }
}

const entryName = (header: Buffer, flags: number): string => {
  const from = fileHeader + (flags & fileFlags.large ? 8 : 0)
  const bytes = header.subarray(from, from + header.readUInt16LE(26))
  const end = bytes.indexOf(0)
  const plain = end === -1 ? bytes : bytes.subarray(0, end)
  const isEncoded = (flags & fileFlags.unicode) !== 0 && end !== -1
  const name = isEncoded ? decodeName(plain, bytes.subarray(end + 1)) : nameFromBytes(plain)
  return nameWithinLimits(name.replaceAll('\\', '/'), bytes.length)
}

/**
 * The second, encoded form of a name: UTF-16 in which each pair of bits of a flag byte says how the next character is
 * written: one byte, one byte with the common high byte, two bytes, or a run taken from the plain form.
 */
const decodeName = (plain: Buffer, encoded: Buffer): string => {
  const units: number[] = []
  const high = (encoded[0] ?? 0) << 8
  let position = 1
  let flags = 0
  let flagBits = 0
  const next = (): number => encoded[position++] ?? 0
  while (position < encoded.length && units.length < 2048) {
    if (flagBits === 0) {
      flags = next()
      flagBits = 8
    }
    flagBits -= 2
    const way = (flags >> flagBits) & 3
    if (way === 0) units.push(next())
    else if (way === 1) units.push(next() | high)
    else if (way === 2) units.push(next() | (next() << 8))
    else units.push(...runOfPlain(plain, units.length, { length: next(), correction: next, high }))
  }
  return String.fromCharCode(...units)
}

const runOfPlain = (
  plain: Buffer,
  from: number,
  run: { length: number; correction: () => number; high: number },
): number[] => {
  const isCorrected = (run.length & 0x80) !== 0
  const correction = isCorrected ? run.correction() : 0
  const high = isCorrected ? run.high : 0
  const bytes = [...plain.subarray(from, from + (run.length & 0x7f) + 2)]
  return bytes.map((byte) => ((byte + correction) & 0xff) | high)
}
