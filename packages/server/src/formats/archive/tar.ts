import { nameFromBytes } from '../../platform/files/file-names.ts'
import { BookFault, type Fault } from '../book-format.ts'
import { bookLimits } from '../limits.ts'
import type { ByteSource } from './byte-source.ts'

interface TarEntry {
  readonly name: string
  readonly size: number
  readonly isFolder: boolean
  /** The member may also be a device, a pipe or a sparse file: its bytes do not stand in the archive. */
  readonly isLink: boolean
  readonly dataOffset: number
}

export interface TarArchive {
  readonly entries: readonly TarEntry[]
  readonly warnings: readonly Fault[]
}

const block = 512
const regular = ['0', '\0', '7']
const folder = '5'
/** Such a header stands before an entry and describes it. */
const extended = 'x'
const extendedForAll = 'g'
const longName = 'L'
const longLink = 'K'
/** GNU: a list of a folder, the rest of a volume, the name of a volume. */
const notMembers = [extendedForAll, longLink, 'D', 'M', 'V']

export const isTar = (head: Buffer): boolean =>
  head.length >= block && hasChecksum(head.subarray(0, block)) && nameField(head.subarray(0, block)).length > 0

/** The members of a TAR archive by their headers alone, each after the one before. */
export const readTar = (source: ByteSource): TarArchive => {
  const entries: TarEntry[] = []
  let about: Extended = {}
  let headerBytes = 0
  let position = 0
  while (position < source.size) {
    const header = readHeader(source, position)
    if (header === 'end') return { entries, warnings: [] }
    if (header === undefined) return brokenOff(entries)
    const size = header.isMember ? (about.size ?? header.size) : header.size
    const dataOffset = position + block
    if (dataOffset + size > source.size) return brokenOff(entries)
    headerBytes += block + (header.isMember ? 0 : size)
    assertWithinLimits(entries.length, headerBytes)
    if (header.isMember) {
      entries.push(entryFrom(header, about, { size, dataOffset }))
      about = {}
    } else {
      about = { ...about, ...readExtended(source, header, dataOffset) }
    }
    position = dataOffset + Math.ceil(size / block) * block
  }
  return { entries, warnings: [] }
}

const brokenOff = (entries: readonly TarEntry[]): TarArchive => {
  if (entries.length === 0) throw new BookFault('damaged', 'The archive breaks off before its first file')
  return {
    entries,
    warnings: [{ code: 'damaged', message: 'The archive breaks off; what comes before can be read' }],
  }
}

const assertWithinLimits = (entries: number, headerBytes: number): void => {
  if (entries >= bookLimits.entries) {
    throw new BookFault('limit', `The archive has more than ${bookLimits.entries} entries`)
  }
  // Here the headers of members count too, 512 bytes each.
  if (headerBytes > bookLimits.directoryBytes + bookLimits.entries * block) {
    throw new BookFault('limit', 'The list of the archive is too large')
  }
}

interface Header {
  readonly type: string
  readonly name: Buffer
  readonly size: number
  readonly isMember: boolean
}

const readHeader = (source: ByteSource, position: number): Header | 'end' | undefined => {
  const bytes = source.read(position, block)
  if (bytes.every((byte) => byte === 0)) return 'end'
  if (bytes.length < block || !hasChecksum(bytes)) return undefined
  const type = bytes.toString('latin1', 156, 157)
  const size = numberField(bytes.subarray(124, 136))
  if (size === undefined) return undefined
  const isMember = type !== extended && type !== longName && !notMembers.includes(type)
  // Links state the size of what they lead to and carry none of it.
  const hasNoData = ['1', '2', '3', '4', folder, '6'].includes(type)
  return { type, name: nameField(bytes), size: hasNoData ? 0 : size, isMember }
}

/** The sum of all bytes, with those of the checksum taken for spaces. */
const hasChecksum = (header: Buffer): boolean => {
  const stated = numberField(header.subarray(148, 156))
  let sum = 8 * 0x20
  for (let index = 0; index < block; index += 1) if (index < 148 || index >= 156) sum += header[index] ?? 0
  return sum === stated
}

/** Octal digits, or for what does not fit into them a number with the highest bit set. */
const numberField = (bytes: Buffer): number | undefined => {
  const first = bytes[0] ?? 0
  if (first === 0x80) return bytes.subarray(1).reduce((value, byte) => value * 256 + byte, 0)
  const text = untilZero(bytes).toString('latin1').trim()
  if (!/^[0-7]*$/.test(text)) return undefined
  return text === '' ? 0 : Number.parseInt(text, 8)
}

const untilZero = (bytes: Buffer): Buffer => {
  const end = bytes.indexOf(0)
  return end === -1 ? bytes : bytes.subarray(0, end)
}

const nameField = (header: Buffer): Buffer => {
  const name = untilZero(header.subarray(0, 100))
  // The GNU form, with a space after it, has other things where a prefix would be.
  const isUstar = header.toString('latin1', 257, 263) === 'ustar\0'
  const prefix = isUstar ? untilZero(header.subarray(345, 500)) : Buffer.alloc(0)
  return prefix.length === 0 ? name : Buffer.concat([prefix, Buffer.from('/'), name])
}

interface Extended {
  readonly name?: Buffer
  readonly size?: number
  readonly isSparse?: boolean
}

const readExtended = (source: ByteSource, header: Header, dataOffset: number): Extended => {
  if (header.type !== extended && header.type !== longName) return {}
  if (header.size > 1024 * 1024) throw new BookFault('limit', 'A header in the archive is too large')
  const bytes = source.read(dataOffset, header.size)
  return header.type === longName ? { name: untilZero(bytes) } : recordsFrom(bytes)
}

/** `length key=value\n`, the length counting itself. */
const recordsFrom = (bytes: Buffer): Extended => {
  let extended: Extended = {}
  let position = 0
  while (position < bytes.length) {
    const space = bytes.indexOf(0x20, position)
    const length = space === -1 ? 0 : Number(bytes.toString('latin1', position, Math.min(space, position + 10)))
    if (!Number.isSafeInteger(length) || length <= space - position) break
    const equals = bytes.indexOf(0x3d, space)
    const key = equals === -1 ? '' : bytes.toString('latin1', space + 1, Math.min(equals, space + 64))
    const value = bytes.subarray(equals + 1, position + length - 1)
    if (key === 'path') extended = { ...extended, name: value }
    if (key === 'size' && /^\d{1,15}$/.test(value.toString('latin1'))) extended = { ...extended, size: Number(value) }
    if (key.startsWith('GNU.sparse')) extended = { ...extended, isSparse: true }
    position += length
  }
  return extended
}

const entryFrom = (header: Header, about: Extended, location: { size: number; dataOffset: number }): TarEntry => {
  const bytes = about.name ?? header.name
  if (bytes.length > bookLimits.nameBytes) {
    throw new BookFault('limit', `A name in the archive is longer than ${bookLimits.nameBytes} bytes`)
  }
  const name = nameFromBytes(bytes)
  // The oldest archives tell folders by the end of the name.
  const isFolder = header.type === folder || (header.type === '\0' && name.endsWith('/'))
  return {
    name,
    ...location,
    isFolder,
    isLink: !isFolder && (!regular.includes(header.type) || about.isSparse === true),
  }
}
