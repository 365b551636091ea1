import type { Manifest, PageDto } from '@carrel/api'
import { type OpdsLink, type OpdsManifest, type OpdsTocEntry, opdsTypes } from '@carrel/api/doors'
import { notFound } from '../../platform/errors.ts'
import { fileAddress, hrefOf, mediaAddress, type Place, type Publication } from './feed.ts'
import { directionOf } from './opds2.ts'
import { cleanText } from './xml.ts'

const profiles = 'https://readium.org/webpub-manifest/profiles/'

interface PictureBook {
  readonly pages: readonly PageDto[]
  readonly toc: Manifest['toc']
}

/** The pages of a book as pictures. */
export const divinaOf = (publication: Publication, { pages, toc }: PictureBook, place: Place): OpdsManifest => {
  if (!publication.hasPages || pages.length === 0) throw notFound('page in this book')
  const readingOrder = pages.map(({ pageNumber, mediaType, width, height }) => ({
    href: inBook(place, publication, `pages/${pageNumber}`),
    type: shownAs(mediaType),
    ...(width !== null && height !== null && { width, height }),
  }))
  return manifestOf(publication, place, {
    profile: 'divina',
    self: { rel: 'self', href: inBook(place, publication, 'manifest/divina'), type: opdsTypes.divina },
    readingOrder,
    resources: [],
    // What leads to parts of a document leads to no picture.
    toc: publication.book.fileFormat === 'epub' ? [] : tocOf(toc, (href) => inBook(place, publication, href)),
  })
}

/** What reads a book as it is: its parts, one after the other, a PDF as one. */
export const webManifestOf = (
  publication: Publication,
  { readingOrder, resources, toc }: Manifest,
  place: Place,
): OpdsManifest => {
  const { book, file } = publication
  const part = ({ href, type, title }: Manifest['readingOrder'][number]): OpdsLink => ({
    href: inBook(place, publication, href),
    type: href.startsWith('pages/') ? shownAs(type) : type,
    ...(title !== undefined && cleanText(title) !== '' && { title: cleanText(title) }),
  })
  const isPdf = book.fileFormat === 'pdf'
  return manifestOf(publication, place, {
    profile: isPdf ? 'pdf' : book.fileFormat !== 'epub' && publication.hasPages ? 'divina' : 'epub',
    self: { rel: 'self', href: inBook(place, publication, 'manifest'), type: opdsTypes.webPublication },
    readingOrder: isPdf
      ? [{ href: fileAddress(place, publication), type: file.mediaType, title: publication.title }]
      : readingOrder.map(part),
    resources: resources.map(part),
    toc: tocOf(toc, (href) =>
      isPdf
        ? `${fileAddress(place, publication)}#page=${href.replace('pages/', '')}`
        : inBook(place, publication, href),
    ),
  })
}

const inBook = (place: Place, { book }: Publication, path: string): string =>
  hrefOf(place, 'v2', { path: `/books/${book.id}/` }) + path

interface Inside {
  readonly profile: 'divina' | 'epub' | 'pdf'
  readonly self: OpdsLink
  readonly readingOrder: readonly OpdsLink[]
  readonly resources: readonly OpdsLink[]
  readonly toc: readonly OpdsTocEntry[]
}

const manifestOf = (
  { book, title, hasPages }: Publication,
  place: Place,
  { profile, self, readingOrder, resources, toc }: Inside,
): OpdsManifest => {
  const at = (path: string) => hrefOf(place, 'v2', { path: `/books/${book.id}${path}` })
  return {
    '@context': 'https://readium.org/webpub-manifest/context.jsonld',
    metadata: {
      '@type': hasPages ? 'http://schema.org/ComicIssue' : 'http://schema.org/Book',
      conformsTo: profiles + profile,
      identifier: `urn:uuid:${book.id}`,
      title,
      ...(book.pageCount > 0 && { numberOfPages: book.pageCount }),
      layout: hasPages ? 'fixed' : 'reflowable',
      ...directionOf(book.readingDirection),
    },
    links: [
      self,
      { rel: 'http://opds-spec.org/progression', href: at('/progression'), type: opdsTypes.progression },
      { rel: 'http://www.cantook.com/api/progression', href: at('/position'), type: opdsTypes.readiumProgression },
      { rel: 'cover', href: mediaAddress(place, 'books', book, 'cover'), type: 'image/jpeg' },
    ],
    readingOrder: [...readingOrder],
    resources: [...resources],
    toc,
  }
}

const tocOf = (toc: Manifest['toc'], inPlace: (href: string) => string): OpdsTocEntry[] =>
  toc.map(({ title, href, children }) => ({
    title: cleanText(title) || 'Untitled',
    ...(href !== undefined && { href: inPlace(href) }),
    ...(children && children.length > 0 && { children: tocOf(children, inPlace) }),
  }))

/** Pages of other kinds are made into what everybody shows. */
const shownEverywhere = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif', 'image/bmp'])
const shownAs = (type: string): string => (shownEverywhere.has(type) ? type : 'image/jpeg')
