import { BookFault } from './book-format.ts'
import { textLimits } from './limits.ts'
import { childrenNamed, child, parseXml, textOf, type XmlElement } from './xml.ts'

/** A book as a list of another program calls it. */
export interface ListedEntry {
  readonly series: string
  readonly number: string | null
  readonly volume: string | null
  readonly year: string | null
}

export interface ListFile {
  readonly name: string | null
  readonly entries: readonly ListedEntry[]
}

export interface ListLimits {
  readonly bytes: number
  readonly entries: number
}

/** Elements of one entry: itself, and ids of the program that wrote it. */
const nodesPerEntry = 12
const depth = 16
const wordMax = 32

/** It reads a `.cbl` file. It throws a `BookFault`. */
export const readListFile = (bytes: Buffer, limits: ListLimits): ListFile => {
  const root = parseXml(bytes, { bytes: limits.bytes, nodes: 100 + limits.entries * nodesPerEntry, depth })
  if (root.name.toLowerCase() !== 'readinglist') throw new BookFault('damaged', 'The XML is no reading list')
  const books = child(root, 'Books')
  const written = books ? childrenNamed(books, 'Book') : []
  if (written.length > limits.entries) throw new BookFault('limit', `The list has more than ${limits.entries} entries`)
  const entries = written.map(entryOf).filter(({ series }) => series !== '')
  if (entries.length === 0) throw new BookFault('empty', 'The list names no books')
  return { name: textOf(root, 'Name')?.slice(0, textLimits.name) ?? null, entries }
}

const entryOf = ({ attributes }: XmlElement): ListedEntry => ({
  series: clean(attributes['Series'], textLimits.title) ?? '',
  number: clean(attributes['Number'], wordMax),
  volume: clean(attributes['Volume'], wordMax),
  year: clean(attributes['Year'], wordMax),
})

const clean = (text: string | undefined, max: number): string | null =>
  text?.replace(/\s+/g, ' ').trim().slice(0, max).toWellFormed() || null
