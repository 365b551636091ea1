import type { Author, BookFields, MetadataLayer, OutlineEntry, ResourceLink, SpineItem } from '../book-format.ts'

/** A manifest is made of these: all of it from an open book, or as it was stored for one. */
export interface ManifestDetails {
  readonly metadata: MetadataLayer
  readonly spine: readonly SpineItem[]
  readonly resources: readonly ResourceLink[]
  readonly outline: readonly OutlineEntry[]
  readonly readingDirection: 'ltr' | 'rtl' | null
  readonly isFixedLayout: boolean
  readonly positionCount: number
}

export interface ManifestLinks {
  /** It is the address of the manifest itself. */
  readonly self: string
  /** Each address of the book begins with this; it ends with a slash. */
  readonly hrefPrefix: string
}

export interface ReadiumLink {
  readonly href: string
  readonly type?: string
  readonly title?: string
  readonly rel?: string
  readonly children?: readonly ReadiumLink[]
}

export interface ReadiumManifest {
  readonly '@context': 'https://readium.org/webpub-manifest/context.jsonld'
  readonly metadata: Readonly<Record<string, unknown>>
  readonly links: readonly ReadiumLink[]
  readonly readingOrder: readonly ReadiumLink[]
  readonly resources: readonly ReadiumLink[]
  readonly toc: readonly ReadiumLink[]
  /** Some clients fail when they are not there. */
  readonly landmarks: readonly ReadiumLink[]
  readonly pageList: readonly ReadiumLink[]
}

/** The book as a Readium Web Publication, which its readers on other systems open (pins C17). */
export const readiumManifest = (details: ManifestDetails, { self, hrefPrefix }: ManifestLinks): ReadiumManifest => ({
  '@context': 'https://readium.org/webpub-manifest/context.jsonld',
  metadata: metadataOf(details),
  links: [{ rel: 'self', href: self, type: 'application/webpub+json' }],
  readingOrder: details.spine
    .filter(({ isLinear }) => isLinear)
    .map(({ href, mediaType, title }) => ({
      href: hrefPrefix + href,
      type: mediaType,
      ...(title === null ? {} : { title }),
    })),
  resources: [...details.spine.filter(({ isLinear }) => !isLinear), ...details.resources].map(
    ({ href, mediaType }) => ({
      href: hrefPrefix + href,
      type: mediaType,
    }),
  ),
  toc: contentsOf(details.outline, hrefPrefix),
  landmarks: [],
  pageList: [],
})

/** A heading that leads nowhere itself leads to the first of its parts that does: a link of Readium has an address. */
const contentsOf = (outline: readonly OutlineEntry[], hrefPrefix: string): ReadiumLink[] =>
  outline.flatMap(({ title, href, children }) => {
    const parts = contentsOf(children, hrefPrefix)
    const address = href === undefined ? parts[0]?.href : hrefPrefix + href
    if (address === undefined) return []
    return [{ href: address, title, ...(parts.length > 0 ? { children: parts } : {}) }]
  })

const metadataOf = ({ metadata, readingDirection, isFixedLayout, positionCount }: ManifestDetails) => {
  const { book, series } = metadata
  const layout = isFixedLayout ? 'fixed' : 'reflowable'
  return withoutMissing({
    '@type': 'http://schema.org/Book',
    conformsTo: 'https://readium.org/webpub-manifest/profiles/epub',
    title: book.title ?? '',
    sortAs: book.titleSort,
    subtitle: book.subtitle,
    identifier: book.isbns?.[0] === undefined ? undefined : `urn:isbn:${book.isbns[0]}`,
    language: book.language,
    ...contributorsOf(book.authors ?? []),
    publisher: book.publisher,
    published: publishedOn(book),
    description: book.summary,
    subject: book.tags,
    readingProgression: readingDirection ?? 'auto',
    numberOfPages: positionCount > 0 ? positionCount : undefined,
    belongsTo: series.title === undefined ? undefined : { series: [seriesOf(series.title, book.number)] },
    layout,
    rendition: { layout },
  })
}

/** A position of none or less is not allowed there. */
const seriesOf = (name: string, number: string | undefined) => {
  const position = Number(number)
  return number !== undefined && position > 0 ? { name, position } : { name }
}

const publishedOn = ({ year, month, day }: BookFields): string | undefined => {
  const parts = [year, month, day].slice(0, month === undefined ? 1 : undefined)
  const written = parts.flatMap((part, index) =>
    part === undefined ? [] : [String(part).padStart(index === 0 ? 4 : 2, '0')],
  )
  return year === undefined ? undefined : written.join('-')
}

type Role = NonNullable<Author['role']>

/** Readium has these names for those who made a book. */
const roles: Readonly<Record<Role, string>> = {
  author: 'author',
  co_author: 'author',
  writer: 'author',
  editor: 'editor',
  translator: 'translator',
  illustrator: 'illustrator',
  penciller: 'penciler',
  inker: 'inker',
  colorist: 'colorist',
  letterer: 'letterer',
  cover_artist: 'artist',
  contributor: 'contributor',
}

const contributorsOf = (authors: readonly Author[]) => {
  const byRole: Record<string, { name: string; sortAs?: string }[]> = {}
  for (const { name, role, sortName } of authors) {
    const people = (byRole[roles[role ?? 'contributor']] ??= [])
    people.push(sortName === null ? { name } : { name, sortAs: sortName })
  }
  return byRole
}

const withoutMissing = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
  )
