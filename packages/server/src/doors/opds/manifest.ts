import type { Manifest, PageDto } from '@carrel/api'
import { type OpdsLink, type OpdsManifest, type OpdsTocEntry, opdsTypes } from '@carrel/api/doors'
import { notFound } from '../../platform/errors.ts'
import { fileAddress, hrefOf, mediaAddress, type FeedContext, type Publication } from './feed.ts'
import { isOffered } from './offering.ts'
import { publicationMetadata } from './publication-metadata.ts'
import { cleanText } from './xml.ts'

const profiles = 'https://readium.org/webpub-manifest/profiles/'

interface PictureBook {
  readonly pages: readonly PageDto[]
  readonly toc: Manifest['toc']
}

/** The pages of a book as pictures. */
export const divinaOf = (publication: Publication, { pages, toc }: PictureBook, place: FeedContext): OpdsManifest => {
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
    // A link to a part of a document leads to no picture.
    toc: publication.book.fileFormat === 'epub' ? [] : tocOf(toc, (href) => inBook(place, publication, href)),
  })
}

/** It lists what a reader loads: the parts one after the other, or a PDF as one. */
export const webManifestOf = (
  publication: Publication,
  { readingOrder, resources, toc }: Manifest,
  place: FeedContext,
): OpdsManifest => {
  const { book, file, hasPages } = publication
  const whole = file && { href: fileAddress(place, book.id, file), type: file.mediaType }
  // A user who may not fetch files gets the pages instead.
  const pdf = book.fileFormat === 'pdf' && whole && isOffered(place, whole.href) ? whole : undefined
  const part = ({ href, type, title }: Manifest['readingOrder'][number]): OpdsLink => ({
    href: inBook(place, publication, href),
    type: href.startsWith('pages/') ? shownAs(type) : type,
    ...(title !== undefined && cleanText(title) !== '' && { title: cleanText(title) }),
  })
  return manifestOf(publication, place, {
    profile: pdf ? 'pdf' : book.fileFormat !== 'epub' && hasPages ? 'divina' : 'epub',
    self: { rel: 'self', href: inBook(place, publication, 'manifest'), type: opdsTypes.webPublication },
    readingOrder: pdf ? [{ ...pdf, title: publication.title }] : readingOrder.map(part),
    resources: resources.map(part),
    toc: tocOf(toc, (href) =>
      pdf ? `${pdf.href}#page=${href.replace('pages/', '')}` : inBook(place, publication, href),
    ),
  })
}

const inBook = (place: FeedContext, { book }: Publication, path: string): string =>
  hrefOf(place, 'v2', { path: `/books/${book.id}/` }) + path

interface Inside {
  readonly profile: 'divina' | 'epub' | 'pdf'
  readonly self: OpdsLink
  readonly readingOrder: readonly OpdsLink[]
  readonly resources: readonly OpdsLink[]
  readonly toc: readonly OpdsTocEntry[]
}

const manifestOf = (
  publication: Publication,
  place: FeedContext,
  { profile, self, readingOrder, resources, toc }: Inside,
): OpdsManifest => {
  const { book, hasPages } = publication
  const at = (path: string) => hrefOf(place, 'v2', { path: `/books/${book.id}${path}` })
  const links = [
    self,
    { rel: 'http://opds-spec.org/progression', href: at('/progression'), type: opdsTypes.progression },
    { rel: 'http://www.cantook.com/api/progression', href: at('/position'), type: opdsTypes.readiumProgression },
    { rel: 'cover', href: mediaAddress(place, { of: 'books', ...book }, 'cover'), type: 'image/jpeg' },
  ]
  return {
    '@context': 'https://readium.org/webpub-manifest/context.jsonld',
    metadata: {
      ...publicationMetadata(publication, place),
      conformsTo: profiles + profile,
      layout: hasPages ? 'fixed' : 'reflowable',
    },
    links: links.filter(({ href }) => isOffered(place, href)),
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
export const shownAs = (type: string): string => (shownEverywhere.has(type) ? type : 'image/jpeg')
