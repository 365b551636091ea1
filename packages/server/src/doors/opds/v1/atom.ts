import { opdsTypes } from '@carrel/api/doors'
import {
  type Entry,
  type Facet,
  type Feed,
  hrefOf,
  mediaAddress,
  pageTargets,
  type Picture,
  type FeedContext,
  type Publication,
  type Target,
} from '../feed.ts'
import type { Texts } from '../../../texts/texts.ts'
import { isOffered } from '../offering.ts'
import { waysToGet } from '../entries/ways-to-get.ts'
import { cleanText, element, textElement, type Xml, xmlDocument } from '../xml.ts'
import { offeredChoices } from '../feeds/facets.ts'

/** Prefixes as applications look for them, some of which know no others. */
const namespaces = {
  xmlns: 'http://www.w3.org/2005/Atom',
  'xmlns:dc': 'http://purl.org/dc/terms/',
  'xmlns:opds': 'http://opds-spec.org/2010/catalog',
  'xmlns:thr': 'http://purl.org/syndication/thread/1.0',
  'xmlns:opensearch': 'http://a9.com/-/spec/opensearch/1.1/',
  'xmlns:pse': 'http://vaemendis.net/opds-pse/ns',
  'xmlns:schema': 'http://schema.org/',
} as const

interface Link extends Readonly<Record<string, string | number | undefined>> {
  readonly rel: string
  readonly href: string
  readonly type: string
}

/** A link, where whoever asks may follow it. */
const link = (feedContext: FeedContext, attributes: Link): Xml[] =>
  isOffered(feedContext, attributes.href) ? [element('link', attributes)] : []

/** OPDS 1.2. */
export const writeAtom = (feed: Feed, feedContext: FeedContext): string => {
  const { content, id, title, updated } = feed
  const entries =
    content.kind === 'navigation'
      ? content.entries.flatMap((entry) => navigationEntry(entry, feedContext))
      : content.publications.map((each) => publicationEntry(each, feedContext))
  return xmlDocument(
    element('feed', namespaces, [
      textElement('id', id),
      textElement('title', cleanText(title) || feedContext.texts.say('untitled')),
      textElement('updated', updated),
      element('author', {}, [textElement('name', 'Carrel')]),
      ...counts(feed),
      ...feedLinks(feed, feedContext),
      ...entries,
    ]),
  )
}

const counts = ({ paging }: Feed): Xml[] => {
  if (!paging) return []
  const { page, pageSize, total } = paging
  const before = (page - 1) * pageSize
  return [
    textElement('opensearch:totalResults', String(total)),
    textElement('opensearch:itemsPerPage', String(pageSize)),
    ...(before < total ? [textElement('opensearch:startIndex', String(before + 1))] : []),
  ]
}

const feedLinks = (feed: Feed, feedContext: FeedContext): Xml[] => {
  const { self, up, related, content, facets = [] } = feed
  const type = opdsTypes[content.kind]
  const to = (rel: string, target: Target, type: string, more: Readonly<Record<string, string>> = {}): Xml[] =>
    link(feedContext, { rel, href: hrefOf(feedContext, 'v1', target), type, ...more })
  return [
    ...to('self', self, type),
    ...to('start', { path: '' }, opdsTypes.navigation),
    ...(up ? to('up', up, opdsTypes.navigation) : []),
    ...pageTargets(feed).flatMap(([rel, target]) => to(rel, target, type)),
    ...facets.flatMap((facet) => facetLinks(facet, feedContext)),
    ...(related ? to('related', related.target, opdsTypes[related.leadsTo], { title: related.title }) : []),
    ...link(feedContext, { rel: 'alternate', href: hrefOf(feedContext, 'v2', self), type: opdsTypes.feed }),
    ...(up ? [] : ownLinks(feedContext)),
    // Some clients use the template alone and some the last of these, which leads to the description.
    ...link(feedContext, {
      rel: 'search',
      href: `${feedContext.origin}${hrefOf(feedContext, 'v1', { path: '/search' })}?q={searchTerms}`,
      type: 'application/atom+xml',
      title: feedContext.texts.say('search.title'),
    }),
    ...(isOffered(feedContext, hrefOf(feedContext, 'v1', { path: '/search' }))
      ? to('search', { path: '/opensearch.xml' }, opdsTypes.openSearch, {
          title: feedContext.texts.say('search.title'),
        })
      : []),
  ]
}

const ownLinks = (feedContext: FeedContext): Xml[] => [
  ...link(feedContext, {
    rel: 'http://opds-spec.org/shelf',
    href: hrefOf(feedContext, 'v1', { path: '/keep-reading' }),
    type: opdsTypes.acquisition,
  }),
  ...link(feedContext, {
    rel: 'http://opds-spec.org/auth/document',
    href: hrefOf(feedContext, 'v2', { path: '/auth' }),
    type: opdsTypes.authentication,
  }),
]

const facetLinks = ({ title: group, needs, choices }: Facet, feedContext: FeedContext): Xml[] =>
  offeredChoices(feedContext, { needs, choices }).flatMap(
    ({ title, target, isActive, count, leadsTo = 'acquisition' }) =>
      link(feedContext, {
        rel: 'http://opds-spec.org/facet',
        href: hrefOf(feedContext, 'v1', target),
        type: opdsTypes[leadsTo],
        title,
        'opds:facetGroup': group,
        'opds:activeFacet': isActive ? 'true' : undefined,
        'thr:count': count,
      }),
  )

/** The link to the feed stands first: some look at no other. What leads nowhere is no entry. */
const navigationEntry = (entry: Entry, feedContext: FeedContext): Xml[] => {
  const onward = link(feedContext, {
    rel: entry.isNewest ? 'http://opds-spec.org/sort/new' : 'subsection',
    href: hrefOf(feedContext, 'v1', entry.target),
    type: opdsTypes[entry.leadsTo],
    'thr:count': entry.count,
  })
  if (onward.length === 0) return []
  return [
    element('entry', {}, [
      textElement('title', cleanText(entry.title) || feedContext.texts.say('untitled')),
      textElement('id', entry.id),
      textElement('updated', entry.updated),
      element('content', { type: 'text' }, entry.text),
      ...onward,
      ...(entry.picture ? pictures(feedContext, entry.picture) : []),
    ]),
  ]
}

const pictures = (feedContext: FeedContext, picture: Picture): Xml[] =>
  (['cover', 'thumbnail'] as const).flatMap((size) =>
    link(feedContext, {
      rel: `http://opds-spec.org/image${size === 'cover' ? '' : '/thumbnail'}`,
      href: mediaAddress(feedContext, picture, size),
      type: 'image/jpeg',
    }),
  )

/** An entry as a document of its own. */
export const writeEntry = (publication: Publication, feedContext: FeedContext): string =>
  xmlDocument(publicationEntry(publication, feedContext, namespaces))

/** These write; everybody else has helped. */
const authorRoles = new Set(['author', 'co_author', 'writer', 'artist', 'illustrator'])

const publicationEntry = (
  publication: Publication,
  feedContext: FeedContext,
  attributes: Record<string, string> = {},
): Xml => {
  const isDocument = 'xmlns' in attributes
  const { book, title, people, publisher, language, issued, subjects, isbns } = publication
  const named = people.filter(({ name }) => cleanText(name) !== '')
  const authors = new Set(named.filter(({ role }) => authorRoles.has(role)).map(({ name }) => name))
  const helpers = new Set(named.map(({ name }) => name).filter((name) => !authors.has(name)))
  const person = (kind: string, name: string) => element(kind, {}, [textElement('name', name)])
  return element('entry', attributes, [
    textElement('title', title),
    textElement('id', `urn:uuid:${book.id}`),
    textElement('updated', book.updatedAt),
    textElement('published', book.createdAt),
    ...[...authors].map((name) => person('author', name)),
    ...(authors.size === 0 && isDocument ? [person('author', 'Carrel')] : []),
    ...[...helpers].map((name) => person('contributor', name)),
    ...optional('dc:issued', issued),
    ...optional('dc:language', language),
    ...optional('dc:publisher', publisher),
    ...isbns.map((isbn) => textElement('dc:identifier', `urn:isbn:${isbn}`)),
    ...seriesElement(publication),
    ...(book.pageCount > 0 ? [textElement('dc:extent', feedContext.texts.count('pages', book.pageCount))] : []),
    ...subjects.flatMap(({ name }) =>
      cleanText(name) === '' ? [] : [element('category', { term: cleanText(name), label: cleanText(name) })],
    ),
    ...descriptionOf(publication, feedContext.texts),
    ...publicationLinks(publication, feedContext, isDocument ? 'self' : 'alternate'),
  ])
}

const optional = (name: string, text: string | null): Xml[] =>
  text === null || cleanText(text) === '' ? [] : [textElement(name, cleanText(text))]

/** Atom has no element for a series, so other catalogues' convention is used. */
const seriesElement = ({ book }: Publication): Xml[] => {
  const name = cleanText(book.seriesName)
  const position = book.number ?? undefined
  return name === '' ? [] : [element('schema:Series', { 'schema:name': name, 'schema:position': position })]
}

/** The description is written twice, because some clients read the one element, some the other. */
const descriptionOf = (publication: Publication, texts: Texts): Xml[] => {
  const text = cleanText(publication.summary ?? '') || inShort(publication, texts)
  return [textElement('summary', text), element('content', { type: 'text' }, text)]
}

const inShort = ({ file }: Publication, { say, size }: Texts): string => {
  if (!file) return say('noFile')
  return file.size === null ? file.label : `${file.label}, ${size(file.size)}`
}

const publicationLinks = (publication: Publication, feedContext: FeedContext, own: 'self' | 'alternate'): Xml[] => {
  const { book, hasPages } = publication
  const series = cleanText(book.seriesName)
  return [
    ...waysToGet(publication, feedContext).flatMap(({ href, type, title, size, isSample }) =>
      link(feedContext, {
        rel: `http://opds-spec.org/acquisition${isSample ? '/sample' : ''}`,
        href,
        type,
        title,
        length: size,
      }),
    ),
    ...pictures(feedContext, { of: 'books', ...book }),
    ...link(feedContext, {
      rel: own,
      href: hrefOf(feedContext, 'v1', { path: `/books/${book.id}` }),
      type: opdsTypes.entry,
    }),
    ...(hasPages ? streaming(publication, feedContext) : []),
    ...(book.seriesId === null || series === ''
      ? []
      : link(feedContext, {
          // In lists some clients would put the books of each series together, whatever order the list has.
          rel: own === 'self' ? 'collection' : 'related',
          href: hrefOf(feedContext, 'v1', { path: `/series/${book.seriesId}` }),
          type: opdsTypes.acquisition,
          title: series,
        })),
  ]
}

/** Page streaming 1.2. The braces stay as they are: applications look for them. */
const streaming = ({ book }: Publication, feedContext: FeedContext): Xml[] => {
  const progress = feedContext.permissions.has('progress:read') ? book.readProgress : null
  const begun = progress !== null && progress.currentPage > 0 ? progress : undefined
  return link(feedContext, {
    rel: 'http://vaemendis.net/opds-pse/stream',
    href: `${feedContext.basePath}/opds/v1/books/${book.id}/pages/{pageNumber}?width={maxWidth}`,
    type: 'image/jpeg',
    'pse:count': book.pageCount,
    'pse:lastRead': begun?.currentPage,
    'pse:lastReadDate': begun?.updatedAt,
  })
}

/** Books are found at one address, series at the other: no feed of this version holds both. */
const searchPaths = { acquisition: '/search', navigation: '/search/series' } as const

export const writeSearchDescription = (feedContext: FeedContext): string =>
  xmlDocument(
    element('OpenSearchDescription', { xmlns: 'http://a9.com/-/spec/opensearch/1.1/' }, [
      textElement('ShortName', 'Carrel'),
      textElement('Description', feedContext.texts.say('search.about')),
      // Most take the first of these, and no other.
      ...(['acquisition', 'navigation'] as const)
        .map((kind) => ({ kind, href: hrefOf(feedContext, 'v1', { path: searchPaths[kind] }) }))
        .filter(({ href }) => isOffered(feedContext, href))
        .map(({ kind, href }) =>
          element('Url', { type: opdsTypes[kind], template: `${feedContext.origin}${href}?q={searchTerms}` }),
        ),
      textElement('InputEncoding', 'UTF-8'),
      textElement('OutputEncoding', 'UTF-8'),
    ]),
  )
