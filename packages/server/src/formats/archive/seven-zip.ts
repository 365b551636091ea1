import { crc32 } from 'node:zlib'
import { BookFault } from '../book-format.ts'
import { bookLimits } from '../limits.ts'
import type { ByteSource } from './byte-source.ts'
import { runPaths, runSevenZip, type WrittenFile } from './seven-zip-program.ts'

export interface SevenZipMember {
  readonly name: string
  readonly size: number
  readonly crc32: number | undefined
  readonly isFolder: boolean
  /** The member may also be a device or a pipe. */
  readonly isLink: boolean
  readonly isEncrypted: boolean
  /** Members of one block can only be unpacked one after the other. */
  readonly block: string
  readonly dictionaryBytes: number
}

/** An unpacker holds this much of what it has unpacked already. */
export const largestDictionary = 256 * 1024 * 1024

const signature = Buffer.from('377abcaf271c', 'hex')
const startHeader = 32

export const isSevenZip = (head: Buffer): boolean => head.subarray(0, signature.length).equals(signature)

/** It lists the members of a 7z archive, in its order. */
export const listSevenZip = async (source: ByteSource): Promise<readonly SevenZipMember[]> => {
  assertHeaderWithinLimits(source)
  const members: SevenZipMember[] = []
  const output: string[] = []
  let fields = new Map<string, string>()
  let isListing = false
  const endMember = (): void => {
    if (fields.size > 0) members.push(memberFrom(fields))
    if (members.length > bookLimits.entries) {
      throw new BookFault('limit', `The archive has more than ${bookLimits.entries} entries`)
    }
    fields = new Map()
  }
  const line = (text: string): void => {
    if (!isListing && output.length < 100) output.push(text)
    if (text.startsWith('----------')) isListing = true
    else if (isListing && text === '') endMember()
    else if (isListing) keepField(fields, text)
  }
  const code = await runSevenZip({ source, line, args: ['l', '-t7z', '-slt', '-bd', runPaths.archive] })
  endMember()
  if (code !== 0) throw faultFrom(output)
  return members
}

/** The directory stands at the end, at a place and of a size that the beginning tells. */
const assertHeaderWithinLimits = (source: ByteSource): void => {
  const start = source.read(0, startHeader)
  if (start.length < startHeader || !isSevenZip(start)) throw new BookFault('damaged', 'The archive has no beginning')
  const end = BigInt(startHeader) + start.readBigUInt64LE(12) + start.readBigUInt64LE(20)
  if (end > BigInt(source.size)) throw new BookFault('damaged', 'The archive breaks off before its list')
  if (start.readBigUInt64LE(20) > BigInt(bookLimits.directoryBytes)) {
    throw new BookFault('limit', 'The list of the archive is too large')
  }
}

/** `Name = value`; in names it writes `_` for what would end the line. */
const keepField = (fields: Map<string, string>, line: string): void => {
  const position = line.indexOf(' = ')
  if (position === -1) return
  const key = line.slice(0, position)
  if (!fields.has(key)) fields.set(key, line.slice(position + 3))
}

const memberFrom = (fields: ReadonlyMap<string, string>): SevenZipMember => {
  const name = fields.get('Path') ?? ''
  if (Buffer.byteLength(name) > bookLimits.nameBytes) {
    throw new BookFault('limit', `A name in the archive is longer than ${bookLimits.nameBytes} bytes`)
  }
  const [letters = '', mode = ''] = (fields.get('Attributes') ?? '').split(' ')
  const checksum = fields.get('CRC') ?? ''
  const isFolder = letters.includes('D') || mode.startsWith('d')
  return {
    name,
    size: Number(fields.get('Size') ?? 0),
    crc32: checksum === '' ? undefined : Number.parseInt(checksum, 16),
    isFolder,
    isLink: !isFolder && (letters.includes('L') || (mode !== '' && !mode.startsWith('-'))),
    isEncrypted: fields.get('Encrypted') === '+',
    block: fields.get('Block') ?? '',
    dictionaryBytes: dictionaryFrom(fields.get('Method') ?? ''),
  }
}

const units: Readonly<Record<string, number>> = { b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 }

/** `LZMA2:24` is 2 to the 24th, `LZMA:192m` what it says, `PPMD:o32:mem30` a memory of 2 to the 30th. */
const dictionaryFrom = (method: string): number => {
  const sizes = [...method.matchAll(/(?:LZMA2?:|:mem)(\d+)([bkmg]?)/g)].map(([, number, unit = '']) =>
    unit === '' ? 2 ** Number(number) : Number(number) * (units[unit] ?? 1),
  )
  return Math.max(0, ...sizes)
}

/** It says what is to be unpacked from an archive. */
export interface Unpacking {
  readonly source: ByteSource
  readonly type: '7z' | 'rar' | 'rar5'
  /** The members come in the order of the archive. Everything else that the program writes is dropped. */
  readonly expected: readonly ExpectedMember[]
  /** It is the size of everything in the archive, as the archive states it. */
  readonly totalBytes: number
  /** Only the member with this name is unpacked. */
  readonly name?: string
}

interface ExpectedMember {
  readonly size: number
  readonly crc32: number | undefined
}

/** It takes the bytes of one member. */
export interface MemberReceiver {
  write(chunk: Uint8Array): void
  /** The index is that of the expected member; undefined when it was none, or when its checksum was wrong. */
  end(index: number | undefined): void
}

/**
 * It unpacks an archive. A member is recognised by its size and checksum, not by its name: so no name reaches any disk,
 * and only correct members are kept. The receiver finds out what did not come; when nothing came at all, the reason is
 * thrown.
 */
export const unpack = async (unpacking: Unpacking, receive: () => MemberReceiver): Promise<void> => {
  const output: string[] = []
  const match = memberMatcher(unpacking.expected)
  let total = 0
  let correct = 0
  const newFile = (): WrittenFile => {
    const receiver = receive()
    let size = 0
    let checksum = 0
    let isOpen = true
    return {
      write: (chunk, position) => {
        if (position !== size) throw new BookFault('damaged', 'The archive unpacks out of order')
        size += chunk.length
        total += chunk.length
        assertOutputWithin(total, unpacking.totalBytes)
        checksum = crc32(chunk, checksum)
        if (size <= bookLimits.entryBytes) receiver.write(chunk)
      },
      close: () => {
        if (!isOpen) return
        isOpen = false
        const index = size > bookLimits.entryBytes ? undefined : match(size, checksum)
        if (index !== undefined) correct += 1
        receiver.end(index)
      },
    }
  }
  const line = (text: string): void => {
    if (output.length < 100) output.push(text)
  }
  await runSevenZip({ source: unpacking.source, args: unpackArgs(unpacking), line, newFile })
  if (correct === 0 && unpacking.expected.length > 0) throw faultFrom(output)
}

const unpackArgs = ({ type, name }: Unpacking): string[] => {
  const one = name === undefined ? [] : ['-spd', '-ssc', `-i!${name}`]
  return ['e', `-t${type}`, '-y', '-bd', '-aou', `-o${runPaths.output}`, ...one, runPaths.archive]
}

const assertOutputWithin = (total: number, declared: number): void => {
  if (total > bookLimits.bookBytes) throw new BookFault('limit', 'The archive unpacks to more than a book may have')
  if (total > declared) throw new BookFault('damaged', 'The archive unpacks to more than it says')
}

/** Members come in order; those that were left out or came out wrong are skipped. */
const memberMatcher = (expected: readonly ExpectedMember[]) => {
  let from = 0
  return (size: number, checksum: number): number | undefined => {
    for (let position = from; position < expected.length; position += 1) {
      const member = expected[position]
      if (member?.size !== size || (member.crc32 ?? checksum) !== checksum) continue
      from = position + 1
      return position
    }
    return undefined
  }
}

const faultFrom = (output: readonly string[]): BookFault => {
  const text = output.join('\n')
  if (/password|encrypted (?:archive|file)/i.test(text))
    return new BookFault('encrypted', 'The archive is protected by a password')
  if (/unsupported method/i.test(text)) {
    return new BookFault('unsupported', 'The archive is packed in a way that cannot be unpacked')
  }
  if (/allocate|memory/i.test(text)) return new BookFault('limit', 'The archive needs too much memory to unpack')
  return new BookFault('damaged', 'The archive cannot be unpacked')
}
