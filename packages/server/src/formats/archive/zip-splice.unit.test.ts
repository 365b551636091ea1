import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromBuffer, type Entry, type ZipFile as OracleFile } from 'yauzl'
import { memoryFile, zip, type ZipMember } from '../../../test/books/zip.ts'
import { sizeOfPieces, spliceZip } from './zip-splice.ts'
import { readZipDirectory, readZipEntry, type ZipEntry } from './zip.ts'

const added = {
  name: 'ComicInfo.xml',
  bytes: Buffer.from('<ComicInfo/>'),
  modifiedAt: new Date('2026-11-24T10:00:00Z'),
}
const isOld = ({ name }: ZipEntry): boolean => /(?:^|\/)comicinfo\.xml$/i.test(name)

const splice = (bytes: Buffer) => {
  const file = memoryFile(bytes)
  const directory = readZipDirectory(file)
  const before = file.counted.bytes
  const pieces = spliceZip(directory, new Set(directory.members.filter(isOld)), added)
  const made = Buffer.concat(
    pieces.map((piece) => ('bytes' in piece ? piece.bytes : bytes.subarray(piece.from, piece.to))),
  )
  expect(file.counted.bytes).toBe(before)
  expect(sizeOfPieces(pieces)).toBe(made.length)
  return { made, directory }
}

/** What another reader finds: of each member its bytes as they are packed, so that nothing was packed anew. */
const packedIn = async (bytes: Buffer) => {
  const open = promisify<Buffer, { lazyEntries: boolean; decodeStrings: boolean }, OracleFile>(fromBuffer)
  const file = await open(bytes, { lazyEntries: true, decodeStrings: false })
  const found: { name: string; flags: number; method: number; crc32: number; size: number; packed: Buffer }[] = []
  const openRaw = (entry: Entry): Promise<Readable> =>
    new Promise((resolve, reject) => {
      const plain = {
        ...(entry.compressionMethod === 8 && { decompress: false }),
        ...(entry.isEncrypted() && { decrypt: false }),
      }
      file.openReadStream(entry, plain as never, (error, stream) => (error ? reject(error) : resolve(stream)))
    })
  const take = async (entry: Entry): Promise<void> => {
    const { fileName, generalPurposeBitFlag: flags, compressionMethod: method, crc32, uncompressedSize: size } = entry
    found.push({
      name: (fileName as unknown as Buffer).toString(),
      flags,
      method,
      crc32,
      size,
      packed: await buffer(await openRaw(entry)),
    })
    file.readEntry()
  }
  file.on('entry', (entry: Entry) => void take(entry))
  file.readEntry()
  await once(file, 'end')
  return { found, comment: file.comment as unknown as Buffer }
}

const member = fc.record({
  name: fc.constantFrom(
    '1.jpg',
    '2.jpg',
    'pages/3.jpg',
    'ComicInfo.xml',
    'comicinfo.XML',
    'b/ComicInfo.xml',
    'é.png',
    'notes',
  ),
  bytes: fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes)),
  method: fc.constantFrom('stored' as const, 'deflated' as const),
  isZip64: fc.boolean(),
  hasDescriptor: fc.boolean(),
})
const options = fc.record({
  comment: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  isZip64: fc.boolean(),
  isBackwards: fc.boolean(),
})

test('C26 a ZIP gets its new member, and all others are in it as they were packed', async () => {
  const members = fc.uniqueArray(member, { maxLength: 8, selector: ({ name }) => name })
  await fc.assert(
    fc.asyncProperty(members, options, async (list, more) => {
      const bytes = zip(list, more)
      const { made } = splice(bytes)
      const [before, after] = [await packedIn(bytes), await packedIn(made)]
      const remaining = before.found.filter(({ name }) => !/comicinfo\.xml$/i.test(name))
      expect(after.found.slice(0, -1)).toEqual(remaining)
      expect(after.found.at(-1)).toMatchObject({ name: 'ComicInfo.xml', method: 0, packed: added.bytes })
      expect(after.comment).toEqual(before.comment)
    }),
  )
})

test('C26 what stands before a ZIP stays there, whether its numbers count it or not', () => {
  for (const countsPrefix of [true, false]) {
    const prefix = Buffer.from('#!/bin/sh a program that unpacks itself')
    const { made } = splice(
      zip(
        [
          { name: 'comicinfo.xml', bytes: Buffer.alloc(50, 1) },
          { name: '1.jpg', bytes: Buffer.from('page') },
        ],
        { prefix, countsPrefix },
      ),
    )
    const file = memoryFile(made)
    const { entries } = readZipDirectory(file)
    expect(made.subarray(0, prefix.length)).toEqual(prefix)
    expect(entries.map((entry) => [entry.name, readZipEntry(file, entry, { bytesMax: 1000 }).toString()])).toEqual([
      ['1.jpg', 'page'],
      ['ComicInfo.xml', '<ComicInfo/>'],
    ])
  }
})

test('C26 members that nobody here can open are sent on, encrypted and packed in unknown ways', async () => {
  const odd: ZipMember[] = [
    { name: 'ComicInfo.xml', bytes: Buffer.from('old'), flags: 1 },
    { name: '1.jpg', bytes: Buffer.from('secret'), method: 'stored', flags: 1 },
    { name: '2.jpg', bytes: Buffer.from('packed by a stranger'), method: 93 },
    { name: '../3.jpg', bytes: Buffer.from('leads out') },
    { name: 'link.jpg', bytes: Buffer.from('1.jpg'), mode: 0o120_777 },
    { name: '4.jpg', bytes: Buffer.from('first') },
    { name: '4.jpg', bytes: Buffer.from('second') },
  ]
  const bytes = zip(odd)
  const { made, directory } = splice(bytes)
  const after = readZipDirectory(memoryFile(made)).members
  const dataOf = (from: Buffer, { headerOffset, boundary }: ZipEntry) => from.subarray(headerOffset, boundary)
  expect(after.slice(0, -1).map((entry) => dataOf(made, entry))).toEqual(
    directory.members.slice(1).map((entry) => dataOf(bytes, entry)),
  )
  expect(after.at(-1)?.name).toBe('ComicInfo.xml')
})

/** Far larger than memory: only its end is there, and nothing before it says anything. */
test('C26 beyond four gigabytes the numbers stay long', () => {
  const far = 5 * 1024 ** 3
  const small = zip(
    [
      { name: '1.jpg', bytes: Buffer.from('one'), isZip64: true },
      { name: '2.jpg', bytes: Buffer.from('two'), isZip64: true },
    ],
    { isZip64: true },
  )
  const file = {
    size: far + small.length,
    read: (position: number, length: number) => {
      const bytes = Buffer.alloc(Math.min(length, far + small.length - position))
      small.copy(bytes, Math.max(0, far - position), Math.max(0, position - far))
      return bytes
    },
  }
  const directory = readZipDirectory(file)
  const counted = { ...directory, shift: 0, bytes: withOffsetsFrom(directory.bytes, far) }
  const pieces = spliceZip(counted, new Set(directory.members.slice(0, 1)), added)
  const [before, , last] = pieces
  expect(before).toEqual({ from: 0, to: far })
  const end = last && 'bytes' in last ? Buffer.from(last.bytes) : Buffer.alloc(0)
  const moved = directory.members[1]?.headerOffset ?? 0
  const removed = (directory.members[0]?.boundary ?? 0) - (directory.members[0]?.headerOffset ?? 0)
  const records = end.indexOf(Buffer.from('504b0102', 'hex'))
  expect(end.readUInt32LE(records + 42)).toBe(0xffffffff)
  expect(end.readBigUInt64LE(records + 46 + 5 + 4 + 16)).toBe(BigInt(moved - removed))
  const second = end.indexOf(Buffer.from('504b0102', 'hex'), records + 4)
  expect(end.readUInt32LE(second + 42)).toBe(0xffffffff)
  expect(end.readBigUInt64LE(second + 46 + added.name.length + 4)).toBe(
    BigInt(far + small.indexOf(Buffer.from('504b0102', 'hex')) - removed),
  )
  const long = end.indexOf(Buffer.from('504b0606', 'hex'))
  expect(end.readBigUInt64LE(long + 48)).toBe(BigInt(sizeOfPieces(pieces) - end.length + records))
})

const withOffsetsFrom = (directory: Buffer, far: number): Buffer => {
  const moved = Buffer.from(directory)
  for (let at = moved.indexOf('PK\u0001\u0002'); at !== -1; at = moved.indexOf('PK\u0001\u0002', at + 4)) {
    const field = at + 46 + moved.readUInt16LE(at + 28) + 4 + 16
    moved.writeBigUInt64LE(moved.readBigUInt64LE(field) + BigInt(far), field)
  }
  return moved
}
