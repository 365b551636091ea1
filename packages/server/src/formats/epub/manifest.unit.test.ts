import { expect, test } from 'vitest'
import { fileCandidate, noEnvironment } from '../../../test/books/candidate.ts'
import { epub as makeEpub, type EpubOptions } from '../../../test/books/epub.ts'
import type { MetadataLayer } from '../book-format.ts'
import { epub } from './epub.ts'
import { readiumManifest, type ManifestDetails } from './manifest.ts'

const links = { self: '/api/v1/books/1/manifest', hrefPrefix: '/api/v1/books/1/resources/' }

const detailsOf = async (options: EpubOptions): Promise<ManifestDetails> => {
  const book = await epub.open(fileCandidate('a book', makeEpub(options)), noEnvironment)
  const [metadata] = await book.metadata()
  const { reflowable } = book
  if (reflowable === undefined || metadata === undefined) throw new Error('It has no text that flows')
  return {
    metadata,
    spine: await reflowable.spine(),
    resources: (await reflowable.resources?.()) ?? [],
    outline: (await book.outline?.()) ?? [],
    readingDirection: reflowable.readingDirection,
    isFixedLayout: reflowable.isFixedLayout,
    positionCount: (await reflowable.positions()).length,
  }
}

test('an open book becomes a Readium manifest', async () => {
  const details = await detailsOf({
    chapters: [{}, { isLinear: false }],
    series: { title: 'Whales', position: '2', as: 'calibre' },
    direction: 'rtl',
  })

  expect(readiumManifest(details, links)).toEqual({
    '@context': 'https://readium.org/webpub-manifest/context.jsonld',
    metadata: {
      '@type': 'http://schema.org/Book',
      conformsTo: 'https://readium.org/webpub-manifest/profiles/epub',
      title: 'Moby-Dick',
      language: 'en',
      author: [{ name: 'Herman Melville' }],
      readingProgression: 'rtl',
      numberOfPages: 1,
      belongsTo: { series: [{ name: 'Whales', position: 2 }] },
      layout: 'reflowable',
      rendition: { layout: 'reflowable' },
    },
    links: [{ rel: 'self', href: links.self, type: 'application/webpub+json' }],
    readingOrder: [
      { href: `${links.hrefPrefix}OEBPS/text/ch1.xhtml`, type: 'application/xhtml+xml', title: 'Chapter 1' },
    ],
    resources: [
      { href: `${links.hrefPrefix}OEBPS/text/ch2.xhtml`, type: 'application/xhtml+xml' },
      { href: `${links.hrefPrefix}OEBPS/images/cover.jpg`, type: 'image/jpeg' },
      { href: `${links.hrefPrefix}OEBPS/nav.xhtml`, type: 'application/xhtml+xml' },
      { href: `${links.hrefPrefix}OEBPS/style.css`, type: 'text/css' },
    ],
    toc: [
      {
        // A part has no address of its own: it leads where its first chapter does.
        href: `${links.hrefPrefix}OEBPS/text/ch1.xhtml`,
        title: 'Part 1',
        children: [
          { href: `${links.hrefPrefix}OEBPS/text/ch1.xhtml`, title: 'Chapter 1' },
          { href: `${links.hrefPrefix}OEBPS/text/ch2.xhtml`, title: 'Chapter 2' },
        ],
      },
    ],
    landmarks: [],
    pageList: [],
  })
})

test('what Readium does not allow is not said', () => {
  const manifestOf = (book: MetadataLayer['book'], series: MetadataLayer['series'] = {}) =>
    readiumManifest(
      {
        metadata: { source: 'file:opf', book, series },
        spine: [],
        resources: [],
        outline: [{ title: 'Nowhere', children: [] }],
        readingDirection: null,
        isFixedLayout: true,
        positionCount: 0,
      },
      links,
    )
  const person = (name: string, role: 'translator' | null) => ({ name, role, sortName: null })

  expect(manifestOf({}).metadata).toEqual({
    '@type': 'http://schema.org/Book',
    conformsTo: 'https://readium.org/webpub-manifest/profiles/epub',
    title: '',
    readingProgression: 'auto',
    layout: 'fixed',
    rendition: { layout: 'fixed' },
  })
  expect(manifestOf({}).toc).toEqual([])
  expect(manifestOf({ number: '0' }, { title: 'S' }).metadata.belongsTo).toEqual({ series: [{ name: 'S' }] })
  expect(manifestOf({ number: '1A' }, { title: 'S' }).metadata.belongsTo).toEqual({ series: [{ name: 'S' }] })
  expect(manifestOf({ year: 851 }).metadata.published).toBe('0851')
  expect(manifestOf({ year: 1851, month: 2 }).metadata.published).toBe('1851-02')
  expect(manifestOf({ year: 1851, month: 10, day: 8 }).metadata.published).toBe('1851-10-08')
  expect(manifestOf({ isbns: ['9780000000000'] }).metadata.identifier).toBe('urn:isbn:9780000000000')
  expect(manifestOf({ authors: [person('A', 'translator'), person('B', null)] }).metadata).toMatchObject({
    translator: [{ name: 'A' }],
    contributor: [{ name: 'B' }],
  })
})
