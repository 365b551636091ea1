import { hash } from 'node:crypto'
import type { LibraryFile } from '../platform/storage/library-files.ts'
import type { Fingerprints } from './book-format.ts'
import { inReadingOrder, isJunk, isNamedAsPicture, type Member } from './picture-members.ts'

/** A member whose bytes are known by their checksum, as archives write it down. */
export interface SummedMember extends Member {
  readonly crc32: number
}

type Readable = Pick<LibraryFile, 'size' | 'read'>

/** This many bytes are enough to tell contents apart. */
const digest = (data: string | Buffer): string => hash('sha256', data).slice(0, 32)

const edgeBytes = 64 * 1024
const sampleBytes = 4096
const sampleCount = 6

/** These very bytes, by the size, both ends and places between: the same cost for any size. */
export const fileFingerprint = (file: Readable): string => {
  const parts = [sizeBytes(file.size), file.read(0, edgeBytes)]
  if (file.size > edgeBytes) {
    const step = Math.floor((file.size - edgeBytes) / (sampleCount + 1))
    for (let index = 1; index <= sampleCount; index += 1) parts.push(file.read(edgeBytes + index * step, sampleBytes))
    parts.push(file.read(Math.max(edgeBytes, file.size - edgeBytes), edgeBytes))
  }
  return digest(Buffer.concat(parts))
}

/** The directory of an archive holds the checksum and the place of everything in it: no sample is needed. */
export const directoryFingerprint = (file: Readable, directory: Buffer): string =>
  digest(Buffer.concat([sizeBytes(file.size), directory]))

const sizeBytes = (size: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(size))
  return bytes
}

type MemberFingerprints = Pick<Fingerprints, 'content' | 'pages'>

/**
 * It computes the fingerprints of the members of an archive or a folder, however they are packed. Folders themselves
 * are no members. A caller that knows the pictures among them in reading order already saves looking for them.
 */
export const memberFingerprints = (
  members: readonly SummedMember[],
  pictures: readonly SummedMember[] = inReadingOrder(members.filter(isNamedAsPicture)),
): MemberFingerprints => {
  const content = contentOf(members.filter(({ name }) => !isJunk(name)))
  return pictures.length === 0 ? { content } : { content, pages: pageSetOf(pictures) }
}

const contentOf = (members: readonly SummedMember[]): string =>
  digest(
    members
      .toSorted((a, b) => compareText(a.name, b.name))
      .map(({ name, crc32, size }) => `${name}\0${crc32}\0${size}\n`)
      .join(''),
  )

const pageSetOf = (pictures: readonly SummedMember[]): string =>
  digest(
    pictures
      .toSorted((a, b) => a.crc32 - b.crc32 || a.size - b.size)
      .map(({ crc32, size }) => `${crc32} ${size}\n`)
      .join(''),
  )

const compareText = (a: string, b: string): number => {
  if (a === b) return 0
  return a < b ? -1 : 1
}

const koreaderSample = 1024

/** KOReader knows a file by this digest of up to 1,024 bytes at 0, 1 KiB, 4 KiB and so on, up to 1 GiB. */
export const koreaderFingerprint = (file: Readable): string => {
  const samples: Buffer[] = []
  for (let offset = 0; offset < file.size; offset = offset === 0 ? koreaderSample : offset * 4) {
    if (offset > koreaderSample * 4 ** 10) break
    samples.push(file.read(offset, koreaderSample))
  }
  return hash('md5', Buffer.concat(samples))
}
