import { crc32 } from 'node:zlib'
import { BookFault } from '../book-format.ts'
import { extraFieldAt } from './zip-names.ts'
import { centralHeader, endOfDirectory, full32, localHeader } from './zip-records.ts'
import { readExactly } from '../read-exactly.ts'
import type { ZipDirectory, ZipEntry, ZipFile } from './zip-directory.ts'

/** A stretch of the old file, or bytes that are new. */
export type Piece = { readonly from: number; readonly to: number } | { readonly bytes: Uint8Array }

export interface NewMember {
  readonly name: string
  readonly bytes: Buffer
  readonly modifiedAt: Date
}

interface Hole {
  readonly from: number
  readonly to: number
}

/**
 * A ZIP with one member more, which takes the place of others: what it is put together from. Nothing of the other members
 * is read or packed again, and whatever stood before the ZIP stays there. The new member stands behind the others, so
 * that no number in the directory grows. It throws a `BookFault`.
 */
export const spliceZip = (directory: ZipDirectory, gone: ReadonlySet<ZipEntry>, added: NewMember): Piece[] => {
  const holes = holesOf([...gone])
  const pieces = piecesBefore(directory.start, holes)
  const end = directory.start - holes.reduce((sum, { from, to }) => sum + to - from, 0)
  const member = writtenMember(added, end - directory.shift)
  const local = localHeader(member)
  const records = [...remainingRecords(directory, gone, holes), centralHeader(member)]
  const size = records.reduce((sum, { length }) => sum + length, 0)
  const offset = end - directory.shift + local.length + added.bytes.length
  const { comment } = directory
  const last = endOfDirectory({ count: records.length, offset, size, commentLength: comment.length })
  return [...pieces, { bytes: Buffer.concat([local, added.bytes, ...records, last, comment]) }]
}

export const sizeOfPieces = (pieces: readonly Piece[]): number =>
  pieces.reduce((sum, piece) => sum + ('bytes' in piece ? piece.bytes.length : piece.to - piece.from), 0)

/** The bytes of all pieces together, to be read anywhere. */
export const readablePieces = (file: ZipFile, pieces: readonly Piece[], size: number): ZipFile => ({
  size,
  read: (position, length) => {
    const parts: Buffer[] = []
    let offset = 0
    for (const piece of pieces) {
      const pieceLength = sizeOfPieces([piece])
      const begin = Math.max(0, position - offset)
      const end = Math.min(pieceLength, position + length - offset)
      if (begin < end) parts.push(partOf(file, piece, begin, end))
      offset += pieceLength
    }
    return Buffer.concat(parts)
  },
})

const partOf = (file: ZipFile, piece: Piece, begin: number, end: number): Buffer =>
  'bytes' in piece ? Buffer.from(piece.bytes.subarray(begin, end)) : readExactly(file, piece.from + begin, end - begin)

const writtenMember = ({ name, bytes, modifiedAt }: NewMember, offset: number) => {
  const measured = { size: bytes.length, packedSize: bytes.length, crc32: crc32(bytes) }
  // Stored, for what a library packs today it may pack otherwise tomorrow, and the same is to stay the same.
  return { name, method: 'stored' as const, modifiedAt, isLong: false, measured, ...measured, offset }
}

const holesOf = (gone: readonly ZipEntry[]): Hole[] =>
  gone
    .map(({ headerOffset, boundary }) => ({ from: headerOffset, to: boundary }))
    .sort((one, other) => one.from - other.from)

const piecesBefore = (end: number, holes: readonly Hole[]): Piece[] => {
  const pieces: Piece[] = []
  let position = 0
  for (const { from, to } of holes) {
    if (from > position) pieces.push({ from: position, to: from })
    position = to
  }
  if (end > position) pieces.push({ from: position, to: end })
  return pieces
}

const headerLength = 46

/** The records of all other members as they are, but for where their members begin now. */
const remainingRecords = (
  { bytes, members }: ZipDirectory,
  gone: ReadonlySet<ZipEntry>,
  holes: readonly Hole[],
): Buffer[] => {
  const records: Buffer[] = []
  let position = 0
  for (const member of members) {
    const next = position + recordLength(bytes, position)
    if (!gone.has(member)) {
      const moved = holes.reduce((sum, { from, to }) => (from < member.headerOffset ? sum + to - from : sum), 0)
      const record = bytes.subarray(position, next)
      records.push(moved === 0 ? record : movedBack(record, moved))
    }
    position = next
  }
  return records
}

const recordLength = (bytes: Buffer, position: number): number =>
  headerLength +
  bytes.readUInt16LE(position + 28) +
  bytes.readUInt16LE(position + 30) +
  bytes.readUInt16LE(position + 32)

const movedBack = (record: Buffer, by: number): Buffer => {
  const moved = Buffer.from(record)
  const offset = record.readUInt32LE(42)
  if (offset !== full32) moved.writeUInt32LE(offset - by, 42)
  else moveLong(moved, by)
  return moved
}

/** The long offset stands behind those long sizes that are there. */
const moveLong = (record: Buffer, by: number): void => {
  const from = headerLength + record.readUInt16LE(28)
  const field = extraFieldAt(record.subarray(from, from + record.readUInt16LE(30)), 1)
  if (field === undefined) {
    record.writeUInt32LE(full32 - by, 42)
    return
  }
  const before = [20, 24].filter((position) => record.readUInt32LE(position) === full32).length * 8
  if (before + 8 > field.length) throw new BookFault('damaged', 'A long number in the ZIP is cut off')
  const position = from + field.from + before
  record.writeBigUInt64LE(record.readBigUInt64LE(position) - BigInt(by), position)
}
