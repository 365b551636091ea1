import type { Manifest, PageDto, TocEntry } from '@carrel/api'
import type { CompatManifest } from '@carrel/api/doors'
import { goalOf } from '../../../features/contents/contents.ts'
import type { ManifestWords } from '../records/manifest-metadata.ts'

export interface BookAddress {
  /** It is the full address of the door. */
  readonly base: string
  /** The id is spelled as the caller spells it. */
  readonly id: string
  /** It says how the book is to be read, where that differs from what the book is. */
  readonly profile?: 'epub' | 'pdf' | 'divina' | undefined
}

interface DescribedBook {
  readonly manifest: Manifest
  /** There are none where only the text of the book is asked for, or where the book has none. */
  readonly pages: readonly PageDto[]
  readonly words: ManifestWords
  /** A user who may not fetch files gets no link to one. */
  readonly mayFetch: boolean
}

/** Our manifest as these applications read it: addresses in full, the profile by its last word. */
export const toCompatManifest = (
  { manifest, pages, words, mayFetch }: DescribedBook,
  { base, id, profile }: BookAddress,
): CompatManifest | undefined => {
  const { metadata, readingOrder, resources, toc } = profile === 'divina' ? asPages(manifest, pages) : manifest
  // A book of drawn pages is read as one of pages too, and so is one of text that is nothing but pictures.
  if (profile !== undefined && !metadata.conformsTo.endsWith(`/${profile}`)) return undefined
  const book = `${base}/api/v1/books/${id}`
  const inFull = (href: string): string => addressOf(book, href)
  const { title, identifier, conformsTo, numberOfPages, readingProgression, layout } = metadata
  return {
    context: 'https://readium.org/webpub-manifest/context.jsonld',
    metadata: {
      title,
      identifier,
      conformsTo,
      readingProgression,
      numberOfPages,
      rendition: { layout },
      ...words,
    },
    links: [
      {
        rel: 'self',
        href: `${book}/manifest${profile === undefined ? '' : `/${profile}`}`,
        type: manifestTypeOf(conformsTo),
      },
      ...(mayFetch
        ? [{ rel: 'http://opds-spec.org/acquisition', href: `${book}/file`, type: 'application/octet-stream' }]
        : []),
    ],
    images: [{ href: `${book}/thumbnail`, type: 'image/jpeg' }],
    readingOrder: readingOrder.map((link) =>
      isDrawn(conformsTo)
        ? { href: `${book}/${link.href}/raw`, type: 'application/pdf' }
        : { ...linkOf(link), href: inFull(link.href) },
    ),
    resources: resources.map((link) => ({ ...linkOf(link), href: inFull(link.href) })),
    toc: toc.map((entry) => inFullEntry(entry, inFull)),
    landmarks: [],
    pageList: [],
  }
}

/** The same book as its pages; where it has none, as it is. */
const asPages = (manifest: Manifest, pages: readonly PageDto[]): Manifest => {
  const { metadata, readingOrder } = manifest
  if (pages.length === 0) return manifest
  const isText = metadata.conformsTo.endsWith('/epub')
  return {
    ...manifest,
    metadata: { ...metadata, conformsTo: metadata.conformsTo.replace(/[^/]*$/, 'divina'), numberOfPages: pages.length },
    readingOrder: isText
      ? pages.map(({ pageNumber, mediaType, width, height }) => ({
          href: `pages/${pageNumber}`,
          type: mediaType,
          ...(width !== null && height !== null && { width, height }),
        }))
      : readingOrder,
    // A link to a part of a document leads to no picture.
    ...(isText && { resources: [], toc: [] }),
  }
}

type Link = Manifest['readingOrder'][number]

const linkOf = ({ type, title, width, height }: Link): Omit<Link, 'href'> => ({
  type,
  ...(title !== undefined && { title }),
  ...(width !== undefined && { width }),
  ...(height !== undefined && { height }),
})

/** Its pages are no pictures: each is a document. */
const isDrawn = (conformsTo: string): boolean => conformsTo.endsWith('/pdf')

export const manifestTypeOf = (conformsTo: string): string =>
  conformsTo.endsWith('/divina') ? 'application/divina+json' : 'application/webpub+json'

/** Our own reference is an address already: what is encoded in it stays as it is. */
const addressOf = (book: string, href: string): string =>
  href.startsWith('pages/')
    ? `${book}/${href}?contentNegotiation=false`
    : `${book}/resource/${href.replace(/^resources\//, '')}`

const inFullEntry = (entry: TocEntry, inFull: (href: string) => string): TocEntry => {
  const { title, children } = entry
  const goal = goalOf(entry)
  return {
    title,
    ...(goal !== undefined && { href: inFull(goal) }),
    ...(children && { children: children.map((child) => inFullEntry(child, inFull)) }),
  }
}
