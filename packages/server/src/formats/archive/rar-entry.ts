import { BookFault } from '../book-format.ts'
import { bookLimits } from '../limits.ts'
import type { ByteSource } from './byte-source.ts'

export interface RarEntry {
  readonly name: string
  readonly size: number
  readonly packedSize: number
  /** Some archives carry another kind of hash instead. */
  readonly crc32: number | undefined
  readonly isStored: boolean
  /** It needs what was unpacked before it. */
  readonly isSolid: boolean
  readonly isEncrypted: boolean
  readonly isFolder: boolean
  /** A link of any kind, a device, a pipe: something that has no bytes of its own to show. */
  readonly isLink: boolean
  readonly dictionaryBytes: number
  readonly headerOffset: number
  readonly dataOffset: number
}

/** One block of the archive, as both generations have them: a header, and perhaps data after it. */
export interface RarBlock {
  readonly kind: 'main' | 'file' | 'end' | 'other'
  readonly offset: number
  readonly headerSize: number
  readonly dataSize: number
  readonly main?: RarMain
  readonly entry?: RarEntry
}

interface RarMain {
  readonly isSolid: boolean
}

/** It is undefined when nothing here could be a block. It throws a `BookFault` for a block that we cannot read. */
export type ReadRarBlock = (source: ByteSource, offset: number) => RarBlock | undefined

export const multiVolume = (): BookFault =>
  new BookFault('unsupported', 'The archive is one part of several; only archives in one file can be read')

export const encryptedArchive = (): BookFault => new BookFault('encrypted', 'The archive is protected by a password')

export const nameWithinLimits = (name: string, bytes: number): string => {
  if (bytes > bookLimits.nameBytes) {
    throw new BookFault('limit', `A name in the archive is longer than ${bookLimits.nameBytes} bytes`)
  }
  return name
}
