import { crc32 } from 'node:zlib'
import type { ByteSource } from './archive/byte-source.ts'
import { BookFault, type PageLocation } from './book-format.ts'
import { readExactly } from './read-exactly.ts'

/** A member whose bytes stand in the file as they are. */
export interface StoredMember {
  readonly size: number
  readonly dataOffset: number
  readonly crc32: number | undefined
}

export const storedLocation = ({ size, dataOffset }: StoredMember, crc32: number): PageLocation => ({
  offset: dataOffset,
  storedSize: size,
  method: 'stored',
  crc32,
})

export const readStoredHead = (file: ByteSource, { dataOffset, size }: StoredMember, length: number): Buffer =>
  readExactly(file, dataOffset, Math.min(length, size))

export const readStored = (
  file: ByteSource,
  { dataOffset, size, crc32: stated }: StoredMember,
  bytesMax: number,
): Buffer => {
  if (size > bytesMax) throw new BookFault('limit', `A member of the archive has ${size} bytes`)
  const bytes = readExactly(file, dataOffset, size)
  if (stated !== undefined && crc32(bytes) !== stated) {
    throw new BookFault('damaged', 'A member of the archive is not what its checksum says')
  }
  return bytes
}

const pieceBytes = 1024 * 1024

/** It computes the checksum of members whose archive states none. */
export const storedChecksum = (file: ByteSource, { dataOffset, size, crc32: stated }: StoredMember): number => {
  if (stated !== undefined) return stated
  let sum = 0
  for (let index = 0; index < size; index += pieceBytes) {
    sum = crc32(readExactly(file, dataOffset + index, Math.min(pieceBytes, size - index)), sum)
  }
  return sum
}
