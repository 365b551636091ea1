import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { calibreOpf, hostileXml, opfXml } from '../../../test/books/metadata.ts'
import { BookFault } from '../book-format.ts'
import { textLimits } from '../limits.ts'
import { parseXml } from '../xml.ts'
import { coverHref, opfLayer } from './opf.ts'

const read = (xml: string) => opfLayer(Buffer.from(xml), 'file:opf')
const coverOf = (metadata: string, rest: string) => coverHref(parseXml(Buffer.from(opfXml('3.0', metadata, rest))))

test('LIB-4 the metadata.opf that calibre keeps beside a book is read', () => {
  expect(opfLayer(Buffer.from(calibreOpf()), 'sidecar:opf')).toEqual({
    source: 'sidecar:opf',
    book: {
      title: 'The Fall of the Sun',
      titleSort: 'Fall of the Sun, The',
      summary: 'First words here.\n\nSecond & last.',
      number: '2',
      volume: 2,
      publisher: 'Big House',
      language: 'en',
      year: 1990,
      month: 2,
      day: 28,
      tags: ['Fiction', 'Space Opera'],
      authors: [
        { name: 'Dan Simm', role: 'author', sortName: 'Simm, Dan' },
        { name: 'Ann Ray', role: 'author', sortName: 'Ray, Ann' },
        { name: 'Tove Ek', role: 'translator', sortName: null },
      ],
      isbns: ['9780553283686'],
      externalIds: [
        { source: 'calibre', id: '4711' },
        { source: 'amazon', id: 'B000FC0SIM' },
        { source: 'goodreads', id: '77566' },
      ],
      communityRating: 80,
    },
    series: {
      title: 'Cantos',
      publisher: 'Big House',
      language: 'en',
      authors: [
        { name: 'Dan Simm', role: 'author', sortName: 'Simm, Dan' },
        { name: 'Ann Ray', role: 'author', sortName: 'Ray, Ann' },
      ],
    },
  })
})

test('LIB-4 an EPUB 3 says what its entries mean in others that refine them', () => {
  const { book, series } = read(
    opfXml(
      '3.0',
      `<dc:identifier id="uid">urn:uuid:4c1c3ad8-7c55-4bd5-8f5e-2f6a7c5f1e11</dc:identifier>
      <dc:identifier id="isbn">9780553283686</dc:identifier>
      <meta refines="#isbn" property="identifier-type" scheme="onix:codelist5">15</meta>
      <dc:identifier>goodreads:77566</dc:identifier>
      <dc:identifier>https://www.goodreads.com/book/show/77566-hyperion</dc:identifier>
      <dc:title id="t1">A Collection</dc:title><meta refines="#t1" property="title-type">collection</meta>
      <dc:title id="t2">The Sun</dc:title><meta refines="#t2" property="title-type">main</meta>
      <meta refines="#t2" property="file-as">Sun, The</meta>
      <dc:title id="t3">A Story of Stars</dc:title><meta refines="#t3" property="title-type">subtitle</meta>
      <dc:title id="t4">Second Edition</dc:title><meta refines="#t4" property="title-type">edition</meta>
      <dc:creator id="c1">Dan Simm</dc:creator><meta refines="#c1" property="role" scheme="marc:relators">aut</meta>
      <meta refines="#c1" property="file-as">Simm, Dan</meta>
      <dc:creator id="c2">Ann Ray</dc:creator><meta refines="#c2" property="role">ill</meta>
      <dc:creator>Bo Li</dc:creator><dc:contributor>Cy Fo</dc:contributor><dc:contributor id="c5">Di</dc:contributor>
      <meta refines="#c5" property="role">xyz</meta>
      <dc:language>xx</dc:language><dc:language>ja</dc:language>
      <meta property="dcterms:modified">2020-01-01T00:00:00Z</meta><meta property="dcterms:issued">1999-02</meta>
      <meta id="s0" property="belongs-to-collection">A Set</meta><meta refines="#s0" property="collection-type">set</meta>
      <meta refines="#s1" property="belongs-to-collection" id="s2">A Universe</meta>
      <meta refines="#s2" property="collection-type">series</meta>
      <meta id="s1" property="belongs-to-collection">The Cantos</meta>
      <meta refines="#s1" property="collection-type">series</meta>
      <meta refines="#s1" property="file-as">Cantos, The</meta>
      <meta refines="#s1" property="group-position">1.5</meta>
      <meta name="calibre:series" content="Another"/>
      <dc:subject>Manga; Drama</dc:subject>`,
      '<manifest/><spine page-progression-direction="rtl"/>',
    ),
  )

  expect(book).toEqual({
    title: 'The Sun',
    titleSort: 'Sun, The',
    subtitle: 'A Story of Stars',
    edition: 'Second Edition',
    number: '1.5',
    year: 1999,
    month: 2,
    language: 'ja',
    readingDirection: 'rtl',
    tags: ['Manga', 'Drama'],
    authors: [
      { name: 'Dan Simm', role: 'author', sortName: 'Simm, Dan' },
      { name: 'Ann Ray', role: 'illustrator', sortName: null },
      { name: 'Bo Li', role: 'author', sortName: null },
      { name: 'Cy Fo', role: 'contributor', sortName: null },
      { name: 'Di', role: 'contributor', sortName: null },
    ],
    isbns: ['9780553283686'],
    externalIds: [{ source: 'goodreads', id: '77566', url: 'https://www.goodreads.com/book/show/77566-hyperion' }],
    links: ['https://www.goodreads.com/book/show/77566-hyperion'],
  })
  expect(series).toEqual({
    title: 'The Cantos',
    titleSort: 'Cantos, The',
    language: 'ja',
    readingDirection: 'rtl',
    authors: [
      { name: 'Dan Simm', role: 'author', sortName: 'Simm, Dan' },
      { name: 'Ann Ray', role: 'illustrator', sortName: null },
      { name: 'Bo Li', role: 'author', sortName: null },
    ],
  })
})

test('a collection of no kind is a series when nothing else is', () => {
  const collection =
    '<meta property="belongs-to-collection" id="c">A</meta><meta refines="#c" property="group-position">3</meta>'
  const calibre = '<meta name="calibre:series" content="B"/><meta name="calibre:series_index" content="4.50"/>'

  expect(read(opfXml('3.0', collection))).toMatchObject({ book: { number: '3', volume: 3 }, series: { title: 'A' } })
  const both = read(opfXml('3.0', collection + calibre))
  expect(both).toMatchObject({ book: { number: '4.50' }, series: { title: 'B' } })
  expect(both.book.volume).toBeUndefined()
})

test('of several dates the one of publication counts', () => {
  const dates = (...events: (string | undefined)[]) =>
    read(
      opfXml(
        '2.0',
        events
          .map((event, index) => `<dc:date${event ? ` opf:event="${event}"` : ''}>${2001 + index}</dc:date>`)
          .join(''),
      ),
    ).book

  expect(dates('modification', 'creation', 'publication')).toEqual({ year: 2003 })
  expect(dates('modification', undefined, 'original-publication')).toEqual({ year: 2002 })
  expect(dates('original-publication')).toEqual({ year: 2001 })
  expect(dates('conversion')).toEqual({})
  expect(read(opfXml('2.0', '<dc:date>0101-01-01T00:00:00+00:00</dc:date><dc:date>1999</dc:date>')).book).toEqual({
    year: 1999,
  })
})

test('D5 a creator is one person, whatever stands in the name, and is sorted by what its element says', () => {
  const people = (metadata: string) =>
    opfLayer(
      Buffer.from(`<package xmlns:opf="o"><metadata>${metadata}</metadata></package>`),
      'file:opf',
    ).book.authors?.map(({ name, sortName }) => [name, sortName])

  expect(
    people(
      '<dc:creator opf:file-as="Ñandú &amp; Söhne">Ñandú &amp; Söhne</dc:creator>' +
        '<dc:creator>Le Guin, Ursula K.</dc:creator><dc:creator>Earth, Wind and Fire</dc:creator>' +
        '<dc:creator>Tom &amp;amp; Co.</dc:creator>',
    ),
  ).toEqual([
    ['Ñandú & Söhne', 'Ñandú & Söhne'],
    ['Le Guin, Ursula K.', null],
    ['Earth, Wind and Fire', null],
    ['Tom & Co.', null],
  ])
  // No name has a semicolon; and where each part is turned around to be sorted there are several.
  expect(people('<dc:creator>Ann Ray; Bo Li</dc:creator>')).toEqual([
    ['Ann Ray', null],
    ['Bo Li', null],
  ])
  // calibre writes the sort names of all into each.
  const all = 'opf:file-as="Simm, Dan &amp; Ñandú &amp; Söhne, Ray"'
  expect(people(`<dc:creator ${all}>Dan Simm</dc:creator><dc:creator ${all}>Ann Ray</dc:creator>`)).toEqual([
    ['Dan Simm', null],
    ['Ann Ray', null],
  ])
  const both = 'opf:file-as="Simm, Dan &amp; Ray, Ann"'
  expect(people(`<dc:creator ${both}>Dan Simm</dc:creator><dc:creator ${both}>Ann Ray</dc:creator>`)).toEqual([
    ['Dan Simm', 'Simm, Dan'],
    ['Ann Ray', 'Ray, Ann'],
  ])
})

test('identifiers that only name a file, and ISBNs that are none, say nothing', () => {
  const { book } = read(
    opfXml(
      '2.0',
      `<dc:identifier opf:scheme="calibre">4c1c3ad8-7c55-4bd5-8f5e-2f6a7c5f1e11</dc:identifier>
      <dc:identifier opf:scheme="UUID">x</dc:identifier><dc:identifier>urn:uuid:1</dc:identifier>
      <dc:identifier opf:scheme="ISBN">9780553283687</dc:identifier><dc:identifier>file name</dc:identifier>
      <dc:identifier opf:scheme="URI">javascript:alert(1)</dc:identifier><dc:identifier opf:scheme="a b">c</dc:identifier>
      <dc:identifier opf:scheme="amazon_de">B1</dc:identifier><dc:identifier opf:scheme="x">0-553-28368-5</dc:identifier>`,
    ),
  )

  expect(book.isbns).toBeUndefined()
  expect(book.externalIds).toEqual([{ source: 'amazon', id: 'B1' }])
})

test('the first package documents kept their entries one step further in, and left prefixes undeclared', () => {
  const { book } = read(
    `<!DOCTYPE package PUBLIC "+//ISBN 0-9673008-1-9//DTD OEB 1.2 Package//EN" "http://openebook.org/dtds/oeb-1.2/oebpkg12.dtd">
    <package><metadata><dc-metadata><dc:Title>Old</dc:Title><dc:Creator opf:role="aut">A B</dc:Creator></dc-metadata>
    <x-metadata><meta name="calibre:rating" content="10"/></x-metadata></metadata></package>`,
  )

  expect(book).toEqual({
    title: 'Old',
    authors: [{ name: 'A B', role: 'author', sortName: null }],
    communityRating: 100,
  })
})

test('a description of elements keeps its paragraphs', () => {
  expect(read(opfXml('3.0', '<dc:description><p>One</p><p>Two</p></dc:description>')).book.summary).toBe('One\n\nTwo')
})

test('the writing mode of a Kindle book is its direction', () => {
  expect(read(opfXml('2.0', '<meta name="primary-writing-mode" content="horizontal-rl"/>')).book).toEqual({
    readingDirection: 'rtl',
  })
  expect(read(opfXml('3.0', '', '<spine page-progression-direction="default"/>')).book).toEqual({})
})

test('the cover is the picture that the manifest, the metadata or its name says, else the page of the guide', () => {
  const items = `<item id="a" href="a.jpg" media-type="image/jpeg"/><item id="b" href="b.png" media-type="image/png"/>
    <item id="page" href="cover.xhtml" media-type="application/xhtml+xml"/>`
  const property = '<item id="c" href="c.webp" media-type="image/webp" properties="svg cover-image"/>'
  const named = '<item id="cover-image" href="d.jpg" media-type="image/jpeg"/>'
  const guide = '<guide><reference type="Cover" href="cover.xhtml"/></guide>'
  const manifest = (...more: string[]) => `<manifest>${items}${more.join('')}</manifest>${guide}`

  expect(coverOf('<meta name="cover" content="b"/>', manifest(property, named))).toBe('c.webp')
  expect(coverOf('<meta name="cover" content="b"/>', manifest(named))).toBe('b.png')
  expect(coverOf('<meta content="b.png" name="cover"/>', manifest(named))).toBe('b.png')
  expect(coverOf('<meta name="cover" content="page"/>', manifest(named))).toBe('d.jpg')
  expect(coverOf('', manifest())).toBe('cover.xhtml')
  expect(coverOf('', `<manifest>${items}</manifest>`)).toBeUndefined()
  expect(coverOf('', '')).toBeUndefined()
})

test('what is no package document is a fault, an empty one says nothing', () => {
  expect(() => read('<html/>')).toThrow(BookFault)
  expect(read('<package/>')).toEqual({ source: 'file:opf', book: {}, series: {} })
  expect(read('<metadata><title>T</title></metadata>').book).toEqual({ title: 'T' })
})

test.each(hostileXml())('%s says nothing of any book', (_, xml) => {
  expect(() => read(xml)).toThrow(BookFault)
})

test('of any number of entries as many are kept as there may be', () => {
  const many = (entry: (position: number) => string) =>
    Array.from({ length: 10_000 }, (_, index) => entry(index)).join('')
  const { book } = read(
    opfXml(
      '3.0',
      many((position) => `<dc:creator>p${position}</dc:creator>`) +
        many((position) => `<dc:subject>s${position}</dc:subject>`) +
        many((position) => `<dc:identifier>shop:${position}</dc:identifier>`) +
        many((position) => `<meta property="belongs-to-collection">c${position}</meta>`),
    ),
  )

  expect([book.authors?.length, book.tags?.length, book.externalIds?.length]).toEqual([
    textLimits.listLength,
    textLimits.listLength,
    textLimits.listLength,
  ])
})

test('whatever the entries are, a layer or a fault comes out', () => {
  const piece = fc.constantFrom(
    '<dc:title id="a">',
    '</dc:title>',
    '<dc:date>',
    '</dc:date>',
    '<dc:identifier opf:scheme="ISBN">',
    '</dc:identifier>',
    '<meta refines="#a" property="role">',
    '</meta>',
    '<meta name="calibre:series_index" content="1e309"/>',
    '<dc:creator/>',
    'urn:isbn:1',
    '99999-99-99',
  )

  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 20 }), (parts) => {
      const xml = opfXml('2.0', parts.join(''))
      let outcome: unknown
      try {
        outcome = read(xml).source
      } catch (error) {
        outcome = error instanceof BookFault ? 'file:opf' : error
      }
      expect(outcome).toBe('file:opf')
    }),
    { numRuns: 1000 },
  )
})
