import type { Manifest, PageDto } from '@carrel/api'
import { type OpdsLink, type OpdsManifest, type OpdsTocEntry, opdsTypes } from '@carrel/api/doors'
import { goalOf } from '../../../features/contents/contents.ts'
import { notFound } from '../../../platform/errors.ts'
import { fileAddress, hrefOf, mediaAddress, type FeedContext, type Publication } from '../feed.ts'
import { isOffered } from '../offering.ts'
import { publicationMetadata } from '../entries/publication-metadata.ts'
import { cleanText } from '../xml.ts'

const profiles = 'https://readium.org/webpub-manifest/profiles/'

interface PictureBook {
  readonly pages: readonly PageDto[]
  readonly toc: Manifest['toc']
}

/** The pages of a book as pictures. */
export const divinaOf = (
  publication: Publication,
  { pages, toc }: PictureBook,
  feedContext: FeedContext,
): OpdsManifest => {
  if (!publication.hasPages || pages.length === 0) throw notFound('page in this book')
  const readingOrder = pages.map(({ pageNumber, mediaType, width, height }) => ({
    href: inBook(feedContext, publication, `pages/${pageNumber}`),
    type: shownAs(mediaType),
    ...(width !== null && height !== null && { width, height }),
  }))
  return manifestOf(publication, feedContext, {
    profile: 'divina',
    self: { rel: 'self', href: inBook(feedContext, publication, 'manifest/divina'), type: opdsTypes.divina },
    readingOrder,
    resources: [],
    // A link to a part of a document leads to no picture.
    toc:
      publication.book.fileFormat === 'epub'
        ? []
        : tocOf(toc, feedContext, (href) => inBook(feedContext, publication, href)),
  })
}

/** It lists what a reader loads: the parts one after the other, or a PDF as one. */
export const webManifestOf = (
  publication: Publication,
  { readingOrder, resources, toc }: Manifest,
  feedContext: FeedContext,
): OpdsManifest => {
  const { book, file, hasPages } = publication
  const fileLink = file && { href: fileAddress(feedContext, book.id, file), type: file.mediaType }
  // A user who may not fetch files gets the pages instead.
  const pdf = book.fileFormat === 'pdf' && fileLink && isOffered(feedContext, fileLink.href) ? fileLink : undefined
  const part = ({ href, type, title }: Manifest['readingOrder'][number]): OpdsLink => ({
    href: inBook(feedContext, publication, href),
    type: href.startsWith('pages/') ? shownAs(type) : type,
    ...(title !== undefined && cleanText(title) !== '' && { title: cleanText(title) }),
  })
  return manifestOf(publication, feedContext, {
    profile: pdf ? 'pdf' : book.fileFormat !== 'epub' && hasPages ? 'divina' : 'epub',
    self: { rel: 'self', href: inBook(feedContext, publication, 'manifest'), type: opdsTypes.webPublication },
    readingOrder: pdf ? [{ ...pdf, title: publication.title }] : readingOrder.map(part),
    resources: resources.map(part),
    toc: tocOf(toc, feedContext, (href) =>
      pdf ? `${pdf.href}#page=${href.replace('pages/', '')}` : inBook(feedContext, publication, href),
    ),
  })
}

const inBook = (feedContext: FeedContext, { book }: Publication, path: string): string =>
  hrefOf(feedContext, 'v2', { path: `/books/${book.id}/` }) + path

interface Inside {
  readonly profile: 'divina' | 'epub' | 'pdf'
  readonly self: OpdsLink
  readonly readingOrder: readonly OpdsLink[]
  readonly resources: readonly OpdsLink[]
  readonly toc: readonly OpdsTocEntry[]
}

const manifestOf = (
  publication: Publication,
  feedContext: FeedContext,
  { profile, self, readingOrder, resources, toc }: Inside,
): OpdsManifest => {
  const { book, hasPages } = publication
  const at = (path: string) => hrefOf(feedContext, 'v2', { path: `/books/${book.id}${path}` })
  const links = [
    self,
    { rel: 'http://opds-spec.org/progression', href: at('/progression'), type: opdsTypes.progression },
    { rel: 'http://www.cantook.com/api/progression', href: at('/position'), type: opdsTypes.readiumProgression },
    { rel: 'cover', href: mediaAddress(feedContext, { of: 'books', ...book }, 'cover'), type: 'image/jpeg' },
  ]
  return {
    '@context': 'https://readium.org/webpub-manifest/context.jsonld',
    metadata: {
      ...publicationMetadata(publication, feedContext),
      conformsTo: profiles + profile,
      layout: hasPages ? 'fixed' : 'reflowable',
    },
    links: links.filter(({ href }) => isOffered(feedContext, href)),
    readingOrder: [...readingOrder],
    resources: [...resources],
    toc,
  }
}

const tocOf = (toc: Manifest['toc'], feedContext: FeedContext, addressOf: (href: string) => string): OpdsTocEntry[] =>
  toc.map((entry) => {
    const { title, children } = entry
    const goal = goalOf(entry)
    return {
      title: cleanText(title) || feedContext.texts.say('untitled'),
      ...(goal !== undefined && { href: addressOf(goal) }),
      ...(children && children.length > 0 && { children: tocOf(children, feedContext, addressOf) }),
    }
  })

/** Pages of other kinds are made into what everybody shows. */
const shownEverywhere = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif', 'image/bmp'])
export const shownAs = (type: string): string => (shownEverywhere.has(type) ? type : 'image/jpeg')
