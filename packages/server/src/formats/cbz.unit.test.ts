import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, inflateRawSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { fileCandidate, noEnvironment } from '../../test/books/candidate.ts'
import { faultOfAsync } from '../../test/books/outcome.ts'
import { jpeg, png, tinyJpeg } from '../../test/books/pictures.ts'
import { zip, type ZipMember } from '../../test/books/zip.ts'
import { openLibraryFile } from '../platform/storage/library-files.ts'
import { cbz } from './cbz.ts'

const folder = mkdtempSync(join(tmpdir(), 'carrel-cbz-'))
afterAll(() => rmSync(folder, { recursive: true }))

const candidateOf = (bytes: Buffer) => {
  const path = join(folder, 'book')
  writeFileSync(path, bytes)
  return fileCandidate(path, bytes)
}
const open = (bytes: Buffer) => cbz.open(candidateOf(bytes), noEnvironment)
const detects = (bytes: Buffer): boolean => cbz.detect(fileCandidate('x', bytes))

const pictures = [1, 2, 3].map(tinyJpeg)
const [one = Buffer.alloc(0), two = Buffer.alloc(0), three = Buffer.alloc(0)] = pictures
const pages: ZipMember[] = [
  { name: 'book/10.jpg', bytes: three, method: 'stored' },
  { name: 'book/2.jpg', bytes: two, method: 'deflated', hasDescriptor: true },
  { name: 'book/1.jpg', bytes: one, method: 'stored', localExtra: Buffer.alloc(90) },
]

test('LIB-3: a CBZ has its pictures as pages, in order, with their sizes and the bytes as they are', async () => {
  const bytes = zip([
    { name: 'book/' },
    ...pages,
    { name: 'book/notes.txt' },
    { name: '__MACOSX/book/._1.jpg', bytes: one },
  ])
  const book = await open(bytes)

  expect((await book.pages()).map((page) => ({ ...page, location: undefined }))).toEqual(
    ['1', '2', '10'].map((name, index) => ({
      name: `book/${name}.jpg`,
      mediaType: 'image/jpeg',
      width: 200,
      height: 300,
      size: pictures[index]?.length,
      location: undefined,
    })),
  )
  for (const [index, picture] of pictures.entries()) {
    expect(await book.readPage(index + 1)).toEqual({ mediaType: 'image/jpeg', bytes: picture })
  }
  expect(await book.readCover()).toEqual({ mediaType: 'image/jpeg', bytes: one })
  expect(await faultOfAsync(() => book.readPage(4))).toBe('damaged')
  expect(await faultOfAsync(() => book.readPage(0))).toBe('damaged')
  expect(book.warnings).toEqual([])
  expect(await book.metadata()).toEqual([])
  book.close()
})

test('a page can be read from its place without opening the book', async () => {
  const bytes = zip(pages)
  const book = await open(bytes)

  for (const [index, { location: at }] of (await book.pages()).entries()) {
    const packed = bytes.subarray(at?.offset, (at?.offset ?? 0) + (at?.storedSize ?? 0))
    const unpacked = at?.method === 'deflated' ? inflateRawSync(packed) : packed
    expect(unpacked).toEqual(pictures[index])
    expect(at?.crc32).toBe(crc32(unpacked))
  }
  book.close()
})

test('what a page is follows from its bytes: the name only says that it is one', async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
  const exif = jpeg({ width: 60, height: 40, exif: { orientation: 6, length: 60_000 } })
  const book = await open(
    zip([
      { name: '1.jpg', bytes: png({ width: 7, height: 9 }) },
      { name: '2.png', bytes: exif },
      { name: '3.jpg', bytes: svg },
      { name: '4.svg', bytes: svg },
      { name: '5.jpg', bytes: Buffer.alloc(0) },
    ]),
  )

  expect(await book.pages()).toMatchObject([
    { name: '1.jpg', mediaType: 'image/png', width: 7, height: 9 },
    { name: '2.png', mediaType: 'image/jpeg', width: 40, height: 60 },
  ])
  expect(book.warnings.map(({ message }) => message)).toEqual([
    'No picture, whatever its name says: "3.jpg"',
    'No picture, whatever its name says: "5.jpg"',
  ])
  book.close()
})

test('T-09: a page that cannot be read keeps its number, and the others are read', async () => {
  const book = await open(
    zip([
      { name: '1.jpg', bytes: one },
      { name: '2.jpg', bytes: two, localName: Buffer.from('other') },
      { name: '3.jpg', bytes: two, flags: 1 },
      { name: '4.jpg', bytes: two, method: 14 },
      { name: '5.jpg', bytes: two, says: { crc32: 1 } },
      { name: '6.jpg', bytes: three },
    ]),
  )

  const listed = await book.pages()
  expect(listed.map(({ name, width }) => [name, width])).toEqual([
    ['1.jpg', 200],
    ['2.jpg', null],
    ['3.jpg', null],
    ['4.jpg', null],
    ['5.jpg', 200],
    ['6.jpg', 200],
  ])
  expect(listed.map(({ location: at }) => at !== undefined)).toEqual([true, false, false, false, true, true])
  expect(book.warnings.map(({ code }) => code)).toEqual(['damaged', 'encrypted', 'unsupported'])
  const outcomes = listed.map((_, index) => faultOfAsync(() => book.readPage(index + 1)))
  expect(await Promise.all(outcomes)).toEqual(['none', 'damaged', 'encrypted', 'unsupported', 'damaged', 'none'])
  expect((await book.readPage(6)).bytes).toEqual(three)
  book.close()
})

test('LIB-4: ComicInfo tells of the book and chooses the cover; one that is broken is only a warning', async () => {
  const described = (xml: string) => open(zip([...pages, { name: 'book/comicinfo.XML', bytes: Buffer.from(xml) }]))
  const told = await described(
    '<?xml version="1.0"?><ComicInfo><Title>Night</Title><Pages><Page Image="0"/><Page Image="1" Type="FrontCover"/></Pages></ComicInfo>',
  )
  expect(await told.metadata()).toMatchObject([{ source: 'file:comicinfo', book: { title: 'Night', coverPage: 2 } }])
  expect((await told.readCover())?.bytes).toEqual(two)
  told.close()

  const beyond = await described('<ComicInfo><Pages><Page Image="7" Type="FrontCover"/></Pages></ComicInfo>')
  expect((await beyond.readCover())?.bytes).toEqual(one)
  beyond.close()

  const broken = await described('<ComicInfo><Title>')
  expect(await broken.metadata()).toEqual([])
  expect((await broken.readCover())?.bytes).toEqual(one)
  expect(broken.warnings).toHaveLength(1)
  broken.close()
})

test('a CBZ that is packed again is known by its pages, an untouched copy by its file', async () => {
  const printsOf = async (bytes: Buffer) => {
    const book = await open(bytes)
    const prints = await book.fingerprints()
    book.close()
    return prints
  }
  const bytes = zip(pages)
  const again = await printsOf(
    zip(pages.map((each) => ({ ...each, method: 'deflated' as const, hasDescriptor: false })).toReversed()),
  )
  const first = await printsOf(bytes)

  expect(await printsOf(Buffer.from(bytes))).toEqual(first)
  expect(again.pages).toBe(first.pages)
  expect(again.content).toBe(first.content)
  expect(again.file).not.toBe(first.file)
  expect(again.koreader).not.toBe(first.koreader)
})

test('a ZIP is a CBZ by the pictures in it, and no other kind of ZIP', async () => {
  const picture: ZipMember = { name: 'a/1.jpg', bytes: one }
  const mimetype: ZipMember = { name: 'mimetype', bytes: Buffer.from('application/epub+zip'), method: 'stored' }

  expect(detects(zip([picture]))).toBe(true)
  expect(detects(zip([picture], { prefix: Buffer.alloc(5000, 'MZ'), countsPrefix: false }))).toBe(true)
  const others = [
    zip([mimetype, picture]),
    zip([picture, { name: 'META-INF/container.xml' }]),
    zip([picture, { name: '[Content_Types].xml' }]),
    zip([{ name: 'a.txt' }]),
    zip([{ name: '._1.jpg', bytes: one }]),
    zip([{ name: 'page.svg' }]),
    zip([]),
    one,
    Buffer.from('Rar!\u001a\u0007\u0000'),
    Buffer.alloc(0),
    zip([mimetype, picture]).subarray(0, 3000),
  ]
  expect(others.map(detects)).toEqual(others.map(() => false))
  // A file that is cut off is opened to find out why.
  const cut = zip([picture]).subarray(0, 3000)
  expect(detects(cut)).toBe(true)
  expect(await faultOfAsync(() => open(cut))).toBe('damaged')
})

test('a CBZ without a readable page is refused with the reason', async () => {
  const notes = { name: 'notes.txt' }

  expect(await faultOfAsync(() => open(zip([notes])))).toBe('empty')
  expect(await faultOfAsync(() => open(zip(pages.map((each) => ({ ...each, flags: 1 })))))).toBe('encrypted')
  expect(
    await faultOfAsync(() =>
      open(zip([{ name: '1.jpg', bytes: Buffer.from('no picture') }])).then((book) => book.pages()),
    ),
  ).toBe('empty')
})

test('T-09: a CBZ cut off at any place ends in a fault, for every 4 KiB of it', async () => {
  const bytes = zip(Array.from({ length: 20 }, (_, index) => ({ name: `${index}.jpg`, bytes: tinyJpeg(index) })))

  for (let length = 0; length < bytes.length; length += 4096) {
    expect(await faultOfAsync(() => open(bytes.subarray(0, length)))).toBe('damaged')
  }
})

test('T-09: a file that is cut off while its book is open has damaged pages', async () => {
  const path = join(folder, 'cut')
  writeFileSync(path, zip(pages))
  const file = openLibraryFile(path)
  const book = await cbz.open({ ...fileCandidate(path, Buffer.alloc(0)), ...file }, noEnvironment)
  truncateSync(path, 8000)

  expect((await book.pages()).map(({ width }) => width)).toContain(null)
  expect(await Promise.all([1, 2, 3].map((number) => faultOfAsync(() => book.readPage(number))))).toContain('damaged')
  book.close()
  file.close()
})

test('T-02: nothing is ever written, whatever the members are called', async () => {
  const bytes = zip([...pages, { name: '../out.jpg', bytes: one }, { name: join(folder, 'absolute.jpg'), bytes: one }])
  const book = await open(bytes)

  expect(await book.pages()).toHaveLength(3)
  expect(book.warnings).toHaveLength(1)
  expect(readFileSync(join(folder, 'book'))).toEqual(bytes)
  book.close()
})

test('T-08: warnings are told, but not as many as there are members', async () => {
  const book = await open(
    zip([
      ...pages,
      ...Array.from({ length: 100 }, (_, index) => ({ name: `z${index}\u001b.jpg`, bytes: Buffer.from('x') })),
    ]),
  )

  expect(await book.pages()).toHaveLength(3)
  expect(book.warnings).toHaveLength(20)
  expect(book.warnings[0]?.message).not.toContain('\u001b')
  book.close()
})
