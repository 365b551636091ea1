import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { hostileXml, xmpPacket } from '../../../test/books/metadata.ts'
import { textLimits } from '../limits.ts'
import { pdfInfoLayer } from './pdf-info.ts'

test('LIB-4 the information of a PDF describes the book; when the file was made is not when the book came out', () => {
  expect(
    pdfInfoLayer({
      Title: ' The  Fall of the Sun ',
      Author: 'Dan Simm; "Ray, Ann"; Bo Li; dan simm',
      Subject: 'A book of stars.',
      Keywords: 'stars, sun; Stars, ISBN 978-0-553-28368-6',
      Language: 'en-us',
      CreationDate: 'D:20200102030405Z',
      ModDate: 'D:20210102030405Z',
      Creator: 'Microsoft Word',
      Producer: 'A Printer 1.0',
    }),
  ).toEqual({
    source: 'file:pdf',
    book: {
      title: 'The Fall of the Sun',
      authors: [
        { name: 'Dan Simm', role: 'author', sortName: null },
        { name: 'Ray, Ann', role: 'author', sortName: null },
        { name: 'Bo Li', role: 'author', sortName: null },
      ],
      summary: 'A book of stars.',
      tags: ['stars', 'sun', 'ISBN 978-0-553-28368-6'],
      isbns: ['9780553283686'],
      language: 'en-US',
    },
    series: { language: 'en-US' },
  })
})

test('D5 the author of a PDF is one but where semicolons stand between several', () => {
  const authors = (Author: string) => pdfInfoLayer({ Author }).book.authors?.map(({ name }) => name)

  expect(authors('Ñandú & Söhne')).toEqual(['Ñandú & Söhne'])
  expect(authors('Simon and Schuster')).toEqual(['Simon and Schuster'])
  expect(authors('Simm, Dan; Ñandú & Söhne')).toEqual(['Simm, Dan', 'Ñandú & Söhne'])
})

test('LIB-4 an XMP packet goes before the information, and knows when the book came out', () => {
  const packet = xmpPacket(`
    <dc:title><rdf:Alt><rdf:li xml:lang="de">Sonne</rdf:li><rdf:li xml:lang="x-default">Sun</rdf:li></rdf:Alt></dc:title>
    <dc:creator><rdf:Seq><rdf:li>Dan Simm</rdf:li><rdf:li>Ann Ray</rdf:li></rdf:Seq></dc:creator>
    <dc:description><rdf:Alt><rdf:li xml:lang="x-default">Of stars.</rdf:li></rdf:Alt></dc:description>
    <dc:subject><rdf:Bag><rdf:li>stars</rdf:li><rdf:li>sun</rdf:li></rdf:Bag></dc:subject>
    <dc:publisher><rdf:Bag><rdf:li>Big House</rdf:li></rdf:Bag></dc:publisher>
    <dc:date><rdf:Seq><rdf:li>1999-05</rdf:li></rdf:Seq></dc:date>
    <dc:language><rdf:Bag><rdf:li>ger</rdf:li></rdf:Bag></dc:language>
    <xmp:CreateDate>2020-01-01</xmp:CreateDate>`)

  expect(
    pdfInfoLayer({ Title: 'Other', Author: 'Other', Subject: 'Other', Keywords: 'Other', Language: 'fr' }, packet),
  ).toEqual({
    source: 'file:pdf',
    book: {
      title: 'Sun',
      authors: [
        { name: 'Dan Simm', role: 'author', sortName: null },
        { name: 'Ann Ray', role: 'author', sortName: null },
      ],
      summary: 'Of stars.',
      tags: ['stars', 'sun'],
      publisher: 'Big House',
      year: 1999,
      month: 5,
      language: 'de',
    },
    series: { publisher: 'Big House', language: 'de' },
  })
  expect(pdfInfoLayer({ Title: 'Other' }, xmpPacket('<dc:title>Microsoft Word - a.doc</dc:title>')).book).toEqual({
    title: 'Other',
  })
  expect(pdfInfoLayer({}, xmpPacket('<prism:isbn>0-553-28368-5</prism:isbn>')).book).toEqual({
    isbns: ['9780553283686'],
  })
})

test.each([
  'Microsoft Word - Thesis final',
  'Microsoft PowerPoint - x.ppt',
  'untitled',
  'Untitled-1',
  'Document1',
  'scan0001',
  'book_final.indd',
  'chapter 1.qxd',
  'Sun.pdf',
  'C:\\Users\\me\\sun',
  '/home/me/sun',
  'file:///sun',
  '(anonymous)',
  '9780553283686',
  '12345-67',
  '- -',
  '\u0000',
  '',
])('%j is no title', (Title) => {
  expect(pdfInfoLayer({ Title }).book).toEqual({})
})

test.each(['1984', 'Unknown Soldier', 'Untitled Love', 'Dr. No', 'Microsoft Word for Writers', '陽', 'V.'])(
  '%s is a title',
  (Title) => {
    expect(pdfInfoLayer({ Title }).book).toEqual({ title: Title })
  },
)

test('nobody is no author', () => {
  for (const Author of ['Unknown', 'admin', 'Administrator', '-', ' ; & ', 'Microsoft Office User']) {
    expect(pdfInfoLayer({ Author }).book).toEqual({})
  }
  expect(pdfInfoLayer({ Author: 'Sandy Andersson' }).book.authors).toHaveLength(1)
})

test.each(hostileXml())('%s as XMP takes nothing from the information', (_, xml) => {
  expect(pdfInfoLayer({ Title: 'Sun' }, xml).book).toEqual({ title: 'Sun' })
})

test('hostile text comes out short and harmless', () => {
  const { book } = pdfInfoLayer({
    Title: `\u202e${'x'.repeat(1_000_000)}`,
    Author: 'a;'.repeat(500_000) + Array.from({ length: 1000 }, (_, index) => `a${index}`).join(';'),
    Keywords: Array.from({ length: 100_000 }, (_, index) => `k${index}`).join(','),
    Subject: '1234567890'.repeat(100_000),
    Language: '../x',
  })

  expect(book.title).toBe('x'.repeat(textLimits.title))
  expect(book.tags).toHaveLength(textLimits.listLength)
  expect(book.authors?.length).toBeLessThanOrEqual(textLimits.listLength)
  expect(book.summary).toHaveLength(textLimits.summary)
  expect(book.language).toBeUndefined()
})

test('whatever stands in it, a layer comes out', () => {
  const text = fc.option(fc.string({ unit: 'binary', maxLength: 60 }), { nil: undefined })

  fc.assert(
    fc.property(
      fc.record({ Title: text, Author: text, Subject: text, Keywords: text, Language: text }),
      text,
      (info, packet) => {
        expect(pdfInfoLayer(info, packet).source).toBe('file:pdf')
      },
    ),
    { numRuns: 1000 },
  )
})
