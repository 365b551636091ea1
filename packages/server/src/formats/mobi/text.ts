import { BookFault } from '../book-format.ts'
import { bookLimits } from '../limits.ts'
import type { MobiHeader } from './header.ts'
import { huffmanUnpacker } from './huffman.ts'
import type { PalmDatabase } from './palm-database.ts'
import { unpackPalmDoc } from './palmdoc.ts'

/** Usually 4,096, and never much more. */
const recordBytesMax = 128 * 1024

/** The text of a book as a whole, unpacked: what numbers of bytes in it speak of. */
export const readText = (database: PalmDatabase, first: number, header: MobiHeader): Buffer => {
  if (header.textRecords === 0) throw new BookFault('empty', 'The book has no text')
  const unpack = unpackerOf(database, first, header)
  const parts: Buffer[] = []
  let length = 0
  for (let index = 1; index <= header.textRecords; index += 1) {
    const record = database.read(first + index)
    if (record.length > recordBytesMax)
      throw new BookFault('damaged', `A record of the text has more than ${recordBytesMax} bytes`)
    const part = unpack(withoutTrailing(record, header.trailing))
    length += part.length
    if (length > bookLimits.textBytes)
      throw new BookFault('limit', `The text has more than ${bookLimits.textBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts, length)
}

const huffman = 17_480

const unpackerOf = (database: PalmDatabase, first: number, header: MobiHeader): ((packed: Buffer) => Buffer) => {
  switch (header.compression) {
    case 1:
      return (text) => text
    case 2:
      return unpackPalmDoc
    case huffman: {
      if (header.huffman === undefined) throw new BookFault('damaged', 'The dictionary of the text is missing')
      const { first: table, count } = header.huffman
      const records = Array.from({ length: Math.min(count, database.count) }, (_, index) =>
        database.read(first + table + index),
      )
      const [codes, ...dictionaries] = records
      if (codes === undefined) throw new BookFault('damaged', 'The dictionary of the text is missing')
      return huffmanUnpacker(codes, dictionaries)
    }
    default:
      throw new BookFault('unsupported', 'The text is compressed in a way nobody knows')
  }
}

/**
 * Data may follow the text of a record that only the program which made it reads: for each bit but the lowest an entry
 * that ends with its own length, written backwards; for the lowest the rest of a character that begins in the record.
 */
const withoutTrailing = (record: Buffer, kinds: number): Buffer => {
  let end = record.length
  for (let kind = kinds >> 1; kind !== 0; kind >>= 1) {
    if ((kind & 1) === 1) end -= Math.min(end, lengthBefore(record, end))
  }
  if ((kinds & 1) === 1 && end > 0) end -= Math.min(end, ((record[end - 1] ?? 0) & 3) + 1)
  return record.subarray(0, end)
}

const lengthBefore = (record: Buffer, end: number): number => {
  let length = 0
  for (let position = Math.max(0, end - 4); position < end; position += 1) {
    const byte = record[position] ?? 0
    if ((byte & 0x80) !== 0) length = 0
    length = (length << 7) | (byte & 0x7f)
  }
  return length
}
