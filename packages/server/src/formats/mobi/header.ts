import { BookFault } from '../book-format.ts'
import { slice, startsWith, u16, u32 } from './bytes.ts'
import type { PalmDatabase } from './palm-database.ts'

/** It is the first record of a book; numbers of records count from that one, except for the first picture's. */
export interface MobiHeader {
  readonly compression: number
  readonly textRecords: number
  readonly isEncrypted: boolean
  readonly encoding: 'utf-8' | 'windows-1252'
  /** 6 and below are MOBI, 8 is KF8. */
  readonly version: number
  readonly title: string
  /** A language as Windows numbers them. */
  readonly locale: number
  /** The first record that may be a picture or a font. */
  readonly firstResource: number | undefined
  readonly huffman: { readonly first: number; readonly count: number } | undefined
  /** It says which kinds of bytes stand after the text in each record. */
  readonly trailing: number
  readonly contents: number | undefined
  /** Empty when there is none. */
  readonly exth: Buffer
  readonly kf8: Kf8Tables
}

export interface Kf8Tables {
  readonly flows: number | undefined
  readonly fragments: number | undefined
  readonly skeletons: number | undefined
}

const nothing = 0xffffffff
const headerStart = 16

export const readMobiHeader = (database: PalmDatabase, first: number): MobiHeader => {
  const record = database.read(first)
  if (!startsWith(record, 'MOBI', headerStart)) throw new BookFault('unsupported', 'It is a Palm document, not a MOBI')
  const length = u32(record, 20)
  const field = (position: number): number | undefined => {
    const isThere = position + 4 <= headerStart + length && position + 4 <= record.length
    const value = isThere ? u32(record, position) : nothing
    return value === nothing ? undefined : value
  }
  const decoder = u32(record, 28) === 65_001 ? 'utf-8' : 'windows-1252'
  const huffmanCount = field(116) ?? 0
  const huffmanFirst = field(112)
  const version = field(36) ?? 0
  return {
    compression: u16(record, 0),
    textRecords: u16(record, 8),
    isEncrypted: u16(record, 12) !== 0,
    encoding: decoder,
    version,
    title: titleOf(record, decoder, field),
    locale: field(92) ?? 0,
    firstResource: field(108),
    huffman:
      huffmanFirst === undefined || huffmanCount === 0 ? undefined : { first: huffmanFirst, count: huffmanCount },
    trailing: version >= 5 ? (field(240) ?? 0) & 0xffff : 0,
    contents: field(244),
    exth: ((field(128) ?? 0) & 0x40) === 0 ? Buffer.alloc(0) : exthOf(record, headerStart + length),
    kf8: { flows: field(192), fragments: field(248), skeletons: field(252) },
  }
}

const titleLengthMax = 4096

const titleOf = (record: Buffer, encoding: string, field: (position: number) => number | undefined): string => {
  const [start = 0, length = 0] = [field(84), field(88)]
  if (start + length > record.length || length > titleLengthMax) return ''
  return new TextDecoder(encoding).decode(record.subarray(start, start + length))
}

const exthOf = (record: Buffer, position: number): Buffer => {
  if (!startsWith(record, 'EXTH', position)) return Buffer.alloc(0)
  return slice(record, position, Math.min(u32(record, position + 4), record.length - position))
}
