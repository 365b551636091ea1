import type { LibraryFile } from '../../platform/storage/library-files.ts'
import { BookFault, type Fault } from '../book-format.ts'
import { bookLimits } from '../limits.ts'
import { readExactly } from '../read-exactly.ts'
import { refuseBomb, safeMembers } from './safe-members.ts'
import { extraField, isPlain, legacyDecoder, statedName } from './zip-names.ts'

export type ZipFile = Pick<LibraryFile, 'size' | 'read'>

/** It holds what the end of a ZIP lists. Nothing is unpacked for it. */
export interface ZipDirectory {
  readonly entries: readonly ZipEntry[]
  /** Members that were left out, and why. */
  readonly warnings: readonly Fault[]
  /** The directory as it stands in the file: with the file's size it tells files apart. */
  readonly bytes: Buffer
  /** Every member in the order of the directory, those left out of `entries` too. */
  readonly members: readonly ZipEntry[]
  /** The directory begins here. */
  readonly start: number
  /** This much is before the ZIP, and its numbers do not count it. */
  readonly shift: number
  readonly comment: Buffer
}

export interface ZipEntry {
  /** The name has `/` between folders. It names nothing on this machine and is never joined to a path. */
  readonly name: string
  /** The name's bytes, one character each. */
  readonly rawName: string
  readonly headerOffset: number
  readonly storedSize: number
  /** The directory states it; the bytes may say otherwise. */
  readonly size: number
  readonly method: 'stored' | 'deflated' | 'other'
  readonly crc32: number
  readonly isEncrypted: boolean
  readonly isFolder: boolean
  /** The next member or the directory begins here: this member ends before. */
  readonly boundary: number
}

/** It holds the directory of most books; a longer one is read as well. */
const tailBytes = 32 * 1024
const endLength = 22
const endSignature = Buffer.from('PK\u0005\u0006', 'latin1')
const locatorLength = 20
const zip64EndLength = 56
const headerLength = 46

/** It throws a `BookFault` when there is no directory, or one that cannot be true. */
export const readZipDirectory = (file: ZipFile): ZipDirectory => {
  const tail = readTail(file)
  const end = findEnd(tail, file)
  if (end.entryCount > bookLimits.entries) {
    throw new BookFault('limit', `The ZIP has ${end.entryCount} members; up to ${bookLimits.entries} are read`)
  }
  if (end.directorySize > bookLimits.directoryBytes) {
    throw new BookFault('limit', `The directory of the ZIP has ${end.directorySize} bytes`)
  }
  const { start, shift } = locateDirectory(end, tail, file)
  const bytes = bytesAt(start, end.directorySize, tail, file)
  const { drafts, unusual } = parseHeaders(bytes, end.entryCount, shift)
  nameThem(drafts, unusual)
  refuseOverlaps(drafts, start)
  refuseBombs(drafts, file)
  return { ...safeMembers(drafts), bytes, members: drafts, start, shift, comment: end.comment }
}

interface Tail {
  readonly bytes: Buffer
  readonly position: number
}

const readTail = (file: ZipFile): Tail => tailOf(file, tailBytes)

const tailOf = (file: ZipFile, length: number): Tail => {
  const position = Math.max(0, file.size - length)
  return { bytes: readExactly(file, position, file.size - position), position }
}

interface DirectoryEnd {
  readonly entryCount: number
  readonly directorySize: number
  readonly directoryOffset: number
  /** The records that end the file begin here. */
  readonly position: number
  readonly comment: Buffer
}

const findEnd = (tail: Tail, file: ZipFile): DirectoryEnd => {
  const offset = endRecordAt(tail.bytes)
  if (offset === undefined) {
    // A comment of the greatest length is a little longer than the usual tail.
    const longest = endLength + 0xffff
    if (tail.bytes.length < file.size && tail.bytes.length < longest) return findEnd(tailOf(file, longest), file)
    throw new BookFault('damaged', 'The end of the ZIP is missing: the file is cut off or is no ZIP')
  }
  const record = tail.bytes.subarray(offset, offset + endLength)
  const position = tail.position + offset
  const disk = record.readUInt16LE(4)
  const end = {
    entryCount: record.readUInt16LE(10),
    directorySize: record.readUInt32LE(12),
    directoryOffset: record.readUInt32LE(16),
    position,
    comment: tail.bytes.subarray(offset + endLength, offset + endLength + record.readUInt16LE(20)),
  }
  if (end.entryCount === 0xffff || end.directorySize === 0xffffffff || end.directoryOffset === 0xffffffff) {
    return findZip64End(end, tail, file) ?? end
  }
  if (disk !== 0) throw new BookFault('unsupported', 'The ZIP is one of several volumes')
  return end
}

/** The last record whose comment ends with the file; else the last one, and what follows is not part of the ZIP. */
const endRecordAt = (tail: Buffer): number | undefined => {
  const withoutComment = tail.length - endLength
  if (
    withoutComment >= 0 &&
    tail.readUInt32LE(withoutComment) === 0x06054b50 &&
    tail.readUInt16LE(tail.length - 2) === 0
  ) {
    return withoutComment
  }
  let last: number | undefined
  let position = tail.lastIndexOf(endSignature)
  while (position !== -1) {
    const end = position + endLength <= tail.length ? position + endLength + tail.readUInt16LE(position + 20) : Infinity
    if (end === tail.length) return position
    if (end < tail.length) last ??= position
    position = position === 0 ? -1 : tail.lastIndexOf(endSignature, position - 1)
  }
  return last
}

const findZip64End = (end: DirectoryEnd, tail: Tail, file: ZipFile): DirectoryEnd | undefined => {
  const locatorAt = end.position - locatorLength
  if (locatorAt < 0) return undefined
  const locator = bytesAt(locatorAt, locatorLength, tail, file)
  if (locator.readUInt32LE(0) !== 0x07064b50) return undefined
  const stated = readLarge(locator, 8)
  // When something is put before the ZIP the stated position is wrong, and the record stands right before its locator.
  for (const position of [stated, locatorAt - zip64EndLength]) {
    if (position < 0 || position + zip64EndLength > locatorAt) continue
    const record = bytesAt(position, zip64EndLength, tail, file)
    if (record.readUInt32LE(0) !== 0x06064b50) continue
    return {
      entryCount: readLarge(record, 32),
      directorySize: readLarge(record, 40),
      directoryOffset: readLarge(record, 48),
      position,
      comment: end.comment,
    }
  }
  throw new BookFault('damaged', 'The end of the ZIP64 is missing')
}

/** A program put before the ZIP (self-extracting) shifts all that the directory says of places. */
const locateDirectory = (end: DirectoryEnd, tail: Tail, file: ZipFile): { start: number; shift: number } => {
  const adjacent = end.position - end.directorySize
  if (adjacent >= end.directoryOffset && isHeaderAt(adjacent, end, { tail, file })) {
    return { start: adjacent, shift: adjacent - end.directoryOffset }
  }
  if (end.directoryOffset <= adjacent && isHeaderAt(end.directoryOffset, end, { tail, file })) {
    return { start: end.directoryOffset, shift: 0 }
  }
  throw new BookFault('damaged', 'The directory of the ZIP is not where the end says')
}

const isHeaderAt = (position: number, end: DirectoryEnd, { tail, file }: { tail: Tail; file: ZipFile }): boolean =>
  end.entryCount === 0 ||
  (end.directorySize >= headerLength && bytesAt(position, 4, tail, file).readUInt32LE(0) === 0x02014b50)

type Draft = { -readonly [Key in keyof ZipEntry]: ZipEntry[Key] } & { isLink: boolean }

/** A name that is not read as it stands, with what helps to read it. */
interface UnusualName {
  readonly draft: Draft
  readonly isUtf8: boolean
  readonly extra: Buffer
}

interface Headers {
  readonly drafts: Draft[]
  readonly unusual: UnusualName[]
}

const parseHeaders = (bytes: Buffer, count: number, shift: number): Headers => {
  const headers: Headers = { drafts: [], unusual: [] }
  // Names are cut out of one text: a text of its own for each would take longer than all the rest.
  const directory = { bytes, text: bytes.toString('latin1'), shift }
  let position = 0
  for (let index = 0; index < count; index += 1) position = parseHeader(directory, position, headers)
  if (position + 4 <= bytes.length && bytes.readUInt32LE(position) === 0x02014b50) {
    throw new BookFault('damaged', 'The directory of the ZIP has more members than its end says')
  }
  return headers
}

interface Directory {
  readonly bytes: Buffer
  /** One character a byte. */
  readonly text: string
  readonly shift: number
}

/** It returns where the next one begins. */
const parseHeader = ({ bytes, text, shift }: Directory, position: number, { drafts, unusual }: Headers): number => {
  if (position + headerLength > bytes.length || bytes.readUInt32LE(position) !== 0x02014b50) {
    throw new BookFault('damaged', 'The directory of the ZIP is cut off')
  }
  const nameLength = bytes.readUInt16LE(position + 28)
  const nameEnd = position + headerLength + nameLength
  const extraEnd = nameEnd + bytes.readUInt16LE(position + 30)
  const next = extraEnd + bytes.readUInt16LE(position + 32)
  if (next > bytes.length) throw new BookFault('damaged', 'The directory of the ZIP is cut off')
  if (nameLength > bookLimits.nameBytes) {
    throw new BookFault('limit', `A name in the ZIP has ${nameLength} bytes; up to ${bookLimits.nameBytes} are read`)
  }
  const rawName = text.slice(position + headerLength, nameEnd)
  const flags = bytes.readUInt16LE(position + 8)
  const draft: Draft = {
    name: rawName,
    rawName,
    headerOffset: bytes.readUInt32LE(position + 42),
    storedSize: bytes.readUInt32LE(position + 20),
    size: bytes.readUInt32LE(position + 24),
    method: methodOf(bytes.readUInt16LE(position + 10)),
    crc32: bytes.readUInt32LE(position + 16),
    isEncrypted: (flags & 0x2041) !== 0,
    isFolder: false,
    isLink: isSpecial(bytes[position + 5], bytes.readUInt32LE(position + 38)),
    boundary: 0,
  }
  if (draft.size === 0xffffffff || draft.storedSize === 0xffffffff || draft.headerOffset === 0xffffffff) {
    applyZip64(draft, bytes.subarray(nameEnd, extraEnd))
  }
  draft.headerOffset += shift
  drafts.push(draft)
  if (!isPlain(rawName)) {
    unusual.push({ draft, isUtf8: (flags & 0x800) !== 0, extra: bytes.subarray(nameEnd, extraEnd) })
  }
  return next
}

const methodOf = (code: number): ZipEntry['method'] => {
  if (code === 8) return 'deflated'
  return code === 0 ? 'stored' : 'other'
}

/** Links and devices, as Unix and macOS write them: neither a regular file (8) nor a folder (4), nor unsaid (0). */
const isSpecial = (host: number | undefined, attributes: number): boolean => {
  if (host !== 3 && host !== 19) return false
  const kind = attributes >>> 28
  return kind !== 8 && kind !== 4 && kind !== 0
}

/** The long numbers stand in this order, and only those whose short ones are full. */
const applyZip64 = (draft: Draft, extra: Buffer): void => {
  const field = extraField(extra, 1)
  let position = 0
  for (const key of ['size', 'storedSize', 'headerOffset'] as const) {
    if (draft[key] !== 0xffffffff) continue
    // Without the field the number is taken as it stands, although it is the largest possible.
    if (field === undefined) continue
    if (position + 8 > field.length) throw new BookFault('damaged', 'A long number in the ZIP is cut off')
    draft[key] = readLarge(field, position)
    position += 8
  }
}

const nameThem = (drafts: readonly Draft[], unusual: readonly UnusualName[]): void => {
  const unstated: Draft[] = []
  for (const { draft, isUtf8, extra } of unusual) {
    const name = statedName(draft.rawName, { isUtf8, extra })
    if (name === undefined) unstated.push(draft)
    else draft.name = name
  }
  if (unstated.length > 0) {
    const decode = legacyDecoder(unstated.map(({ rawName }) => rawName))
    for (const draft of unstated) draft.name = decode(draft.rawName)
  }
  for (const { draft } of unusual) draft.name = draft.name.replaceAll('\\', '/')
  for (const draft of drafts) draft.isFolder = draft.name.endsWith('/')
}

const leastLocalHeader = 30

/** Members that share bytes are how a small file becomes a huge book. */
const refuseOverlaps = (drafts: readonly Draft[], directoryStart: number): void => {
  let previous: Draft | undefined
  for (const draft of inFileOrder(drafts)) {
    if (previous !== undefined) bound(previous, draft.headerOffset)
    previous = draft
  }
  if (previous !== undefined) bound(previous, directoryStart)
}

const inFileOrder = (drafts: readonly Draft[]): readonly Draft[] => {
  const isInOrder = drafts.every(
    (draft, index) => index === 0 || draft.headerOffset >= (drafts[index - 1]?.headerOffset ?? 0),
  )
  return isInOrder ? drafts : drafts.toSorted((a, b) => a.headerOffset - b.headerOffset)
}

const bound = (draft: Draft, boundary: number): void => {
  if (draft.headerOffset + leastLocalHeader + draft.rawName.length + draft.storedSize > boundary) {
    throw new BookFault('damaged', 'Members of the ZIP overlap each other or its directory')
  }
  draft.boundary = boundary
}

const refuseBombs = (drafts: readonly Draft[], file: ZipFile): void => {
  let stored = 0
  let unpacked = 0
  for (const { storedSize, size } of drafts) {
    stored += storedSize
    unpacked += size
  }
  if (stored > file.size) throw new BookFault('damaged', 'The members of the ZIP are larger than the file')
  refuseBomb(stored, unpacked)
}

const bytesAt = (position: number, length: number, tail: Tail, file: ZipFile): Buffer => {
  const from = position - tail.position
  if (from >= 0 && from + length <= tail.bytes.length) return tail.bytes.subarray(from, from + length)
  return readExactly(file, position, length)
}

const readLarge = (bytes: Buffer, position: number): number => {
  const value = bytes.readBigUInt64LE(position)
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new BookFault('damaged', 'A number in the ZIP cannot be true')
  return Number(value)
}
