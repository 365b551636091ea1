import { expect, test } from 'vitest'
import { fileCandidate, folderCandidate, noEnvironment } from '../../../test/books/candidate.ts'
import {
  comicEpub,
  coverBytes,
  encryptionDocument,
  epub as makeEpub,
  fontBytes,
  type EpubOptions,
} from '../../../test/books/epub.ts'
import { attacks, chapter } from '../../../test/books/hostile-markup.ts'
import { jpeg } from '../../../test/books/pictures.ts'
import { memoryFile, zip } from '../../../test/books/zip.ts'
import type { FaultCode, OpenBook, Reflowable } from '../book-format.ts'
import { bookLimits } from '../limits.ts'
import { epub } from './epub.ts'

const candidateOf = (bytes: Buffer) => fileCandidate('a book', bytes)

const openBytes = (bytes: Buffer): Promise<OpenBook> => epub.open(candidateOf(bytes), noEnvironment)
const open = (options: EpubOptions = {}): Promise<OpenBook> => openBytes(makeEpub(options))

const textOf = async (book: OpenBook) => {
  const parts = []
  for await (const part of book.text?.() ?? []) parts.push(part)
  return parts
}

const openText = async (options: EpubOptions = {}): Promise<Reflowable> => {
  const { reflowable } = await open(options)
  if (reflowable === undefined) throw new Error('It has no text that flows')
  return reflowable
}

const chapters = ['text/ch1.xhtml', 'text/ch2.xhtml', 'text/ch3.xhtml'].map((name) => `OEBPS/${name}`)

test('an EPUB is known by what is inside, not by its name', () => {
  const isEpub = (bytes: Buffer): boolean => epub.detect(candidateOf(bytes))
  const container = { name: 'META-INF/container.xml', bytes: Buffer.from('<container/>') }

  expect(isEpub(makeEpub())).toBe(true)
  expect(isEpub(makeEpub({ without: ['mimetype'] }))).toBe(true)
  expect(isEpub(zip([container]))).toBe(true)
  // A file that is cut off is still recognised, so that the reason can be reported.
  expect(isEpub(makeEpub().subarray(0, 3000))).toBe(true)
  expect(isEpub(zip([{ name: 'mimetype', bytes: Buffer.from('application/epub+zip\n') }]))).toBe(true)
  expect(isEpub(zip([{ name: 'mimetype', bytes: Buffer.from('application/vnd.oasis.opendocument.text') }]))).toBe(false)
  expect(isEpub(zip([{ name: '1.jpg', bytes: coverBytes }]))).toBe(false)
  expect(isEpub(Buffer.from('PK\u0003\u0004'))).toBe(false)
  expect(epub.detect(folderCandidate('a book'))).toBe(false)
})

test.each([2, 3] as const)('EPUB %i has its chapters, their names and its table of contents', async (version) => {
  const book = await open({ version })
  const spine = await book.reflowable?.spine()
  const outline = await book.outline?.()
  const suffix = version === 2 ? ' (NCX)' : ''

  expect(book.warnings).toEqual([])
  expect(spine).toEqual(
    chapters.map((href, index) => ({
      href,
      mediaType: 'application/xhtml+xml',
      title: `Chapter ${index + 1}${suffix}`,
      isLinear: true,
    })),
  )
  expect(outline).toEqual(
    version === 2
      ? chapters.map((href, index) => ({
          title: `Chapter ${index + 1} (NCX)`,
          href,
          children: [{ title: 'Section', href: `${href}#s`, children: [] }],
        }))
      : [
          {
            title: 'Part 1',
            children: [
              { title: 'Chapter 1', href: chapters[0], children: [] },
              { title: 'Chapter 2', href: chapters[1], children: [] },
            ],
          },
          { title: 'Part 2', children: [{ title: 'Chapter 3', href: chapters[2], children: [] }] },
        ],
  )
  expect(await book.pages()).toEqual([])
  await expect(book.readPage(1)).rejects.toMatchObject({ code: 'damaged' })
})

test('a table of contents that is broken gives way to the older one, and without either there is none', async () => {
  expect((await (await open({ navigation: 'broken' })).outline?.())?.[0]?.title).toBe('Chapter 1 (NCX)')
  expect((await (await open({ navigation: 'both' })).outline?.())?.[0]?.title).toBe('Part 1')
  expect(await (await open({ navigation: 'none' })).outline?.()).toEqual([])
})

test('the metadata is that of the package document', async () => {
  const collection = await open({ series: { title: 'Whales', position: '2', as: 'collection' }, direction: 'rtl' })
  const [layer, ...others] = await collection.metadata()

  expect(others).toEqual([])
  expect(layer).toMatchObject({
    source: 'file:opf',
    book: { title: 'Moby-Dick', number: '2', language: 'en', authors: [{ name: 'Herman Melville' }] },
    series: { title: 'Whales' },
  })
  expect(collection.reflowable?.readingDirection).toBe('rtl')
  expect((await openText()).readingDirection).toBeNull()
  expect((await openText({ direction: 'ltr' })).readingDirection).toBe('ltr')
})

test.each(['property', 'meta', 'id', 'guide', 'page'] as const)('the cover is found by %s', async (cover) => {
  expect(await (await open({ cover, version: cover === 'property' ? 3 : 2 })).readCover()).toEqual({
    mediaType: 'image/jpeg',
    bytes: coverBytes,
  })
})

test('T-13 a cover is a picture of points: what only calls itself one gives way to the first page', async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="pwn()"/>')
  const lie = { name: 'images/lie.jpg', mediaType: 'image/jpeg', properties: 'cover-image', bytes: svg }

  expect(await (await open({ cover: 'none' })).readCover()).toBeUndefined()
  expect(await (await open({ cover: 'none', items: [lie] })).readCover()).toBeUndefined()
  expect((await (await open({ cover: 'page', items: [lie] })).readCover())?.bytes).toEqual(coverBytes)
})

test('a cover that is a page is the picture on it', async () => {
  const page =
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="../images/cover.jpg"/></svg>'
  const book = await open({ cover: 'guide', chapters: [{ body: 'no picture' }, { body: page }] })
  const bytes = makeEpub({ cover: 'guide', chapters: [{ body: page }, {}] })

  expect((await book.readCover())?.bytes).toEqual(coverBytes)
  expect((await (await openBytes(bytes)).readCover())?.bytes).toEqual(coverBytes)
})

test.each(['fixed', 'kindle', 'apple'] as const)('fixed layout is known as it is said by %s', async (layout) => {
  const text = await openText({ layout })

  expect(text.isFixedLayout).toBe(true)
  expect(await text.positions()).toHaveLength(3)
  expect((await openText()).isFixedLayout).toBe(false)
})

test('positions count the stored bytes of chapters and go from the beginning to the end', async () => {
  const bytes = makeEpub({ words: 3000 })
  const text = (await openBytes(bytes)).reflowable
  const positions = (await text?.positions()) ?? []

  expect(positions.length).toBeGreaterThan(6)
  expect(positions.map(({ position }) => position)).toEqual(positions.map((_, index) => index + 1))
  expect(positions[0]).toEqual({
    href: chapters[0],
    mediaType: 'application/xhtml+xml',
    position: 1,
    progression: 0,
    totalProgression: 0,
  })
  for (const [index, { totalProgression }] of positions.entries()) {
    expect(totalProgression).toBeCloseTo(index / positions.length)
  }
  expect(new Set(positions.map(({ href }) => href))).toEqual(new Set(chapters))
})

test('to list a book nothing of its chapters is read', async () => {
  const bytes = makeEpub({ chapters: 30, words: 20_000 })
  const file = memoryFile(bytes)
  const book = await epub.open({ ...candidateOf(bytes), read: file.read }, noEnvironment)
  await Promise.all([book.metadata(), book.outline?.(), book.reflowable?.positions(), book.reflowable?.spine()])

  // The directory is read with the 64 KiB at the end of the file.
  expect(file.size).toBeGreaterThan(500_000)
  expect(file.counted.bytes).toBeLessThan(90_000)
})

test('what is not linear is no place in the book, unless nothing is', async () => {
  const text = await openText({ chapters: [{}, { isLinear: false }, {}] })

  expect((await text.spine()).map(({ isLinear }) => isLinear)).toEqual([true, false, true])
  expect((await text.positions()).map(({ href }) => href)).not.toContain(chapters[1])
  const asides = await openText({ chapters: [{ isLinear: false }, { isLinear: false }] })
  expect(await asides.positions()).toHaveLength(2)
})

test('a comic in an EPUB has its pictures as pages', async () => {
  const book = await openBytes(comicEpub(3))
  const pages = await book.pages()

  expect(pages).toMatchObject(
    [1, 2, 3].map((number) => ({ name: `OEBPS/page${number}.jpg`, mediaType: 'image/jpeg', width: 80, height: 120 })),
  )
  expect((await book.readPage(2)).bytes).toEqual(jpeg({ width: 80, height: 120, seed: 2 }))
  await expect(book.readPage(4)).rejects.toMatchObject({ code: 'damaged' })
  expect((await book.readCover())?.bytes).toEqual(jpeg({ width: 80, height: 120, seed: 1 }))
  expect((await book.fingerprints()).pages).toBeDefined()
  expect(book.reflowable).toMatchObject({ isFixedLayout: true, readingDirection: 'rtl' })
})

test.each([
  ['words beside a picture', '<img src="../page1.jpg"/><p>Words</p>'],
  ['two pictures', '<img src="../page1.jpg"/><img src="../page2.jpg"/>'],
  ['no picture', '<p></p>'],
  ['a picture that is not there', '<img src="../page9.jpg"/>'],
])('a fixed layout with %s has no pages of pictures', async (_, body) => {
  const book = await openBytes(comicEpub(2, { chapters: [{ body: '<img src="../page1.jpg"/>' }, { body }] }))

  expect(await book.pages()).toEqual([])
})

test('the same book packed otherwise has the same content, and another chapter is another content', async () => {
  const fingerprints = async (options: EpubOptions) => (await open(options)).fingerprints()
  const extra = { members: [{ name: 'META-INF/signatures.xml', bytes: Buffer.from('<x/>') }] }
  const one = await fingerprints({})

  const stored = await fingerprints({ packing: 'stored' })

  expect(await fingerprints({})).toEqual(one)
  expect(stored.content).toBe(one.content)
  expect(stored.file).not.toBe(one.file)
  expect((await fingerprints({ words: 300 })).content).not.toBe(one.content)
  expect((await fingerprints(extra)).content).not.toBe(one.content)
  expect(one).not.toHaveProperty('pages')
  expect(one.koreader).toMatch(/^[0-9a-f]{32}$/)
})

test('the text of each chapter is told with its name, without what is not shown', async () => {
  const book = await open({
    chapters: [
      {
        title: 'Loomings',
        body: '<h1>One &amp; only</h1><p>Call <i>me</i>\n  Ishmael.<br/>Some&nbsp;years ago<script>x</script></p><ruby>鯨<rt>くじら</rt></ruby>',
      },
      { source: '<p>Not <b>well<p>formed' },
      { body: '<img src="x.png"/>' },
      { body: 'Aside', isLinear: false },
    ],
  })

  expect(await textOf(book)).toEqual([
    { href: chapters[0], title: 'Loomings', text: 'One & only\nCall me Ishmael.\nSome years ago\n鯨' },
    { href: chapters[1], title: 'Chapter 2', text: 'Not well\nformed' },
  ])
})

test('LIB-3 resources are served by a type from a fixed list, and by what they are', async () => {
  const bytes = (text: string): Buffer => Buffer.from(text)
  const items: EpubOptions['items'] = [
    { name: 'a.js', mediaType: 'application/javascript', bytes: bytes('pwn()') },
    { name: 'b.js', mediaType: 'text/javascript', bytes: bytes('pwn()') },
    { name: 'c.jpg', mediaType: 'image/jpeg', bytes: bytes('<script>pwn()</script>') },
    { name: 'd.bin', mediaType: 'application/octet-stream', bytes: bytes('pwn()') },
    { name: 'e.xml', mediaType: 'application/xml', bytes: bytes('<x/>') },
    { name: 'f.png', mediaType: 'image/png', bytes: coverBytes },
    { name: 'g.css', mediaType: 'text/css', bytes: coverBytes },
    { name: 'h.mp3', mediaType: 'audio/mpeg', bytes: bytes('ID3') },
    { name: 'i.svg', mediaType: 'image/svg+xml', bytes: bytes('<svg xmlns="http://www.w3.org/2000/svg" onload="x"/>') },
    { name: 'j.html', mediaType: 'text/html', bytes: bytes('<p onclick=x>Hi<br>') },
    { name: 'k.smil', mediaType: 'application/smil+xml', bytes: bytes('<smil/>') },
  ]
  const text = await openText({ items, font: 'clear' })
  const served = async (name: string): Promise<string | undefined> =>
    (await text.readResource(`OEBPS/${name}`))?.mediaType

  expect(await Promise.all(items.map(({ name }) => served(name)))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    'image/jpeg',
    'image/jpeg',
    'audio/mpeg',
    'image/svg+xml',
    'application/xhtml+xml',
    undefined,
  ])
  expect(await served('text/ch1.xhtml')).toBe('application/xhtml+xml')
  expect(await served('style.css')).toBe('text/css')
  expect(await served('fonts/whale.woff2')).toBe('font/woff2')
  const listed = ((await text.resources?.()) ?? []).map(({ href }) => href)
  expect(listed).toContain('OEBPS/f.png')
  expect(listed).not.toContain('OEBPS/a.js')
  expect(listed).not.toContain('OEBPS/k.smil')
})

test('W5 what is read aloud is said without anything of its markup, and only of the book', async () => {
  const par = (text: string, audio: string): string => `<par><text src="${text}"/><audio ${audio}/></par>`
  const smil = `<smil xmlns="http://www.w3.org/ns/SMIL"><body><seq><seq>${[
    par('ch1.xhtml#a', 'src="../voice.mp3" clipBegin="0:01:02.5" clipEnd="63.25s"'),
    par('ch1.xhtml#b', 'src="../voice.mp3" clipBegin="100ms"'),
    par('ch1.xhtml#c', 'src="../voice.mp3" clipBegin="5s" clipEnd="4s"'),
    par('ch1.xhtml#d', 'src="https://example.org/voice.mp3"'),
    par('ch1.xhtml#e', 'src="../style.css"'),
    par('javascript:pwn()', 'src="../voice.mp3"'),
    par('../../etc/passwd', 'src="../voice.mp3"'),
  ].join('')}</seq><script>pwn()</script></seq></body></smil>`
  const text = await openText({
    metadata: '<meta property="media:active-class"> -said- </meta>',
    chapters: [
      { title: 'One', body: '<p id="a">A</p>', overlay: 'text/ch1.smil' },
      { title: 'Two', overlay: 'none.smil' },
    ],
    items: [
      { name: 'text/ch1.smil', mediaType: 'application/smil+xml', bytes: Buffer.from(smil) },
      { name: 'voice.mp3', mediaType: 'audio/mpeg', bytes: Buffer.from('ID3') },
    ],
  })
  const [one, two] = await text.spine()
  expect(one?.narration).toEqual({ href: 'OEBPS/text/ch1.smil', mediaType: 'application/guided-navigation+json' })
  expect(two).not.toHaveProperty('narration')
  expect(text.spokenClass).toBe('-said-')
  const resource = await text.readResource('OEBPS/text/ch1.smil')
  expect(resource?.mediaType).toBe('application/guided-navigation+json')
  expect(JSON.parse(resource?.bytes.toString() ?? '')).toEqual({
    guided: [
      { textref: 'ch1.xhtml#a', audioref: '../voice.mp3#t=62.5,63.25' },
      { textref: 'ch1.xhtml#b', audioref: '../voice.mp3#t=0.1' },
    ],
  })
})

test('T-01 a resource is a name of the manifest and nothing that leads to one', async () => {
  const text = await openText()
  const paths = [
    '',
    '.',
    'package.opf',
    'OEBPS/package.opf',
    'META-INF/container.xml',
    'mimetype',
    '/OEBPS/style.css',
    './OEBPS/style.css',
    'OEBPS/text/../style.css',
    'OEBPS//style.css',
    'OEBPS\\style.css',
    'OEBPS/style.css\0',
    'OEBPS/style.css/',
    'OEBPS/style%2Ecss',
    'oebps/style.css',
    '../../../etc/passwd',
    '/etc/passwd',
    '__proto__',
    'constructor',
  ]

  expect(await text.readResource('OEBPS/style.css')).toBeDefined()
  for (const path of paths) expect([path, await text.readResource(path)]).toEqual([path, undefined])
})

test('T-12 a hostile chapter is served without what is hostile', async () => {
  const hostile = attacks.filter(({ mediaType }) => mediaType === 'application/xhtml+xml')
  const text = await openText({ chapters: hostile.map(({ source }) => ({ source })) })

  for (const { href } of await text.spine()) {
    const served = (await text.readResource(href))?.bytes.toString() ?? ''
    expect(served).toContain('Call me Ishmael')
    expect(served).not.toMatch(/<script|evil\.example|<iframe/)
  }
})

test.each(['idpf', 'adobe'] as const)('a font obfuscated by %s is served as it was', async (font) => {
  expect((await (await openText({ font })).readResource('OEBPS/fonts/whale.woff2'))?.bytes).toEqual(fontBytes)
})

test('a font whose key is not there is not served', async () => {
  const text = await openText({ font: 'adobe', identifier: 'isbn:x' })

  expect(await text.readResource('OEBPS/fonts/whale.woff2')).toBeUndefined()
})

const encrypted = (algorithm: string, path: string) => ({
  name: 'META-INF/encryption.xml',
  bytes: Buffer.from(encryptionDocument(path, algorithm)),
})
const aes = 'http://www.w3.org/2001/04/xmlenc#aes256-cbc'
const containerOf = (path: string) => ({
  name: 'META-INF/container.xml',
  bytes: Buffer.from(`<container><rootfiles><rootfile full-path="${path}"/></rootfiles></container>`),
})
const nested = (depth: number): string => '<x>'.repeat(depth) + '</x>'.repeat(depth)

const faults: readonly { name: string; code: FaultCode; says: RegExp; bytes: () => Buffer }[] = [
  {
    name: 'whose chapters are encrypted',
    code: 'encrypted',
    says: /DRM/,
    bytes: () => makeEpub({ members: [encrypted(aes, 'OEBPS/text/ch1.xhtml')] }),
  },
  {
    name: 'with rights of a shop',
    code: 'encrypted',
    says: /DRM/,
    bytes: () => makeEpub({ members: [{ name: 'META-INF/rights.xml', bytes: Buffer.from('<rights/>') }] }),
  },
  {
    name: 'without its container',
    code: 'damaged',
    says: /container\.xml is missing/,
    bytes: () => makeEpub({ without: ['META-INF/container.xml'] }),
  },
  {
    name: 'without its package',
    code: 'damaged',
    says: /package document .* is missing/,
    bytes: () => makeEpub({ without: ['OEBPS/package.opf'] }),
  },
  {
    name: 'whose package is broken',
    code: 'damaged',
    says: /not well formed/,
    bytes: () => makeEpub({ metadata: '<x></y>' }),
  },
  {
    name: 'whose package is something else',
    code: 'damaged',
    says: /something else/,
    bytes: () =>
      makeEpub({
        members: [{ name: 'other.opf', bytes: Buffer.from('<html/>') }, containerOf('other.opf')],
      }),
  },
  {
    name: 'whose package is nested without end',
    code: 'limit',
    says: /nested deeper/,
    bytes: () => makeEpub({ metadata: nested(1000) }),
  },
  { name: 'without chapters', code: 'empty', says: /no chapters/, bytes: () => makeEpub({ chapters: [] }) },
  {
    name: 'whose chapters are all missing',
    code: 'empty',
    says: /no chapters/,
    bytes: () => makeEpub({ without: chapters }),
  },
  {
    name: 'that is cut off',
    code: 'damaged',
    says: /cut off/,
    bytes: () => makeEpub().subarray(0, 4000),
  },
]

test.each(faults)('a book $name is refused and says why', async ({ bytes, code, says }) => {
  await expect(openBytes(bytes())).rejects.toMatchObject({
    name: 'BookFault',
    code,
    message: expect.stringMatching(says),
  })
})

test('what is missing and not needed is a warning, and the rest is read', async () => {
  const book = await open({ without: ['OEBPS/style.css', chapters[1] ?? ''] })

  expect(book.warnings.map(({ code }) => code)).toEqual(['damaged', 'damaged', 'damaged'])
  expect((await book.reflowable?.spine())?.map(({ href }) => href)).toEqual([chapters[0], chapters[2]])
})

test('a chapter larger than anybody reads is refused when it is asked for, and only it', async () => {
  const large = { source: Buffer.alloc(bookLimits.chapterBytes + 1, 'x') }
  const text = await openText({ chapters: [{ source: chapter('') }, large] })

  await expect(text.readResource(chapters[1] ?? '')).rejects.toMatchObject({ code: 'limit' })
  expect(await text.readResource(chapters[0] ?? '')).toBeDefined()
})

test('a chapter that stands in the spine twice is read once', async () => {
  const again = { name: 'text/ch1.xhtml' }

  expect((await (await openText({ chapters: [{}, {}, again] })).spine()).map(({ href }) => href)).toEqual([
    chapters[0],
    chapters[1],
  ])
})

test('names with spaces, percent signs and other letters are found and come out as addresses', async () => {
  const names = ['text/one & two.xhtml', 'text/100%.xhtml', 'text/第一章.xhtml', 'text/a#b?.xhtml']
  const text = await openText({ chapters: names.map((name) => ({ name })), navigation: 'none' })
  const spine = await text.spine()

  expect(spine.map(({ href }) => decodeURIComponent(href))).toEqual(names.map((name) => `OEBPS/${name}`))
  expect(spine[0]?.href).toBe('OEBPS/text/one%20%26%20two.xhtml')
  for (const name of names) expect(await text.readResource(`OEBPS/${name}`)).toBeDefined()
})
