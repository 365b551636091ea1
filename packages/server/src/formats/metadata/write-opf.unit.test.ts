import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { calibreOpf, opfXml } from '../../../test/books/metadata.ts'
import { fullBook, plainBook } from '../../../test/books/shown-book.ts'
import { type Element, parseStrictly } from '../../../test/opds.ts'
import { child, parseXml, xmlTextOf } from '../xml.ts'
import { opfLayer } from './opf.ts'
import type { ShownBook } from './shown-book.ts'
import { writeOpf } from './write-opf.ts'

const write = (xml: string | Buffer, shown: ShownBook): string => writeOpf(xmlTextOf(Buffer.from(xml)), shown) ?? ''
const read = (xml: string) => opfLayer(Buffer.from(xml), 'file:opf')

const rest = `<manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest>
  <!-- kept --><spine page-progression-direction="rtl"><itemref idref="c"/></spine>`
const old3 = opfXml(
  '3.0',
  `
    <dc:identifier id="uid">urn:uuid:4c1c3ad8-7c55-4bd5-8f5e-2f6a7c5f1e11</dc:identifier>
    <dc:title id="t1">Old title</dc:title>
    <meta refines="#t1" property="title-type">main</meta>
    <meta refines="#t1" property="display-seq">1</meta>
    <dc:title id="t2">Short</dc:title><meta refines="#t2" property="title-type">short</meta>
    <dc:creator id="a">Old Author</dc:creator><meta refines="#a" property="role">aut</meta>
    <dc:contributor id="b">A program</dc:contributor><meta refines="#b" property="role">bkp</meta>
    <dc:language>en</dc:language>
    <dc:date>1999</dc:date>
    <dc:rights>All of them</dc:rights>
    <meta property="dcterms:modified">2020-01-01T00:00:00Z</meta>
    <meta property="rendition:layout">pre-paginated</meta>
    <meta property="belongs-to-collection" id="s">Old series</meta><meta refines="#s" property="group-position">4</meta>
    <meta property="belongs-to-collection" id="box">A box</meta><meta refines="#box" property="collection-type">set</meta>
    <meta name="cover" content="cover-image"/>
    <meta name="calibre:series" content="Old series"/>
    <meta name="calibre:user_metadata:#own" content="{&quot;a&quot;: 1}"/>
  `,
  rest,
)

test('C26 the package of an EPUB 3 says what is shown, as it is read here', () => {
  const written = write(old3, fullBook)
  const { book, series } = read(written)
  expect(book).toMatchObject({
    title: 'Tea & <Rain>',
    titleSort: 'Tea and Rain',
    subtitle: 'A “story”',
    number: '12',
    summary: expect.stringContaining('First line.\n\nSecond line'),
    publisher: 'Picture House',
    language: 'pt-BR',
    year: 2013,
    month: 4,
    day: 10,
    tags: ['Fantasy', 'Science Fiction', 'space', 'war, civil'],
    isbns: ['9780553283686'],
    communityRating: 87,
  })
  expect(book.authors).toEqual([
    { name: 'Ada Vaughan', role: 'writer', sortName: 'Vaughan, Ada' },
    { name: 'Robert Downey, Jr.', role: 'author', sortName: null },
    { name: 'Le Guin, Ursula', role: 'illustrator', sortName: null },
    { name: 'Tove Ek', role: 'translator', sortName: null },
    { name: 'Kim', role: 'cover_artist', sortName: null },
  ])
  expect(series).toMatchObject({ title: 'Saga', titleSort: 'Saga, The' })
})

test('C26 all else in the package stays to the letter, and nothing is left of what went', () => {
  const written = write(old3, fullBook)
  for (const line of [
    rest,
    '<dc:identifier id="uid">urn:uuid:4c1c3ad8-7c55-4bd5-8f5e-2f6a7c5f1e11</dc:identifier>',
    '<dc:title id="t2">Short</dc:title><meta refines="#t2" property="title-type">short</meta>',
    '<dc:contributor id="b">A program</dc:contributor><meta refines="#b" property="role">bkp</meta>',
    '<dc:rights>All of them</dc:rights>',
    '<meta property="dcterms:modified">2020-01-01T00:00:00Z</meta>',
    '<meta property="rendition:layout">pre-paginated</meta>',
    '<meta property="belongs-to-collection" id="box">A box</meta><meta refines="#box" property="collection-type">set</meta>',
    '<meta name="cover" content="cover-image"/>',
    '<meta name="calibre:user_metadata:#own" content="{&quot;a&quot;: 1}"/>',
  ])
    expect(written).toContain(line)
  expect(written).not.toMatch(/Old |1999|#t1|#a"|#s"|>en</)
  expect(idsAreOnce(written)).toBe(true)
})

/** Each id stands once, and whatever refines something refines what is there. */
const idsAreOnce = (xml: string): boolean => {
  const metadata = child(parseXml(Buffer.from(xml)), 'metadata')?.children ?? []
  const ids = metadata.flatMap(({ attributes }) => attributes.id ?? [])
  const refined = metadata.flatMap(({ attributes }) => attributes.refines?.replace('#', '') ?? [])
  return new Set(ids).size === ids.length && refined.every((id) => ids.includes(id))
}

/** What is missing or wrong in a package, to a reader that forgives nothing and knows none of our own. */
const faultsIn = (xml: string, version: '2.0' | '3.0'): string[] => {
  const root = parseStrictly(xml)
  const all = (element: Element): Element[] => [element, ...element.children.flatMap(all)]
  const ids = all(root).flatMap(({ attributes }) => attributes['id'] ?? [])
  const metadata = root.children.find(({ name }) => name === 'metadata')?.children ?? []
  const names = metadata.flatMap(({ attributes }) => Object.keys(attributes))
  const dublin = (name: string) =>
    metadata.filter((each) => each.uri === 'http://purl.org/dc/elements/1.1/' && each.name === `dc:${name}`)
  const refined = metadata.flatMap(({ attributes }) => attributes['refines']?.slice(1) ?? [])
  const modified = metadata.filter(({ attributes }) => attributes['property'] === 'dcterms:modified')
  const isFor3 = version === '3.0'
  const rules: Readonly<Record<string, boolean>> = {
    root:
      root.name === 'package' && root.uri === 'http://www.idpf.org/2007/opf' && root.attributes['version'] === version,
    'an id that stands twice': new Set(ids).size === ids.length,
    identifier: dublin('identifier').some(
      ({ attributes }) => attributes['id'] === root.attributes['unique-identifier'],
    ),
    title: dublin('title').length > 0,
    language: dublin('language').length > 0,
    'more than one date': !isFor3 || dublin('date').length < 2,
    modified: !isFor3 || modified.length === 1,
    'attributes of EPUB 2': !isFor3 || !names.includes('opf:role'),
    'attributes of EPUB 3': isFor3 || !names.includes('property'),
    'what refines nothing': refined.every((id) => ids.includes(id)),
  }
  return Object.keys(rules).filter((rule) => !rules[rule])
}

test('C26 what an EPUB must have is in it afterwards', () => {
  for (const shown of [fullBook, plainBook]) {
    expect(faultsIn(write(old3, shown), '3.0')).toEqual([])
    expect(faultsIn(write(calibreOpf(), shown), '2.0')).toEqual([])
  }
})

test('C26 the package of an EPUB 2 says it in the words of its time', () => {
  const written = write(calibreOpf(), fullBook)
  const { book, series } = read(written)
  expect(book).toMatchObject({
    title: 'Tea & <Rain>',
    titleSort: 'Tea and Rain',
    number: '12',
    year: 2013,
    isbns: ['9780553283686'],
    communityRating: 87,
  })
  expect(book.authors?.slice(0, 2)).toEqual([
    { name: 'Ada Vaughan', role: 'writer', sortName: 'Vaughan, Ada' },
    { name: 'Robert Downey, Jr.', role: 'author', sortName: null },
  ])
  expect(series.title).toBe('Saga')
  expect(written).not.toMatch(/property=|refines=/)
  expect(written.match(/0-553-28368-5|9780553283686/g)).toHaveLength(2)
})

test('C26 written a second time it is the same as the first time', () => {
  for (const xml of [old3, calibreOpf()]) {
    const once = write(xml, fullBook)
    const twice = write(once, fullBook)
    expect(read(twice)).toEqual(read(once))
    expect(idsAreOnce(twice)).toBe(true)
    expect(twice.match(/<dc:creator/g)?.length).toBe(once.match(/<dc:creator/g)?.length)
    expect(twice.match(/<meta/g)?.length).toBe(once.match(/<meta/g)?.length)
  }
})

test('C26 a package keeps what it cannot be without', () => {
  const written = write(old3, plainBook)
  expect(read(written).book).toMatchObject({ title: 'Old title', language: 'en', year: 1999 })
  expect(read(write(old3, { ...plainBook, isOneOfSeries: false })).series.title).not.toBe('Old series')
})

test('C26 prefixes are as the package has them, and names of theirs are declared', () => {
  const prefixed = `<?xml version="1.0"?><opf:package xmlns:opf="http://www.idpf.org/2007/opf" version="2.0" unique-identifier="i"><opf:metadata><d:title xmlns:d="http://purl.org/dc/elements/1.1/">Old</d:title><opf:meta name="calibre:rating" content="2"/></opf:metadata><opf:manifest/></opf:package>`
  const bare = `<package xmlns="http://www.idpf.org/2007/opf" version="2.0" unique-identifier="i"><metadata><d:title xmlns:d="http://purl.org/dc/elements/1.1/">Old</d:title><meta name="calibre:rating" content="2"/></metadata><manifest/></package>`
  for (const xml of [prefixed, bare]) {
    const written = write(xml, fullBook)
    const metadata = parseStrictly(written).children.find(({ name }) => name.endsWith('metadata'))
    const uris = new Set(metadata?.children.map(({ name, uri }) => `${name.replace(/.*:/, '')} ${uri}`))
    expect(uris).toContain('title http://purl.org/dc/elements/1.1/')
    expect(uris).toContain('meta http://www.idpf.org/2007/opf')
    expect(read(written).book).toMatchObject({ title: 'Tea & <Rain>', communityRating: 87 })
  }
})

test('C26 a package in another encoding becomes UTF-8, and one of the first documents is left alone', () => {
  const wide = old3.replace("encoding='utf-8'", "encoding='utf-16'")
  const written = write(Buffer.from(`\uFEFF${wide}`, 'utf16le'), { ...fullBook, title: 'Käse 本' })
  expect(written).toMatch(/^<\?xml version='1\.0' encoding='utf-8'\?>/)
  expect(read(written).book.title).toBe('Käse 本')
  const first = opfXml('2.0', '<dc-metadata><dc:Title>Old</dc:Title></dc-metadata>')
  expect(writeOpf(first, fullBook)).toBeUndefined()
  expect(writeOpf('<package><metadata/></package>', fullBook)).toBeUndefined()
})

test('C26 whatever is shown, the package is well formed', () => {
  const text = fc.string({ unit: 'binary', maxLength: 20 })
  const shown = fc.record({
    title: fc.option(text),
    titleSort: fc.option(text),
    subtitle: fc.option(text),
    summary: fc.option(text),
    publisher: fc.option(text),
    seriesTitle: text,
    number: fc.option(text),
    tags: fc.array(text, { maxLength: 3 }),
    authors: fc.array(
      fc.record({
        name: text,
        role: fc.option(fc.constantFrom('writer', 'constructor', 'Own')),
        sortName: fc.option(text),
      }),
      { maxLength: 4 },
    ),
  })
  fc.assert(
    fc.property(shown, fc.constantFrom(old3, calibreOpf()), (each, xml) => {
      expect(parseStrictly(write(xml, { ...plainBook, ...each })).name).toBe('package')
    }),
  )
})
