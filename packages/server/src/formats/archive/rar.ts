import { BookFault, type Fault } from '../book-format.ts'
import { bookLimits } from '../limits.ts'
import type { ByteSource } from './byte-source.ts'
import type { RarBlock, RarEntry, ReadRarBlock } from './rar-entry.ts'
import { rar4Signature, readRar4Block } from './rar4.ts'
import { rar5Signature, readRar5Block } from './rar5.ts'

export type { RarEntry } from './rar-entry.ts'

export interface RarArchive {
  readonly generation: 4 | 5
  readonly isSolid: boolean
  readonly entries: readonly RarEntry[]
  /** They say why the archive may hold more than `entries`. */
  readonly warnings: readonly Fault[]
  /** Signature and main header: what every part of it begins with. */
  readonly beginning: Range
}

interface Range {
  readonly offset: number
  readonly size: number
}

/** A program that unpacks itself has its archive somewhere in its first mebibyte. */
const programPrefix = 1024 * 1024

/** It finds the beginning of a RAR archive; undefined when this is none. */
export const findRar = (source: ByteSource, head: Buffer): number | undefined => {
  if (signatureAt(head, 0)) return 0
  if (!isProgram(head)) return undefined
  const start = source.read(0, programPrefix)
  // The part both signatures share.
  const mark = rar4Signature.subarray(0, 6)
  for (let position = start.indexOf(mark); position !== -1; position = start.indexOf(mark, position + 1)) {
    if (signatureAt(start, position) && readMain(source, position)) return position
  }
  return undefined
}

const isProgram = (head: Buffer): boolean =>
  head.subarray(0, 2).toString('latin1') === 'MZ' || head.subarray(0, 4).toString('latin1') === '\u007fELF'

const signatureAt = (bytes: Buffer, position: number): Generation | undefined =>
  generations.find(({ signature }) => bytes.subarray(position, position + signature.length).equals(signature))

interface Generation {
  readonly generation: 4 | 5
  readonly signature: Buffer
  readonly readBlock: ReadRarBlock
  /** It ends an archive that has nothing more to say. */
  readonly end: Buffer
}

const generations: readonly Generation[] = [
  { generation: 4, signature: rar4Signature, readBlock: readRar4Block, end: Buffer.from('c43d7b00400700', 'hex') },
  { generation: 5, signature: rar5Signature, readBlock: readRar5Block, end: Buffer.from('1d77565103050400', 'hex') },
]

/** Signature and main header are what makes bytes in the middle of a program an archive. */
const readMain = (source: ByteSource, offset: number): boolean => {
  const generation = signatureAt(source.read(offset, 8), 0)
  try {
    return generation?.readBlock(source, offset + generation.signature.length)?.kind === 'main'
  } catch (error) {
    // One with a password or in parts is one too.
    return error instanceof BookFault
  }
}

/** The list of what is in the archive that begins there. Reads headers only: each once, and each after the one before. */
export const readRar = (source: ByteSource, offset: number): RarArchive => {
  const generation = signatureAt(source.read(offset, 8), 0)
  const first = generation?.readBlock(source, offset + generation.signature.length)
  if (!generation || !first?.main) throw new BookFault('damaged', 'The archive has no readable beginning')
  const entries: RarEntry[] = []
  const isWhole = walk(source, generation, first, (entry) => entries.push(entry))
  if (entries.length === 0 && !isWhole) throw new BookFault('damaged', 'The archive breaks off before its first file')
  return {
    generation: generation.generation,
    isSolid: first.main.isSolid || entries.some((entry) => entry.isSolid),
    entries,
    warnings: isWhole ? [] : [{ code: 'damaged', message: 'The archive breaks off; what comes before can be read' }],
    beginning: { offset, size: after(first) - offset },
  }
}

const after = (block: RarBlock): number => block.offset + block.headerSize + block.dataSize

/** False when it came upon what is no block, or on one that goes on past the end. */
const walk = (
  source: ByteSource,
  { readBlock }: Generation,
  first: RarBlock,
  onEntry: (entry: RarEntry) => void,
): boolean => {
  const counts = { blocks: 0, entries: 0, headerBytes: 0 }
  let position = after(first)
  while (position < source.size) {
    const block = readBlock(source, position)
    if (!block || after(block) > source.size) return false
    if (block.kind === 'end') return true
    counts.blocks += 1
    counts.headerBytes += block.headerSize
    if (block.entry) counts.entries += 1
    assertWithinLimits(counts)
    if (block.entry) onEntry(block.entry)
    position = after(block)
  }
  return position === source.size
}

const assertWithinLimits = (counts: { blocks: number; entries: number; headerBytes: number }): void => {
  // Besides its files an archive has a few blocks about itself, and at most some about each file.
  if (counts.entries > bookLimits.entries || counts.blocks > 4 * bookLimits.entries) {
    throw new BookFault('limit', `The archive has more than ${bookLimits.entries} entries`)
  }
  if (counts.headerBytes > bookLimits.directoryBytes) {
    throw new BookFault('limit', 'The list of the archive is too large')
  }
}

/** It returns which members an unpacker must be given for these: where one depends on another, all that come before. */
export const neededToUnpack = (archive: RarArchive, entries: readonly RarEntry[]): readonly RarEntry[] => {
  const last = entries.at(-1)
  if (!archive.isSolid || last === undefined) return entries
  const before = archive.entries.slice(0, archive.entries.indexOf(last) + 1)
  // A link has nothing to unpack, unless it was packed like a file.
  return before.filter(({ isFolder, isLink, isStored }) => !isFolder && (!isLink || !isStored))
}

/** An archive with only these entries, put together from parts of the file as it is read: what an unpacker is shown. */
export const partOfRar = (source: ByteSource, archive: RarArchive, entries: readonly RarEntry[]): ByteSource => {
  const end = generations.find(({ generation }) => generation === archive.generation)?.end ?? Buffer.alloc(0)
  const parts = [
    { ...archive.beginning, start: 0 },
    ...entries.map((entry) => ({
      offset: entry.headerOffset,
      size: entry.dataOffset - entry.headerOffset + entry.packedSize,
      start: 0,
    })),
  ]
  let size = 0
  for (const part of parts) {
    part.start = size
    size += part.size
  }
  const total = size + end.length
  const readPart = (position: number, length: number): Buffer => {
    if (position >= size) return end.subarray(position - size, position - size + length)
    const part = parts.findLast(({ start }) => start <= position)
    if (!part) return Buffer.alloc(0)
    const within = position - part.start
    return source.read(part.offset + within, Math.min(length, part.size - within))
  }
  return { size: total, read: (position, length) => gather(readPart, position, Math.min(length, total - position)) }
}

const gather = (read: (position: number, length: number) => Buffer, position: number, length: number): Buffer => {
  const pieces: Buffer[] = []
  let done = 0
  while (done < length) {
    const piece = read(position + done, length - done)
    if (piece.length === 0) break
    pieces.push(piece)
    done += piece.length
  }
  const [first] = pieces
  return pieces.length === 1 && first ? first : Buffer.concat(pieces)
}
