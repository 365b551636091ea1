import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { fileCandidate, folderCandidate, noEnvironment } from '../../test/books/candidate.ts'
import { faultOfAsync } from '../../test/books/outcome.ts'
import { jpeg, tinyJpeg } from '../../test/books/pictures.ts'
import { zip } from '../../test/books/zip.ts'
import { cbz } from './cbz.ts'
import { folder } from './folder.ts'

const directory = mkdtempSync(join(tmpdir(), 'carrel-folder-'))
afterAll(() => rmSync(directory, { recursive: true }))
let made = 0

const makeFolder = (files: Readonly<Record<string, Buffer>>): string => {
  made += 1
  const path = join(directory, String(made))
  mkdirSync(path)
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), bytes)
  }
  return path
}
const open = (path: string) => folder.open(folderCandidate(path), noEnvironment)
const detects = (files: Readonly<Record<string, Buffer>>): boolean => folder.detect(folderCandidate(makeFolder(files)))

const [one, two, three] = [tinyJpeg(1), tinyJpeg(2), tinyJpeg(3)]
const nothing = Buffer.alloc(0)

test('LIB-3: the pictures of a folder and of those in it are pages, and nothing else', async () => {
  const book = await open(
    makeFolder({
      '10.jpg': two,
      '2.jpg': one,
      'extra/1.jpg': three,
      'extra/deep/1.jpg': three,
      '.hidden/1.jpg': three,
      '@eaDir/1.jpg': three,
      'notes.txt': nothing,
      '._2.jpg': nothing,
    }),
  )

  expect(await book.pages()).toEqual(
    ['2.jpg', '10.jpg', 'extra/1.jpg'].map((name, index) => ({
      name,
      mediaType: 'image/jpeg',
      width: 200,
      height: 300,
      size: [one, two, three][index]?.length,
    })),
  )
  expect(await book.readPage(3)).toEqual({ mediaType: 'image/jpeg', bytes: three })
  expect((await book.readCover())?.bytes).toEqual(one)
  book.close()
})

test('LIB-4: a ComicInfo.xml in a folder tells of it', async () => {
  const book = await open(
    makeFolder({ '1.jpg': one, 'ComicInfo.xml': Buffer.from('<ComicInfo><Title>Night</Title></ComicInfo>') }),
  )

  expect(await book.metadata()).toMatchObject([{ book: { title: 'Night' } }])
  book.close()
})

test('a folder that was zipped is known again, by its content and by its pages', async () => {
  const files = {
    '1.jpg': one,
    'b/2.jpg': two,
    'ComicInfo.xml': Buffer.from('<ComicInfo/>'),
    '3.jpg': jpeg({ width: 1500, height: 2000, detail: 40 }),
  }
  const path = join(directory, 'zipped')
  const bytes = zip([{ name: 'b/' }, ...Object.entries(files).map(([name, content]) => ({ name, bytes: content }))])
  writeFileSync(path, bytes)
  const [loose, zipped] = [await open(makeFolder(files)), await cbz.open(fileCandidate(path, bytes), noEnvironment)]
  const [ofLoose, ofZipped] = [await loose.fingerprints(), await zipped.fingerprints()]

  expect(ofLoose.pages).toBe(ofZipped.pages)
  expect(ofLoose.content).toBe(ofZipped.content)
  expect(ofLoose.koreader).toBeUndefined()
  expect(files['3.jpg'].length).toBeGreaterThan(1024 * 1024)
  loose.close()
  zipped.close()
})

test('a folder is a book when pages stand in it, not for a cover beside books or folders of their own', () => {
  expect(detects({ '1.jpg': one })).toBe(true)
  expect(detects({ 'cover.jpg': one, '1.jpg': one, 'notes.txt': nothing })).toBe(true)
  expect(detects({ 'cover.jpg': one, 'Volume 1/1.jpg': one })).toBe(false)
  expect(detects({ 'Volume 1/1.jpg': one, 'Volume 2/1.jpg': one })).toBe(false)
  expect(detects({ '1.jpg': one, 'Volume 1.cbz': nothing })).toBe(false)
  expect(detects({ 'notes.txt': nothing })).toBe(false)
  expect(detects({})).toBe(false)
  expect(folder.detect(folderCandidate(join(directory, 'missing')))).toBe(false)
  expect(folder.detect(fileCandidate(join(directory, 'x.jpg'), one))).toBe(false)
})

test('T-03: links are neither followed nor listed, as files, as folders and as the folder itself', async () => {
  const outside = makeFolder({ 'secret.jpg': three })
  const path = makeFolder({ '1.jpg': one })
  symlinkSync(join(outside, 'secret.jpg'), join(path, '2.jpg'))
  symlinkSync(outside, join(path, 'linked'))
  symlinkSync(path, join(path, 'loop'))
  symlinkSync(path, join(directory, 'link to it'))

  const book = await open(path)
  expect((await book.pages()).map(({ name }) => name)).toEqual(['1.jpg'])
  book.close()
  expect(await faultOfAsync(() => open(join(directory, 'link to it')))).toBe('unreadable')
  expect(folder.detect(folderCandidate(join(directory, 'link to it')))).toBe(false)
})

test('T-03: what becomes a link while the book is open is not read, on any step of the way', async () => {
  const outside = makeFolder({ '1.jpg': three, '2.jpg': three })
  const path = makeFolder({ '1.jpg': one, 'a/2.jpg': one })
  const book = await open(path)
  rmSync(join(path, 'a'), { recursive: true })
  symlinkSync(outside, join(path, 'a'))
  rmSync(join(path, '1.jpg'))
  symlinkSync(join(outside, '1.jpg'), join(path, '1.jpg'))

  expect((await book.pages()).map(({ width }) => width)).toEqual([null, null])
  expect(await faultOfAsync(() => book.readPage(1))).toBe('unreadable')
  expect(await faultOfAsync(() => book.readPage(2))).toBe('unreadable')
  expect(await faultOfAsync(async () => book.fingerprints())).toBe('unreadable')
  book.close()
})

test('T-03: a folder whose place is taken by another while the book is open is still the same folder', async () => {
  const path = makeFolder({ '1.jpg': one })
  const book = await open(path)
  renameSync(path, `${path} moved`)
  symlinkSync(makeFolder({ '1.jpg': three }), path)

  expect((await book.readPage(1)).bytes).toEqual(one)
  book.close()
})

test('T-18: names that are not UTF-8 are pages like all others', async () => {
  const path = makeFolder({ '1.jpg': one })
  writeFileSync(Buffer.concat([Buffer.from(`${path}/`), Buffer.from([0x32, 0xff, 0x0a]), Buffer.from('.jpg')]), two)
  mkdirSync(Buffer.concat([Buffer.from(`${path}/`), Buffer.from([0x33, 0xfe])]))
  writeFileSync(Buffer.concat([Buffer.from(`${path}/`), Buffer.from([0x33, 0xfe]), Buffer.from('/1.jpg')]), three)

  const book = await open(path)
  expect((await book.pages()).map(({ name }) => name)).toEqual(['1.jpg', '2\uFFFDFF\n.jpg', '3\uFFFDFE/1.jpg'])
  expect((await book.readPage(2)).bytes).toEqual(two)
  expect((await book.readPage(3)).bytes).toEqual(three)
  book.close()
})

/** It tells which open files of this process belong to these tests. */
const leadsHere = (descriptor: string): boolean => {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(directory)
  } catch {
    return false
  }
}

test('no file stays open when a book is closed or refused', async () => {
  const count = (): number => readdirSync('/proc/self/fd').filter(leadsHere).length
  const [good, empty] = [makeFolder({ '1.jpg': one, 'a/2.jpg': two }), makeFolder({ 'notes.txt': nothing })]
  const before = count()

  const book = await open(good)
  await book.pages()
  await book.fingerprints()
  book.close()
  expect(await faultOfAsync(() => open(empty))).toBe('empty')
  expect(folder.detect(folderCandidate(good))).toBe(true)
  expect(count()).toBe(before)
})
