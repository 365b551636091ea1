import { mkdtempSync, rmSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mutants } from '../../test/books/byte-source.ts'
import { fileCandidate } from '../../test/books/candidate.ts'
import { faultOfAsync as faultOf } from '../../test/books/outcome.ts'
import { jpeg } from '../../test/books/pictures.ts'
import { packedRar4Member, rar4Archive, rar5Archive, type RarMember, type RarOptions } from '../../test/books/rar.ts'
import { sevenZipArchive } from '../../test/books/seven-zip.ts'
import { tarArchive } from '../../test/books/tar.ts'
import { testUnpackCache, type TestUnpackCache } from '../../test/books/unpack-cache.ts'
import { zip } from '../../test/books/zip.ts'
import type { BookFormat, Candidate, OpenBook } from './book-format.ts'
import { cb7 } from './cb7.ts'
import { cbr } from './cbr.ts'
import { cbt } from './cbt.ts'
import { cbz } from './cbz.ts'

let cache: TestUnpackCache
let folder: string
const books: OpenBook[] = []
beforeEach(() => {
  cache = testUnpackCache()
  folder = mkdtempSync(join(tmpdir(), 'carrel-books-'))
})
afterEach(() => {
  for (const book of books.splice(0)) book.close()
  cache.remove()
  rmSync(folder, { recursive: true })
})

const candidate = (bytes: Buffer): Candidate => fileCandidate(join(folder, 'wrong.epub'), bytes)

const open = async (format: BookFormat, bytes: Buffer): Promise<OpenBook> => {
  const opened = candidate(bytes)
  writeFileSync(opened.path, bytes)
  const book = await format.open(opened, { cache })
  // It goes on reading the file it opened, whatever stands there later.
  unlinkSync(opened.path)
  books.push(book)
  return book
}

const files = [
  { name: 'Band 1/010.jpg', bytes: jpeg({ width: 120, height: 180, seed: 1 }) },
  { name: 'Band 1/002.jpg', bytes: jpeg({ width: 240, height: 100, seed: 2 }) },
  { name: 'Band 1/1.jpg', bytes: jpeg({ width: 64, height: 96, seed: 3 }) },
  { name: 'Band 1/ComicInfo.xml', bytes: Buffer.from('<ComicInfo><Title>Of it</Title></ComicInfo>') },
  { name: 'Band 1/notes.txt', bytes: Buffer.from('notes') },
]
const inOrder = [files[2], files[1], files[0]].map((file) => file?.bytes ?? Buffer.alloc(0))
const sizes = [
  [64, 96],
  [240, 100],
  [120, 180],
]

interface Case {
  readonly name: string
  readonly format: BookFormat
  readonly make: () => Buffer | Promise<Buffer>
  readonly isStored: boolean
}

const cases: readonly Case[] = [
  { name: 'RAR 4', format: cbr, make: () => rar4Archive(files), isStored: true },
  { name: 'RAR 5', format: cbr, make: () => rar5Archive(files), isStored: true },
  { name: 'RAR 5, solid', format: cbr, make: () => rar5Archive(files, { isSolid: true }), isStored: true },
  { name: 'TAR', format: cbt, make: () => tarArchive(files), isStored: true },
  { name: 'TAR of 7-Zip', format: cbt, make: () => sevenZipArchive(files, { type: 'tar' }), isStored: true },
  { name: '7z', format: cb7, make: () => sevenZipArchive(files), isStored: false },
  { name: '7z, solid', format: cb7, make: () => sevenZipArchive(files, { isSolid: true }), isStored: false },
  { name: '7z, PPMd', format: cb7, make: () => sevenZipArchive(files, { method: 'PPMd' }), isStored: false },
]

for (const { name, format, make, isStored } of cases) {
  test(`LIB-3: ${name}: pages in reading order, with sizes, types and their own bytes`, async () => {
    const bytes = await make()
    const book = await open(format, bytes)
    const pages = await book.pages()

    expect(format.detect(candidate(bytes))).toBe(true)
    expect(pages.map(({ width, height }) => [width, height])).toEqual(sizes)
    expect(pages.map(({ mediaType }) => mediaType)).toEqual(inOrder.map(() => 'image/jpeg'))
    expect(book.warnings).toEqual([])
    for (const [index, expected] of inOrder.entries()) expect((await book.readPage(index + 1)).bytes).toEqual(expected)
    expect((await book.readCover())?.bytes).toEqual(inOrder[0])
  })

  test(`${name}: ${isStored ? 'a page is one read at a place that is told' : 'nothing is said of places'}`, async () => {
    const bytes = await make()
    const pages = await (await open(format, bytes)).pages()
    const locations = pages.map(
      ({ location }) =>
        location && {
          ...location,
          offset: bytes.subarray(location.offset, location.offset + location.storedSize).toString('hex'),
        },
    )

    expect(locations).toEqual(
      inOrder.map((page) =>
        isStored
          ? { offset: page.toString('hex'), storedSize: page.length, method: 'stored', crc32: crc32(page) }
          : undefined,
      ),
    )
    expect(cache.fills).toHaveLength(isStored ? 0 : 1)
  })

  test(`${name}: packed another way it is the same book, and another file`, async () => {
    const zipped = await (await open(cbz, zip(files))).fingerprints()
    const prints = await (await open(format, await make())).fingerprints()

    expect(prints).toEqual({ ...zipped, file: expect.any(String), koreader: expect.any(String) })
    expect(prints.file).not.toBe(zipped.file)
    expect(cache.fills).toEqual([])
  })

  test(`${name}: changed bytes end in a fault or in pages that are right (T-10)`, async () => {
    const bytes = await make()
    const right = new Set(files.map((file) => crc32(file.bytes)))
    for (const mutant of mutants(bytes, isStored ? 300 : 40, 11)) {
      const fault = await faultOf(async () => {
        const book = await open(format, mutant)
        for (const number of (await book.pages()).keys()) {
          const pageFault = await faultOf(async () => {
            // A TAR has nothing by which a changed picture could be detected.
            const { bytes: page } = await book.readPage(number + 1)
            expect(right.has(crc32(page)) || format === cbt).toBe(true)
          })
          expect(['none', 'damaged', 'encrypted', 'unsupported', 'limit']).toContain(pageFault)
        }
        await book.fingerprints()
      })
      expect(['none', 'damaged', 'encrypted', 'unsupported', 'limit', 'empty', 'unknown_format']).toContain(fault)
    }
  })
}

test('a solid book is unpacked once, by numbers, whoever asks, and again only when the cache let go of it', async () => {
  const bytes = await sevenZipArchive(files, { isSolid: true })
  const book = await open(cb7, bytes)
  await book.pages()
  await book.readPage(2)
  const again = await open(cb7, bytes)
  await again.readPage(3)

  expect(cache.fills).toHaveLength(1)
  // Pages and ComicInfo; the notes nobody asks for.
  expect([...cache.files().keys()].toSorted((a, b) => a.localeCompare(b))).toEqual(['00001', '00002', '00003', '00004'])
  cache.clear()
  expect((await book.readPage(1)).bytes).toEqual(inOrder[0])
  expect(cache.fills).toHaveLength(2)
})

test('members of other kinds do not become pages: links, folders, names that lead out, twins (T-02)', async () => {
  const odd: readonly RarMember[] = [
    { name: 'link.jpg', kind: 'link' },
    { name: '../../up.jpg', bytes: inOrder[0] ?? Buffer.alloc(0) },
    { name: '/etc/abs.jpg', bytes: inOrder[0] ?? Buffer.alloc(0) },
    { name: 'folder.jpg', kind: 'folder' },
    { name: 'Band 1/1.jpg', bytes: inOrder[1] ?? Buffer.alloc(0) },
  ]
  for (const archiveOf of [rar4Archive, rar5Archive]) {
    const book = await open(cbr, archiveOf([...files, ...odd]))
    expect((await book.pages()).map(({ width, height }) => [width, height])).toEqual(sizes)
    expect(book.warnings.map(({ message }) => message)).toEqual([
      '1 left out: members that are links or devices',
      '2 left out: members whose names lead out of the book',
      '1 left out: members with the name of an earlier one',
    ])
    expect((await book.readPage(1)).bytes).toEqual(inOrder[0])
  }
  const linked = await sevenZipArchive(files, {
    isSolid: true,
    links: [{ name: 'Band 1/000.jpg', target: '/etc/passwd' }],
  })
  const book = await open(cb7, linked)
  expect(await book.pages()).toHaveLength(3)
  expect((await book.readPage(1)).bytes).toEqual(inOrder[0])
})

test('RAR: what RAR has packed is unpacked beside what it has only stored', async () => {
  const { unpacked, ...packed } = packedRar4Member('Band 1/ComicInfo.xml')
  const book = await open(cbr, rar4Archive([...files.slice(0, 3), packed]))
  expect(await book.pages()).toHaveLength(3)
  expect(cache.fills).toEqual([])

  const { unpacked: text, ...page } = packedRar4Member('Band 1/003.jpg')
  const asPage = await open(cbr, rar4Archive([...files.slice(0, 3), page]))
  // It is no picture, and to know that it had to be unpacked.
  expect(await asPage.pages()).toHaveLength(3)
  expect([...cache.files().values()]).toEqual([text])
  expect(text).toEqual(unpacked)
})

test('a page that is damaged keeps its number, and the others are read (T-09)', async () => {
  for (const archiveOf of [rar4Archive, rar5Archive]) {
    const bytes = archiveOf(files)
    const position = bytes.indexOf(inOrder[1] ?? '')
    bytes[position + 100] = (bytes[position + 100] ?? 0) ^ 0xff
    const book = await open(cbr, bytes)
    expect(await book.pages()).toHaveLength(3)
    expect(await faultOf(() => book.readPage(2))).toBe('damaged')
    expect((await book.readPage(3)).bytes).toEqual(inOrder[2])
  }
  const bytes = await sevenZipArchive(files, { method: 'Copy' })
  const position = bytes.indexOf(inOrder[1] ?? '')
  bytes[position + 100] = (bytes[position + 100] ?? 0) ^ 0xff
  const book = await open(cb7, bytes)
  expect(await book.pages()).toMatchObject([{ width: 64 }, { width: null }, { width: 120 }])
  expect(book.warnings).toMatchObject([{ code: 'damaged' }])
  expect(await faultOf(() => book.readPage(2))).toBe('damaged')
  expect((await book.readPage(3)).bytes).toEqual(inOrder[2])
})

test('an archive that breaks off shows the pages before that (T-09)', async () => {
  const archive = rar5Archive(files)
  const book = await open(cbr, archive.subarray(0, archive.indexOf(inOrder[0] ?? '') + 10))
  expect((await book.pages()).length).toBeGreaterThan(0)
  expect(book.warnings).toMatchObject([{ code: 'damaged' }])
  const tar = tarArchive(files)
  expect((await open(cbt, tar.subarray(0, tar.length - 3000))).warnings).toMatchObject([{ code: 'damaged' }])
  const seven = await sevenZipArchive(files)
  expect(await faultOf(() => open(cb7, seven.subarray(0, seven.length - 10)))).toBe('damaged')
})

test('why a book cannot be read is told: passwords, parts, too much, nothing in it', async () => {
  const rar = (members: readonly RarMember[], options: RarOptions = {}): Promise<string> =>
    faultOf(() => open(cbr, rar5Archive(members, options)))
  const lie = { name: 'a.jpg', bytes: Buffer.from('x'), method: 3 }

  expect(await rar(files, { hasEncryptedHeaders: true })).toBe('encrypted')
  expect(await rar(files.map((file) => ({ ...file, isEncrypted: true })))).toBe('encrypted')
  expect(await rar(files, { isVolume: true })).toBe('unsupported')
  expect(await rar(files.slice(3))).toBe('empty')
  expect(await rar([...files, { ...lie, size: 2 ** 33 }])).toBe('limit')
  expect(await rar([...files, { ...lie, size: 100 * 1024 ** 2 }])).toBe('limit')
  expect(await rar([...files, { ...lie, dictionary: 12 }])).toBe('limit')
  expect(await rar([...files, { ...lie, dictionary: 11 }])).toBe('none')
  expect(await faultOf(async () => open(cb7, await sevenZipArchive(files, { password: 'x' })))).toBe('encrypted')
  expect(await faultOf(async () => open(cb7, await sevenZipArchive(files.slice(3))))).toBe('empty')
  const bomb = [{ name: 'a.jpg', bytes: Buffer.alloc(65 * 1024 ** 2) }]
  expect(await faultOf(async () => open(cb7, await sevenZipArchive(bomb, { method: 'LZMA2:d=64k:a=0:fb=5' })))).toBe(
    'limit',
  )
  expect(cache.files().size).toBe(0)
})

test('what cannot be unpacked leaves nothing in the cache (T-05)', async () => {
  const packed = { name: 'x.jpg', bytes: Buffer.alloc(5000, 'no RAR stream'), method: 3, size: 6000, isSolid: true }
  const book = await open(cbr, rar5Archive([...files, packed], { isSolid: true }))
  const pages = await book.pages()

  expect(pages).toHaveLength(4)
  expect(await faultOf(() => book.readPage(4))).toBe('damaged')
  expect(cache.files().size).toBe(0)
  // One attempt is enough to know.
  expect(cache.fills).toHaveLength(1)
})

test('RAR 5: without checksums in its headers a book has the same fingerprints', async () => {
  const bare = await open(cbr, rar5Archive(files.map((file) => ({ ...file, hasChecksum: false }))))
  const { pages, content } = await (await open(cbr, rar5Archive(files))).fingerprints()

  expect(await bare.fingerprints()).toMatchObject({ pages, content })
  expect((await bare.pages())[0]?.location?.crc32).toBe(crc32(inOrder[0] ?? ''))
})

test('a book beyond a gibibyte is not unpacked to know its pictures; one page of it is unpacked alone', async () => {
  const huge = Array.from({ length: 5 }, (_, index) => ({
    name: `${index}.jpg`,
    bytes: Buffer.alloc(1_300_000, index),
    method: 3,
    size: 230 * 1024 ** 2,
  }))
  const { unpacked, ...packed } = packedRar4Member('9.jpg')
  const book = await open(cbr, rar4Archive([...huge, packed]))

  expect((await book.pages()).map(({ mediaType, width, height }) => [mediaType, width, height])).toEqual(
    Array.from({ length: 6 }, () => ['image/jpeg', null, null]),
  )
  expect(book.warnings).toEqual([])
  expect((await book.readPage(6)).bytes).toEqual(unpacked)
  expect(cache.fills).toEqual([])
})

test('what a book says of itself is read, and unpacked alone where that can be', async () => {
  const title = async (format: BookFormat, bytes: Buffer): Promise<unknown> => {
    const [layer] = await (await open(format, bytes)).metadata()
    return [layer?.book.title, cache.fills.length]
  }
  expect(await title(cbr, rar5Archive(files))).toEqual(['Of it', 0])
  expect(await title(cbt, tarArchive(files))).toEqual(['Of it', 0])
  expect(await title(cb7, await sevenZipArchive(files))).toEqual(['Of it', 0])
  expect(await title(cb7, await sevenZipArchive(files, { isSolid: true }))).toEqual(['Of it', 1])
})

test('a file that shrinks under a book that is open is damaged, and closed it is gone', async () => {
  for (const [format, bytes] of [
    [cbr, rar5Archive(files)],
    [cb7, await sevenZipArchive(files, { isSolid: true })],
    [cbt, tarArchive(files)],
  ] as const) {
    const opened = candidate(bytes)
    writeFileSync(opened.path, bytes)
    const book = await format.open(opened, { cache })
    truncateSync(opened.path, 200)
    expect(await faultOf(() => book.readPage(1))).toBe('damaged')
    book.close()
    const again = await open(format, bytes)
    again.close()
    books.splice(0)
    expect(await faultOf(() => again.readPage(1))).toBe('unreadable')
  }
})

test('what is no archive of pictures is left to others', () => {
  const text = candidate(Buffer.alloc(5000, 'Rar, 7z and ustar are words. '))
  expect([cbr, cb7, cbt].map((format) => format.detect(text))).toEqual([false, false, false])
  expect(cbt.detect(candidate(tarArchive(files.slice(4))))).toBe(false)
  expect(cbr.detect(candidate(rar4Archive(files.slice(4))))).toBe(false)
  expect(cbr.detect({ ...candidate(rar4Archive(files)), isFolder: true })).toBe(false)
})
