import { expect, test } from 'vitest'
import { fileCandidate, folderCandidate } from '../../../test/books/candidate.ts'
import { type CalibreFixture, calibreFixture } from '../../../test/books/fixtures/fixtures.ts'
import { huffmanRecords, mobiFile, type MobiOptions, palmDatabase } from '../../../test/books/mobi.ts'
import { chapterNamed, deadLinks, openAs, wordsIn } from '../../../test/books/open-book.ts'
import { tinyJpeg } from '../../../test/books/pictures.ts'
import type { OpenBook } from '../book-format.ts'
import { bookLimits } from '../limits.ts'
import { azw3, mobi } from './mobi.ts'

const kf8 = new Set<CalibreFixture>(['whale-kf8.azw3', 'whale-plain.azw3'])
const openFixture = (name: CalibreFixture): Promise<OpenBook> =>
  openAs(kf8.has(name) ? azw3 : mobi, calibreFixture(name))
const openMade = (options: MobiOptions = {}): Promise<OpenBook> => openAs(mobi, mobiFile(options))

const everyFixture: readonly CalibreFixture[] = [
  'whale-mobi6.mobi',
  'whale-joint.mobi',
  'whale-kf8.azw3',
  'whale-plain.mobi',
  'whale-plain.azw3',
]

test.each(everyFixture)('LIB-3 %s is known by its content alone', (name) => {
  const candidate = fileCandidate('a.pdf', calibreFixture(name))

  expect([mobi.detect(candidate), azw3.detect(candidate)]).toEqual([!kf8.has(name), kf8.has(name)])
  expect(mobi.detect(folderCandidate('a.mobi'))).toBe(false)
  expect(mobi.detect(fileCandidate('a.mobi', Buffer.from('BOOKMOBI')))).toBe(false)
})

test.each(everyFixture)('%s says who has written it, and when', async (name) => {
  const book = await openFixture(name)

  const authors = ['Herman Melville', 'Ishmael Example'].map((each) => ({ name: each, role: 'author', sortName: null }))
  expect(await book.metadata()).toEqual([
    {
      source: 'file:mobi',
      book: {
        title: 'The Whale: A Café Tale',
        summary: 'A tale of the sea.',
        publisher: 'Harper Example',
        language: 'en',
        year: 1851,
        month: 10,
        day: 18,
        authors,
        tags: ['Whales', 'Sea stories'],
        isbns: ['9780306406157'],
      },
      series: { publisher: 'Harper Example', language: 'en', authors },
    },
  ])
  expect(book.warnings).toEqual([])
})

const titlesOf = (entries: Awaited<ReturnType<NonNullable<OpenBook['outline']>>>): unknown[] =>
  entries.map(({ title, children }) => (children.length === 0 ? title : [title, titlesOf(children)]))

test.each(everyFixture)('C17 %s has its chapters, and every link leads to where it should', async (name) => {
  const book = await openFixture(name)
  const spine = (await book.reflowable?.spine()) ?? []

  expect(spine.map(({ href, title }) => [href, title])).toEqual([
    ['part0001.xhtml', 'One: Café'],
    ['part0002.xhtml', 'Two'],
    ['part0003.xhtml', 'Three'],
    ['part0004.xhtml', 'Notes'],
  ])
  expect(await deadLinks(book)).toEqual([])
  expect(titlesOf((await book.outline?.()) ?? []).flat(Infinity)).toEqual([
    'One: Café',
    'Two',
    'Two point one',
    'Two point two',
    'Three',
    'The deep place',
    'Notes',
  ])
  const first = await chapterNamed(book, 'part0001.xhtml')
  expect(first).toContain('Call me Ishmael — “some years” ago.')
  const [, deep = ''] = /<a href="part0003\.xhtml#([^"]+)">the deep place<\/a>/.exec(first) ?? []
  const third = await chapterNamed(book, 'part0003.xhtml')
  expect(third.slice(third.indexOf(`id="${deep}"`)).replaceAll(/<[^>]*>/g, '')).toMatch(
    /^id="[^"]*">The deep place is here\./,
  )
  const notes = await chapterNamed(book, 'part0004.xhtml')
  expect(notes).toMatch(/href="part0001\.xhtml#[^"]+">back</)
  expect(await book.pages()).toEqual([])
  const positions = (await book.reflowable?.positions()) ?? []
  expect(positions.length).toBeGreaterThan(4)
  expect(positions.length).toBeLessThan(12)
})

test('the table of contents of KF8 is nested as it was', async () => {
  const book = await openFixture('whale-kf8.azw3')

  expect(titlesOf((await book.outline?.()) ?? [])).toEqual([
    'One: Café',
    ['Two', ['Two point one', 'Two point two']],
    ['Three', ['The deep place']],
    'Notes',
  ])
})

test.each<[CalibreFixture, readonly string[]]>([
  ['whale-mobi6.mobi', ['image/jpeg', 'image/jpeg', 'image/jpeg', 'image/jpeg']],
  ['whale-kf8.azw3', ['text/css', 'text/css', 'image/svg+xml', 'image/png', 'image/jpeg', 'image/jpeg', 'font/ttf']],
])('%s has pictures, style sheets and fonts as they were', async (name, types) => {
  const book = await openFixture(name)
  const served: (string | undefined)[] = []
  for (const { href, mediaType } of (await book.reflowable?.resources?.()) ?? []) {
    const resource = await book.reflowable?.readResource(href)
    expect([href, resource?.mediaType]).toEqual([href, mediaType])
    served.push(resource?.mediaType)
  }

  expect(served).toEqual(types)
  expect((await book.readCover())?.mediaType).toBe('image/jpeg')
  expect(await chapterNamed(book, 'part0001.xhtml')).toMatch(/<img [^>]*src="image0001\.(?:png|jpg)"/)
})

test('the fonts of KF8 are unpacked, and style sheets and drawings lead to what they show', async () => {
  const book = await openFixture('whale-kf8.azw3')
  const font = await book.reflowable?.readResource('font0004.ttf')

  expect([font?.bytes.length, font?.bytes[12 + 1040], font?.bytes[12 + 7]]).toEqual([
    1512,
    (1040 * 37) % 251,
    7 * 37 - 251,
  ])
  expect(await chapterNamed(book, 'flow0001.css')).toContain('url("font0004.ttf")')
  expect(await chapterNamed(book, 'part0003.xhtml')).toContain('<img src="flow0003.svg"')
  expect(await chapterNamed(book, 'flow0003.svg')).toContain('<circle')
  for (const nothing of ['image0009.jpg', 'image0001.gif', 'flow0009.css', '../etc/passwd', ''])
    expect(await book.reflowable?.readResource(nothing)).toBeUndefined()
})

test('of a file with both kinds the younger one is read, and the older one when that is damaged', async () => {
  const bytes = Buffer.from(calibreFixture('whale-joint.mobi'))
  const book = await openAs(mobi, bytes)
  bytes.write('XXXX', bytes.lastIndexOf('FDST'))
  bytes.write('XXXX', bytes.lastIndexOf('TAGX'))
  bytes.write('XXXX', bytes.indexOf('TAGX', bytes.indexOf('BOUNDARY')))
  const damaged = await openAs(mobi, bytes)

  expect((await book.reflowable?.resources?.())?.map(({ href }) => href)).toContain('flow0001.css')
  expect(damaged.warnings).toEqual([{ code: 'damaged', message: expect.stringMatching(/older one is read/) }])
  expect((await damaged.reflowable?.resources?.())?.map(({ href }) => href)).not.toContain('flow0001.css')
  expect(await wordsIn(damaged)).toContain('Call me Ishmael')
})

const prose = '<p>The whale and the whale again: “naïve” — über-whale </p>'.repeat(200)

test.each(['none', 'palmdoc', 'huffman'] as const)('text that is packed as %s is read', async (packing) => {
  const book = await openMade({ packing, text: prose, recordBytes: 4096 - 1 })

  const words = prose
    .replaceAll(/<[^>]*>/g, '\n')
    .trim()
    .replaceAll(/ ?\n+/g, '\n')
  expect(await wordsIn(book)).toBe(words)
})

test('what PalmDOC says with few bytes is written out, into itself too', async () => {
  // A word, five letters from five back, a space and a letter, ten times the last.
  const packed = Buffer.from([...Buffer.from('<p>whale'), 0x80, 0x2a, 0xe1, 0x80, 0x0f])
  const book = await openMade({ text: packed, packing: 'palmdoc', isPacked: true })

  expect(await wordsIn(book)).toBe('whalewhale aaaaaaaaaaa')
})

test('what stands after the text of a record is left out, the rest of a character among it', async () => {
  const text = Buffer.from('<p>äöü and more</p>')
  const trailing = { kinds: 0b111, bytes: Buffer.from([0x01, 0x84, 0x58, 0x85, 0x00]) }
  const bytes = Buffer.from([0x00, ...Buffer.from([0x58, 0x59, 0x83]), ...Buffer.from([0x58, 0x82])])
  const book = await openMade({ text, trailing: { ...trailing, bytes }, recordBytes: 5 })

  expect(await wordsIn(book)).toBe('äöü and more')
})

test('letters of Windows are read as such', async () => {
  const text = Buffer.from('<p>caf\xe9 \x93quoted\x94 \x85</p>', 'latin1')

  expect(await wordsIn(await openMade({ text, encoding: 'windows-1252' }))).toBe('café “quoted” …')
})

test('links that name bytes lead there, though they name the middle of a tag or a page break', async () => {
  const page = (target: number) => `<p><a filepos=${String(target).padStart(10, '0')}>there</a></p>`
  const first = page(0)
  const pageBreak = '<mbp:pagebreak/>'
  const second = '<p height="2em" width="-1em">äöü and <b>here</b></p>'
  const start = first.length + pageBreak.length
  for (const [target, expected] of [
    [first.length + 3, 'part0002.xhtml'],
    [start, 'part0002.xhtml'],
    [
      start + Buffer.from(second).indexOf('<b>') + 1,
      `part0002.xhtml#filepos${start + Buffer.from(second).indexOf('<b>') + 1}`,
    ],
    [0, 'part0001.xhtml'],
  ] as const) {
    const book = await openMade({ text: page(target) + pageBreak + second })
    expect(await chapterNamed(book, 'part0001.xhtml')).toContain(`href="${expected}"`)
    expect(await deadLinks(book)).toEqual([])
    expect(await chapterNamed(book, 'part0002.xhtml')).toContain('margin-top:2em;text-indent:-1em')
    expect(await chapterNamed(book, 'part0002.xhtml')).toContain('äöü and ')
    expect(await chapterNamed(book, 'part0002.xhtml')).toContain('<b>here</b>')
    expect(await wordsIn(book)).toContain('äöü and here')
  }
})

test('a book without a table of contents has the one on the page its guide names', async () => {
  const guide = (position: number) =>
    `<html><head><guide><reference type="toc" title="Contents" filepos=${String(position).padStart(10, '0')} /></guide></head><body>`
  const page = (target: number) => `<p><a filepos=${String(target).padStart(10, '0')}><b>The</b> end</a></p>`
  const start = guide(0).length
  const rest = '<mbp:pagebreak/><p>The end</p></body></html>'
  const book = await openMade({ text: guide(start) + page(start + page(0).length + '<mbp:pagebreak/>'.length) + rest })

  expect(await book.outline?.()).toEqual([{ title: 'The end', href: 'part0002.xhtml', children: [] }])
})

test('what a shop writes is understood: numbers, languages, directions, people', async () => {
  const exth = [
    [100, 'Melville, H.; Doe & Söhne'],
    [108, 'Tara Translator'],
    [113, 'B000FC0SIM'],
    [104, '0-306-40615-2'],
    [527, 'rtl'],
    [503, 'The whole title'],
    [106, '2001'],
  ] as const
  const [layer] = await (await openMade({ exth, locale: 0x0411 })).metadata()

  expect(layer?.book).toEqual({
    title: 'The whole title',
    language: 'ja',
    year: 2001,
    readingDirection: 'rtl',
    authors: [
      { name: 'Melville, H.', role: 'author', sortName: null },
      { name: 'Doe & Söhne', role: 'author', sortName: null },
      { name: 'Tara Translator', role: 'contributor', sortName: null },
    ],
    isbns: ['9780306406157'],
    externalIds: [{ source: 'amazon', id: 'B000FC0SIM' }],
  })
})

test('pictures are found by their numbers, and the first one on the first page stands for the book', async () => {
  const resources = [tinyJpeg(1), Buffer.from('FLIS of no use to anybody'), tinyJpeg(2)]
  const text = '<p><img hirecindex="00009" recindex="00003" src="https://evil.example/x.png"/><img recindex="2"/></p>'
  const book = await openMade({ text, resources })

  expect(await chapterNamed(book, 'part0001.xhtml')).toMatch(/<img src="image0003\.jpg"\/><img\/>/)
  expect((await book.readCover())?.bytes).toEqual(resources[2])
  const named = await openMade({ text, resources, exth: [[201, 0]] })
  expect((await named.readCover())?.bytes).toEqual(resources[0])
})

test('what is written in the text runs nothing and calls nobody', async () => {
  const text =
    '<p onclick="pwn()">Calm<script>pwn()</script><img src="https://evil.example/x"/><iframe src="x"></iframe></p>'
  const chapter = await chapterNamed(await openMade({ text }), 'part0001.xhtml')

  expect(chapter).toContain('Calm')
  expect(chapter).not.toMatch(/script|onclick|pwn|evil|iframe/)
})

test('a comic of fixed layout is read by its pictures', async () => {
  const resources = [1, 2, 3].map((page) => tinyJpeg(page))
  const text = [1, 2, 3].map((page) => `<div><img recindex="${page}"/></div>`).join('<mbp:pagebreak/>')
  const exth = [[122, 'true']] as const
  const comic = await openMade({ text, resources, exth })

  expect((await comic.pages()).map(({ name, width, height }) => [name, width, height])).toEqual([
    ['image0001.jpg', 200, 300],
    ['image0002.jpg', 200, 300],
    ['image0003.jpg', 200, 300],
  ])
  expect((await comic.readPage(2)).bytes).toEqual(resources[1])
  expect(await comic.reflowable?.positions()).toHaveLength(3)
  expect(await (await openMade({ text: `${text}<p>Words</p>`, resources, exth })).pages()).toEqual([])
  await expect(comic.readPage(4)).rejects.toMatchObject({ code: 'damaged' })
})

const faults: readonly [name: string, code: string, says: RegExp, bytes: () => Buffer][] = [
  ['that is protected', 'encrypted', /DRM/, () => mobiFile({ encryption: 2 })],
  ['without text', 'empty', /no text/, () => mobiFile({ text: '' })],
  ['that is only a Palm document', 'unsupported', /Palm/, () => palmDatabase([Buffer.alloc(300)])],
  ['whose records overlap', 'damaged', /overlap/, () => withOverlap(mobiFile())],
  ['that ends before its text', 'damaged', /cut off/, () => mobiFile({ text: prose }).subarray(0, 2000)],
  ['that ends in its head', 'damaged', /cut off/, () => mobiFile().subarray(0, 90)],
  ['of an unknown packing', 'unsupported', /compressed/, () => withPacking(mobiFile(), 9)],
  ['whose dictionary is missing', 'damaged', /dictionary/, () => mobiFile({ packing: 'huffman', dictionary: [] })],
  [
    'whose dictionary is none',
    'damaged',
    /dictionary/,
    () => mobiFile({ packing: 'huffman', dictionary: [Buffer.alloc(9), Buffer.alloc(9)] }),
  ],
  ['whose phrase is made of itself', 'damaged', /dictionary/, () => withPhrase([511, 511])],
  [
    'whose codes have no length',
    'damaged',
    /dictionary/,
    () => mobiFile({ packing: 'huffman', dictionary: huffmanRecords([], 0) }),
  ],
  ['whose phrases grow without end', 'limit', /more than/, () => growing()],
  [
    'of too many chapters',
    'limit',
    /chapters/,
    () => mobiFile({ text: 'a<mbp:pagebreak/>'.repeat(bookLimits.pages + 1) }),
  ],
]

const withOverlap = (bytes: Buffer): Buffer => {
  bytes.writeUInt32BE(80, 78 + 8)
  return bytes
}

const withPacking = (bytes: Buffer, packing: number): Buffer => {
  bytes.writeUInt16BE(packing, bytes.readUInt32BE(78))
  return bytes
}

const nine = (codes: readonly number[]): Buffer => {
  const bits = codes.map((code) => code.toString(2).padStart(9, '0')).join('')
  return Buffer.from(
    (bits.padEnd(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/g) ?? []).map((each) => Number.parseInt(each, 2)),
  )
}

/** The text is one code of nothing but ones, which is that of the first phrase. */
const firstPhrase = { packing: 'huffman', text: Buffer.from([0xff, 0x80]), isPacked: true } as const

const withPhrase = (codes: readonly number[]): Buffer =>
  mobiFile({ ...firstPhrase, dictionary: huffmanRecords([{ bytes: nine(codes), isPlain: false }]) })

/** Each phrase is the next one four times, the last one some letters. */
const growing = (): Buffer => {
  const phrases = Array.from({ length: 30 }, (_, index) => ({
    bytes: nine(Array.from({ length: 4 }, () => 510 - index)),
    isPlain: false,
  }))
  const dictionary = huffmanRecords([...phrases, { bytes: Buffer.alloc(400, 'x'), isPlain: true }])
  return mobiFile({ ...firstPhrase, dictionary })
}

test.each(faults)('LIB-7 a book %s is refused (%s) and says why', async (_name, code, says, bytes) => {
  await expect(openAs(mobi, bytes())).rejects.toMatchObject({
    name: 'BookFault',
    code,
    message: expect.stringMatching(says),
  })
})

test('as many chapters as a book may have are read, and a text as long', async () => {
  const most = await openMade({ text: 'a<mbp:pagebreak/>'.repeat(bookLimits.pages) })
  const record = Buffer.alloc(128 * 1024, 'x')
  const longest = (bytes: number) => openMade({ text: Buffer.alloc(bytes, record), recordBytes: record.length })

  expect(await most.reflowable?.spine()).toHaveLength(bookLimits.pages)
  expect(await (await longest(bookLimits.textBytes)).reflowable?.spine()).toHaveLength(1)
  await expect(longest(bookLimits.textBytes + 1)).rejects.toMatchObject({ code: 'limit' })
})

test('page breaks that break nothing make no chapters', async () => {
  const text = `${'<mbp:pagebreak/>'.repeat(200_000)}<p>One</p>${'<mbp:pagebreak/> '.repeat(9)}<p>Two</p><mbp:pagebreak/>`
  const book = await openMade({ text, recordBytes: 60_000 })

  expect((await book.reflowable?.spine())?.map(({ href }) => href)).toEqual(['part0001.xhtml', 'part0002.xhtml'])
  expect(await wordsIn(book)).toBe('One\nTwo')
})

test('links beyond what a book may have lead to the chapter, and no further', async () => {
  const links = Array.from({ length: bookLimits.anchors + 2 }, (_, index) => `<a filepos=${index + 1}>x</a>`).join('')
  const chapter = await chapterNamed(await openMade({ text: links }), 'part0001.xhtml')

  expect(chapter).toContain(`id="filepos${bookLimits.anchors}"`)
  expect(chapter).not.toContain(`id="filepos${bookLimits.anchors + 1}"`)
})

test('what is cut off at its end is read with a warning', async () => {
  const resources = [tinyJpeg(1), tinyJpeg(2)]
  const bytes = mobiFile({ resources })
  const book = await openAs(mobi, bytes.subarray(0, bytes.length - 5 - (resources[1]?.length ?? 0)))

  expect(book.warnings).toEqual([{ code: 'damaged', message: expect.stringMatching(/cut off: 2 of its records/) }])
  expect(await wordsIn(book)).toBe('Call me Ishmael.')
  expect(await book.reflowable?.resources?.()).toEqual([])
})
