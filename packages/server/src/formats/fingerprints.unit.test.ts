import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoryFile, zip, type ZipMember } from '../../test/books/zip.ts'
import { readZipDirectory } from './archive/zip.ts'
import { directoryFingerprint, fileFingerprint, koreaderFingerprint, memberFingerprints } from './fingerprints.ts'

const printsOf = (members: readonly ZipMember[]) =>
  memberFingerprints(readZipDirectory(memoryFile(zip(members))).entries.filter(({ isFolder }) => !isFolder))

const page = (name: string, content: string, method: 'stored' | 'deflated' = 'stored'): ZipMember => ({
  name,
  bytes: Buffer.from(content.repeat(50)),
  method,
})

const book = [
  page('a/1.jpg', 'one'),
  page('a/2.jpg', 'two'),
  page('a/3.jpg', 'two'),
  page('ComicInfo.xml', '<ComicInfo/>'),
]

test('the same pictures are known again however they are packed, named, ordered and described', () => {
  const again = [
    { name: 'folder/' },
    page('page 3.png', 'one', 'deflated'),
    page('x/page 1.jpg', 'two', 'deflated'),
    page('page 2.jpg', 'two'),
    page('ComicInfo.xml', '<ComicInfo><Title>other</Title></ComicInfo>'),
    page('__MACOSX/._1.jpg', 'left behind'),
  ]
  const [first, second] = [printsOf(book), printsOf(again)]

  expect(second.pages).toBe(first.pages)
  expect(second.content).not.toBe(first.content)
  expect(first.pages).toMatch(/^[0-9a-f]{32}$/)
  expect(first.content).toMatch(/^[0-9a-f]{32}$/)
})

test('the same members have the same content, however packed and in any order; junk does not count', () => {
  const again = [...book.map((each) => ({ ...each, method: 'deflated' as const })).toReversed(), page('.DS_Store', 'x')]

  expect(printsOf(again).content).toBe(printsOf(book).content)
})

test('another picture, one more, one less or one twice is another book', () => {
  const others = [
    book.with(0, page('a/1.jpg', 'other')),
    [...book, page('a/4.jpg', 'four')],
    book.slice(1),
    book.toSpliced(2, 1),
    [...book, page('a/4.jpg', 'one')],
  ].map(printsOf)
  const all = [printsOf(book), ...others]

  expect(new Set(all.map(({ pages }) => pages)).size).toBe(all.length)
  expect(new Set(all.map(({ content }) => content)).size).toBe(all.length)
})

test('without pictures there is nothing that tells pages apart', () => {
  // Otherwise all books without pictures would be the same book.
  expect(printsOf([page('note.txt', 'x')])).toEqual({ content: printsOf([page('note.txt', 'x')]).content })
})

test('a changed byte at either end, or another size, is another file', () => {
  for (const size of [10, 65_536, 65_537, 100_000, 1_000_000]) {
    const bytes = Buffer.alloc(size, 'library')
    const changedAt = (position: number) =>
      Buffer.concat([bytes.subarray(0, position), Buffer.from([0]), bytes.subarray(position + 1)])
    const files = [bytes, changedAt(0), changedAt(size - 1), Buffer.alloc(size + 1, 'library')]
    expect(new Set(files.map((each) => fileFingerprint(memoryFile(each)))).size).toBe(files.length)
    expect(new Set(files.map((each) => directoryFingerprint(memoryFile(each), bytes))).size).toBe(2)
  }
  const large = memoryFile(Buffer.alloc(20_000_000))
  fileFingerprint(large)
  expect(large.counted.bytes).toBe(2 * 65_536 + 6 * 4096)
})

test("KOReader's partial MD5 is over 1,024 bytes at 0, 1 KiB, 4 KiB and so on", () => {
  const expected = (bytes: Buffer): string => {
    const md5 = createHash('md5')
    for (const offset of [0, 1024, 4096, 16_384, 65_536, 262_144]) md5.update(bytes.subarray(offset, offset + 1024))
    return md5.digest('hex')
  }
  const size = fc.oneof(fc.nat(70_000), fc.constantFrom(0, 1, 1024, 1025, 2048, 4096, 4097, 5000, 300_000))

  fc.assert(
    fc.property(size, (length) => {
      const bytes = Buffer.from(Array.from({ length }, (_, index) => (index * 7) >> 3))
      expect(koreaderFingerprint(memoryFile(bytes))).toBe(expected(bytes))
    }),
    { numRuns: 50 },
  )
  expect(koreaderFingerprint(memoryFile(Buffer.alloc(0)))).toBe('d41d8cd98f00b204e9800998ecf8427e')
})

test('the last of the samples of KOReader is at 1 GiB', () => {
  const reads: number[] = []
  koreaderFingerprint({
    size: 2 ** 40,
    read: (position) => {
      reads.push(position)
      return Buffer.alloc(1024)
    },
  })

  expect(reads).toEqual([
    0, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864, 268435456, 1073741824,
  ])
})
