import { BookFault } from '../book-format.ts'
import { bookLimits } from '../limits.ts'
import { readNumber, slice, startsWith, u16, u32, u8 } from './bytes.ts'
import type { PalmDatabase } from './palm-database.ts'

/** An entry of one of the tables a book keeps: what it is called, and numbers under the numbers of their meanings. */
export interface IndexEntry {
  readonly name: string
  values(tag: number): readonly number[]
}

export interface IndexTable {
  readonly entries: readonly IndexEntry[]
  /** The words a number of an entry stands for. */
  words(position: number): Buffer | undefined
}

/** They have some dozen. */
const entryBytesMax = 1024
const tagsMax = 64
const wordsPerRecord = 0x10000
/** The table has no more records: each has some thousand entries. */
const recordsMax = 2000

/** A table at a record: its description, then records of entries, then records of words. It throws a `BookFault`. */
export const readIndexTable = (database: PalmDatabase, position: number): IndexTable => {
  const head = indexRecord(database, position)
  const layout = readLayout(head)
  const [recordCount, wordCount] = [u32(head, 24), u32(head, 52)]
  if (recordCount > recordsMax || wordCount > recordsMax)
    throw new BookFault('limit', `A table of the book has more than ${recordsMax} records`)
  const entries: IndexEntry[] = []
  for (let index = 1; index <= recordCount; index += 1) {
    readEntries(indexRecord(database, position + index), layout, entries)
  }
  const wordRecords = new Map<number, Buffer>()
  return {
    entries,
    words: (number) => {
      const index = Math.floor(number / wordsPerRecord)
      if (index >= wordCount) return undefined
      const record = wordRecords.get(index) ?? database.read(position + recordCount + 1 + index)
      wordRecords.set(index, record)
      const { value, next } = readNumber(record, number % wordsPerRecord)
      return slice(record, next, value)
    },
  }
}

const indexRecord = (database: PalmDatabase, position: number): Buffer => {
  const record = database.read(position)
  if (!startsWith(record, 'INDX')) throw new BookFault('damaged', 'A table of the book is something else')
  return record
}

interface TagLayout {
  readonly tag: number
  readonly perValue: number
  readonly mask: number
  readonly endsByte: boolean
}

interface Layout {
  readonly controlBytes: number
  readonly tags: readonly TagLayout[]
}

const readLayout = (head: Buffer): Layout => {
  const start = u32(head, 4)
  if (!startsWith(head, 'TAGX', start)) throw new BookFault('damaged', 'A table of the book does not say what it holds')
  const tags: TagLayout[] = []
  const end = start + Math.min(u32(head, start + 4), 12 + 4 * tagsMax)
  for (let position = start + 12; position + 4 <= end; position += 4) {
    const [tag, perValue, mask, ending] = slice(head, position, 4)
    tags.push({ tag: tag ?? 0, perValue: perValue ?? 0, mask: mask ?? 0, endsByte: ending === 1 })
  }
  return { controlBytes: u32(head, start + 8), tags }
}

const readEntries = (record: Buffer, layout: Layout, into: IndexEntry[]): void => {
  const [table, count] = [u32(record, 20), u32(record, 24)]
  if (into.length + count > bookLimits.anchors)
    throw new BookFault('limit', `A table of the book has more than ${bookLimits.anchors} entries`)
  for (let index = 0; index < count; index += 1) {
    const start = u16(record, table + 4 + 2 * index)
    const end = index + 1 < count ? u16(record, table + 6 + 2 * index) : table
    into.push(readEntry(slice(record, start, end - start).subarray(0, entryBytesMax), layout))
  }
}

const readEntry = (bytes: Buffer, layout: Layout): IndexEntry => {
  const length = u8(bytes, 0)
  const values = readValues(bytes, 1 + length, layout)
  return { name: slice(bytes, 1, length).toString('latin1'), values: (tag) => values.get(tag) ?? [] }
}

/** First come the tags that are present and how often, then all their values. */
const readValues = (
  bytes: Buffer,
  start: number,
  { controlBytes, tags }: Layout,
): ReadonlyMap<number, readonly number[]> => {
  let control = start
  let position = start + controlBytes
  const counted: { readonly tag: number; readonly count: number | undefined; readonly byteLength: number }[] = []
  for (const { tag, perValue, mask, endsByte } of tags) {
    if (endsByte) {
      control += 1
      continue
    }
    const stated = u8(bytes, control) & mask
    if (stated === 0) continue
    if (stated === mask && hasSeveralBits(mask)) {
      const { value, next } = readNumber(bytes, position)
      counted.push({ tag, count: undefined, byteLength: value })
      position = next
    } else counted.push({ tag, count: shifted(stated, mask) * perValue, byteLength: 0 })
  }
  const values = new Map<number, readonly number[]>()
  for (const { tag, count, byteLength } of counted) {
    const read: number[] = []
    const end = position + byteLength
    while (count === undefined ? position < end : read.length < count) {
      const { value, next } = readNumber(bytes, position)
      read.push(value)
      position = next
    }
    values.set(tag, read)
  }
  return values
}

const hasSeveralBits = (mask: number): boolean => (mask & (mask - 1)) !== 0

const shifted = (value: number, mask: number): number => value / (mask & -mask)
