import { expect, test } from 'vitest'
import { fileCandidate, folderCandidate } from '../../../test/books/candidate.ts'
import { fictionBook } from '../../../test/books/fb2.ts'
import { calibreFixture } from '../../../test/books/fixtures/fixtures.ts'
import { chapterNamed, deadLinks, openAs, readThrough, wordsIn } from '../../../test/books/open-book.ts'
import { tinyJpeg } from '../../../test/books/pictures.ts'
import { zip } from '../../../test/books/zip.ts'
import { cbz } from '../cbz.ts'
import { epub } from '../epub/epub.ts'
import { bookLimits } from '../limits.ts'
import { fb2 } from './fb2.ts'

const open = (written: string | Buffer) => openAs(fb2, Buffer.from(written as string))
const packed = (bytes: Buffer, name = 'книга.fb2') => zip([{ name, bytes }])

test('LIB-3 a FictionBook is known by its content, by itself and as the only book in a ZIP', () => {
  const bytes = Buffer.from(fictionBook())
  const detects = (content: Buffer) => [epub, fb2, cbz].map((format) => format.detect(fileCandidate('a.cbz', content)))

  expect(detects(bytes)).toEqual([false, true, false])
  expect(detects(packed(bytes))).toEqual([false, true, false])
  expect(detects(Buffer.from(fictionBook(), 'utf16le'))).toEqual([false, true, false])
  expect(detects(packed(bytes, 'a.xml'))).toEqual([false, false, false])
  expect(detects(Buffer.from('<html>FictionBook</html>'))).toEqual([false, false, false])
  expect(fb2.detect(folderCandidate('a.fb2'))).toBe(false)
})

test('it says who has written it, who has translated it, and in which series it stands', async () => {
  const [layer] = await (await open(fictionBook())).metadata()

  expect(layer).toEqual({
    source: 'file:fb2',
    book: {
      title: 'Ночной & дозор',
      summary: 'First paragraph.\n\nSecond <Sword> paragraph.',
      publisher: 'АСТ',
      language: 'ru',
      year: 2004,
      number: '2.5',
      genres: ['Fantasy', 'my own'],
      tags: ['ночь', 'Москва'],
      authors: [
        { name: 'Сергей Васильевич Лукьяненко', role: 'author', sortName: 'Лукьяненко, Сергей Васильевич' },
        { name: 'nick', role: 'author', sortName: null },
        { name: 'Tara Translator', role: 'translator', sortName: 'Translator, Tara' },
      ],
      isbns: ['9780306406157'],
    },
    series: {
      title: 'Дозоры',
      publisher: 'АСТ',
      language: 'ru',
      genres: ['Fantasy', 'my own'],
      authors: [
        { name: 'Сергей Васильевич Лукьяненко', role: 'author', sortName: 'Лукьяненко, Сергей Васильевич' },
        { name: 'nick', role: 'author', sortName: null },
      ],
    },
  })
})

test('C17 sections are chapters, nested ones the parts of the contents, notes stand aside and are linked', async () => {
  const book = await open(fictionBook({ long: 'слово '.repeat(6000) }))
  const spine = (await book.reflowable?.spine()) ?? []

  expect(spine.map(({ href, title, isLinear }) => [href, title, isLinear])).toEqual([
    ['part0001.xhtml', null, true],
    ['part0002.xhtml', 'Часть первая', true],
    ['part0003.xhtml', 'Глава 1 строка', true],
    ['part0004.xhtml', 'Глава 2', true],
    ['part0005.xhtml', 'Короткая', true],
    ['part0006.xhtml', null, false],
  ])
  expect(await book.outline?.()).toEqual([
    {
      title: 'Часть первая',
      href: 'part0002.xhtml',
      children: [
        { title: 'Глава 1 строка', href: 'part0003.xhtml', children: [] },
        { title: 'Глава 2', href: 'part0004.xhtml', children: [] },
      ],
    },
    {
      title: 'Короткая',
      href: 'part0005.xhtml',
      children: [{ title: 'Inner', href: 'part0005.xhtml#inner%20one', children: [] }],
    },
  ])
  expect(await deadLinks(book)).toEqual([])
  expect(await chapterNamed(book, 'part0003.xhtml')).toContain(
    '<a href="part0006.xhtml#n1" epub:type="noteref">[1]</a>',
  )
  expect(await chapterNamed(book, 'part0006.xhtml')).toMatch(
    /<aside epub:type="footnote" id="n1">\s*<p class="title">1<\/p>\s*<p>A note\.<\/p>\s*<\/aside>/,
  )
  expect(await wordsIn(book)).toContain('A note.')
  const positions = (await book.reflowable?.positions()) ?? []
  expect(positions.some(({ href }) => href === 'part0006.xhtml')).toBe(false)
  expect(positions.filter(({ href }) => href === 'part0003.xhtml')).toHaveLength(65)
})

test('titles, poems, epigraphs, tables and pictures look like what they are', async () => {
  const book = await open(fictionBook())
  const first = await chapterNamed(book, 'part0001.xhtml')
  const short = await chapterNamed(book, 'part0003.xhtml')

  expect(first).toMatch(/<h1 class="title">Ночной<br\/>дозор<\/h1>/)
  expect(first).toMatch(/<blockquote class="epigraph"><p>Мы<\/p><p class="text-author">Автор<\/p><\/blockquote>/)
  expect(short).toMatch(/<div class="poem"><div class="stanza"><p class="v">Строка<\/p><p class="v">Другая<\/p>/)
  expect(short).toMatch(/<table><tr><th colspan="2" align="center">Head<\/th><\/tr><tr><td>1<\/td><td>2<\/td><\/tr>/)
  expect(short).toContain('<div class="image"><img src="image0002.jpg" alt="Карта"/></div>')
  expect(short).toContain('<p>in <img src="image0002.jpg" alt=""/> line</p>')
  expect(short).toContain('<em>em</em><strong>st</strong><s>gone</s><sub>1</sub><sup>2</sup><code>c</code>')
  expect(short).toContain('href="https://example.org/" rel="noopener noreferrer" target="_blank"')
  expect(await chapterNamed(book, 'fictionbook.css')).toContain('.poem')
  expect((await book.readCover())?.bytes).toEqual(tinyJpeg(5))
  expect((await book.reflowable?.resources?.())?.slice(1)).toEqual([
    { href: 'image0001.jpg', mediaType: 'image/jpeg' },
    { href: 'image0002.jpg', mediaType: 'image/jpeg' },
  ])
  // The stated type is ignored.
  expect((await book.reflowable?.readResource('image0002.jpg'))?.mediaType).toBe('image/jpeg')
  expect(await book.reflowable?.readResource('image0003.js')).toBeUndefined()
  for (const nothing of ['image0004.jpg', 'cover.jpg', '../x', '']) {
    expect(await book.reflowable?.readResource(nothing)).toBeUndefined()
  }
})

const cyrillic = (text: string): Buffer =>
  Buffer.from(
    Array.from(text, (sign) => {
      const code = sign.codePointAt(0) ?? 0
      return code >= 0x410 && code <= 0x44f ? code - 0x410 + 0xc0 : code
    }),
  )

test('letters are read as the file declares them, though some of its bytes are none', async () => {
  const written = fictionBook({ encoding: 'windows-1251' })
  const titleOf = async (bytes: Buffer) => (await (await open(bytes)).metadata())[0]?.book.title

  expect(await titleOf(cyrillic(written))).toBe('Ночной & дозор')
  expect(await titleOf(Buffer.from(`\uFEFF${written}`, 'utf16le'))).toBe('Ночной & дозор')
  expect(await titleOf(Buffer.from(written))).toBe('Ночной & дозор')
  const broken = Buffer.from(fictionBook({ long: '####' }))
  expect(await titleOf(broken.fill(0xd0, broken.indexOf('####'), broken.indexOf('####') + 1))).toBe('Ночной & дозор')
  expect(await titleOf(cyrillic(fictionBook({ encoding: 'no-such' })))).toBeDefined()
})

test('what calibre writes is read, in a ZIP too, and is the same book there', async () => {
  const bytes = calibreFixture('whale.fb2')
  const [plain, zipped] = [await open(bytes), await openAs(fb2, packed(bytes))]

  for (const book of [plain, zipped]) {
    expect((await book.metadata())[0]).toMatchObject({
      book: { title: 'The Whale: A Café Tale', number: '2', volume: 2, year: 1851, isbns: ['9780306406157'] },
      series: { title: 'Sea Tales' },
    })
    expect((await book.metadata())[0]?.book.genres).toBeUndefined()
    expect(await book.reflowable?.spine()).toHaveLength(4)
    expect(await deadLinks(book)).toEqual([])
    expect(await wordsIn(book)).toContain('Call me Ishmael — “some years” ago.')
    expect((await book.readCover())?.mediaType).toBe('image/jpeg')
    expect(book.warnings).toEqual([])
  }
  const other = await openAs(fb2, zip([{ name: 'книга.fb2', bytes, method: 'stored' }]))
  expect((await other.fingerprints()).content).toBe((await zipped.fingerprints()).content)
})

test('what is written in it runs nothing and calls nobody', async () => {
  const hostile =
    '<p onclick="pwn()">Calm</p><script>pwn()</script><a l:href="javascript:pwn()">x</a><image l:href="https://evil.example/x.png"/><p><![CDATA[<script>pwn()</script>]]></p><iframe src="https://evil.example"/>'
  const book = await open(fictionBook({ long: hostile, style: '*{background:url(https://evil.example)}' }))
  const markup = (
    await Promise.all((await book.reflowable?.spine())?.map(({ href }) => chapterNamed(book, href)) ?? [])
  ).join('')

  expect(markup).toContain('Calm')
  expect(markup.replaceAll('&lt;script&gt;pwn()&lt;/script&gt;', '')).not.toMatch(
    /<script|onclick|javascript|evil|iframe/,
  )
})

test('what is not closed or closed twice is put right, and read', async () => {
  const book = await open(
    fictionBook({ long: '<p>one<emphasis>two<p>three</section></section></emphasis>< & &nbsp; five' }),
  )

  expect(await wordsIn(book)).toMatch(/one ?two[\s\S]*three[\s\S]*five/)
  await readThrough(book)
})

const nested = (depth: number): string => '<section>'.repeat(depth) + '<p>x</p>' + '</section>'.repeat(depth)
const around = (body: string): string => `<FictionBook><body>${body}</body></FictionBook>`

test('sections are nested as deep as a book may be, and no deeper', async () => {
  await readThrough(await open(around(nested(bookLimits.xmlDepth))))

  await expect(open(around(nested(bookLimits.xmlDepth + 1)))).rejects.toMatchObject({
    code: 'limit',
    message: expect.stringMatching(/nested deeper/),
  })
})

test('a book has as many chapters as it may have, and no more', async () => {
  const chapters = (count: number) => open(around('<section><p>x</p></section>'.repeat(count)))

  expect(await (await chapters(bookLimits.pages)).reflowable?.spine()).toHaveLength(bookLimits.pages)
  await expect(chapters(bookLimits.pages + 1)).rejects.toMatchObject({ code: 'limit' })
})

test.each<[string, string, Buffer]>([
  ['that breaks off before its text', 'damaged', Buffer.from(fictionBook().slice(0, 400))],
  ['without text', 'empty', Buffer.from(around('<section></section>'))],
  [
    'whose text is too long',
    'limit',
    Buffer.concat([Buffer.from('<FictionBook><body><p>'), Buffer.alloc(bookLimits.textBytes, 'x')]),
  ],
  [
    'with too many pictures',
    'limit',
    Buffer.from(`<FictionBook>${'<binary></binary>'.repeat(bookLimits.entries + 1)}`),
  ],
  ['that is something else in its ZIP', 'damaged', packed(Buffer.from('something else'))],
])('LIB-7 a book %s is refused (%s) and says why', async (_name, code, bytes) => {
  await expect(openAs(fb2, bytes)).rejects.toMatchObject({
    name: 'BookFault',
    code,
    message: expect.stringMatching(/^\p{Lu}.{5,}/u),
  })
})

test('what breaks off, or describes itself badly, is read with a warning', async () => {
  const written = fictionBook()
  const cut = await open(written.slice(0, written.indexOf('Другая')))
  const bad = await open(written.replace('</title-info>', ''))

  expect(cut.warnings).toEqual([{ code: 'damaged', message: expect.stringMatching(/breaks off/) }])
  expect(await wordsIn(cut)).toContain('Строка')
  expect(bad.warnings).toEqual([{ code: 'damaged', message: expect.stringMatching(/says of itself/) }])
  expect(await wordsIn(bad)).toContain('Строка')
})
