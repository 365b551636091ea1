import type { Manifest, TocEntry } from '@carrel/api'
import type { CompatManifest } from '@carrel/api/doors'

export interface BookAddress {
  /** Of the door, in full. */
  readonly base: string
  /** As whoever asks spells it. */
  readonly id: string
}

/** Our manifest as these applications read it: addresses in full, the profile by its last word. */
export const toCompatManifest = (
  { metadata, readingOrder, resources, toc }: Manifest,
  { base, id }: BookAddress,
): CompatManifest => {
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
    },
    links: [
      { rel: 'self', href: `${book}/manifest`, type: manifestTypeOf(conformsTo) },
      { rel: 'http://opds-spec.org/acquisition', href: `${book}/file`, type: 'application/octet-stream' },
    ],
    images: [{ href: `${book}/thumbnail`, type: 'image/jpeg' }],
    readingOrder: readingOrder.map(({ href, ...link }) =>
      isDrawn(conformsTo) ? { href: `${book}/${href}/raw`, type: 'application/pdf' } : { ...link, href: inFull(href) },
    ),
    resources: resources.map((link) => ({ ...link, href: inFull(link.href) })),
    toc: toc.map((entry) => inFullEntry(entry, inFull)),
    landmarks: [],
    pageList: [],
  }
}

/** Its pages are no pictures: each is a document. */
export const isDrawn = (conformsTo: string): boolean => conformsTo.endsWith('/pdf')

export const manifestTypeOf = (conformsTo: string): string =>
  conformsTo.endsWith('/divina') ? 'application/divina+json' : 'application/webpub+json'

const addressOf = (book: string, href: string): string => {
  if (href.startsWith('pages/')) return `${book}/${href}?contentNegotiation=false`
  const [path = '', ...fragment] = href.replace(/^resources\//, '').split('#')
  const end = fragment.length > 0 ? `#${fragment.join('#')}` : ''
  return `${book}/resource/${path.split('/').map(encodeURIComponent).join('/')}${end}`
}

const inFullEntry = ({ title, href, children }: TocEntry, inFull: (href: string) => string): TocEntry => ({
  title,
  ...(href !== undefined && { href: inFull(href) }),
  ...(children && { children: children.map((child) => inFullEntry(child, inFull)) }),
})
