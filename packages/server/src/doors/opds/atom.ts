import { opdsTypes } from '@carrel/api/doors'
import {
  type Entry,
  type Facet,
  type Feed,
  fileAddress,
  hrefOf,
  mediaAddress,
  pageTargets,
  type Place,
  type Publication,
} from './feed.ts'
import { cleanText, element, textElement, type Xml, xmlDocument } from './xml.ts'

/** Prefixes as applications look for them, some of which know no others. */
const namespaces = {
  xmlns: 'http://www.w3.org/2005/Atom',
  'xmlns:dc': 'http://purl.org/dc/terms/',
  'xmlns:opds': 'http://opds-spec.org/2010/catalog',
  'xmlns:thr': 'http://purl.org/syndication/thread/1.0',
  'xmlns:opensearch': 'http://a9.com/-/spec/opensearch/1.1/',
  'xmlns:pse': 'http://vaemendis.net/opds-pse/ns',
} as const

const link = (rel: string, href: string, type: string, more: Record<string, string | number | undefined> = {}): Xml =>
  element('link', { rel, href, type, ...more })

/** OPDS 1.2. */
export const writeAtom = (feed: Feed, place: Place): string => {
  const { content, id, title, updated } = feed
  const entries =
    content.kind === 'navigation'
      ? content.entries.map((entry) => navigationEntry(entry, place))
      : content.publications.map((each) => publicationEntry(each, place))
  return xmlDocument(
    element('feed', namespaces, [
      textElement('id', id),
      textElement('title', cleanText(title) || 'Untitled'),
      textElement('updated', updated),
      element('author', {}, [textElement('name', 'Carrel')]),
      ...counts(feed),
      ...feedLinks(feed, place),
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

const feedLinks = (feed: Feed, place: Place): Xml[] => {
  const { self, up, content, facets = [] } = feed
  const type = opdsTypes[content.kind]
  return [
    link('self', hrefOf(place, 'v1', self), type),
    link('start', hrefOf(place, 'v1', { path: '' }), opdsTypes.navigation),
    ...(up ? [link('up', hrefOf(place, 'v1', up), opdsTypes.navigation)] : []),
    ...pageTargets(feed).map(([rel, target]) => link(rel, hrefOf(place, 'v1', target), type)),
    ...facets.flatMap((facet) => facetLinks(facet, place)),
    link('alternate', hrefOf(place, 'v2', self), opdsTypes.feed),
    ...(up ? [] : ownLinks(place)),
    // Some go by the template alone and some by the last of these, which leads to the description.
    link(
      'search',
      `${place.origin}${hrefOf(place, 'v1', { path: '/search' })}?q={searchTerms}`,
      'application/atom+xml',
      { title: 'Search' },
    ),
    link('search', hrefOf(place, 'v1', { path: '/opensearch.xml' }), opdsTypes.openSearch, { title: 'Search' }),
  ]
}

const ownLinks = (place: Place): Xml[] => [
  link('http://opds-spec.org/shelf', hrefOf(place, 'v1', { path: '/keep-reading' }), opdsTypes.acquisition),
  link('http://opds-spec.org/auth/document', hrefOf(place, 'v2', { path: '/auth' }), opdsTypes.authentication),
]

const facetLinks = ({ title: group, choices }: Facet, place: Place): Xml[] =>
  choices.map(({ title, target, isActive }) =>
    link('http://opds-spec.org/facet', hrefOf(place, 'v1', target), opdsTypes.acquisition, {
      title,
      'opds:facetGroup': group,
      'opds:activeFacet': isActive ? 'true' : undefined,
    }),
  )

/** The link to the feed stands first: some look at no other. */
const navigationEntry = (entry: Entry, place: Place): Xml =>
  element('entry', {}, [
    textElement('title', cleanText(entry.title) || 'Untitled'),
    textElement('id', entry.id),
    textElement('updated', entry.updated),
    element('content', { type: 'text' }, entry.text),
    link(
      entry.isNewest ? 'http://opds-spec.org/sort/new' : 'subsection',
      hrefOf(place, 'v1', entry.target),
      opdsTypes[entry.leadsTo],
      { 'thr:count': entry.count },
    ),
    ...(entry.series ? pictures(place, 'series', entry.series) : []),
  ])

const pictures = (
  place: Place,
  of: 'books' | 'series',
  pictured: { readonly id: string; readonly coverVersion: string },
): Xml[] => [
  link('http://opds-spec.org/image', mediaAddress(place, of, pictured, 'cover'), 'image/jpeg'),
  link('http://opds-spec.org/image/thumbnail', mediaAddress(place, of, pictured, 'thumbnail'), 'image/jpeg'),
]

/** An entry as a document of its own. */
export const writeEntry = (publication: Publication, place: Place): string =>
  xmlDocument(publicationEntry(publication, place, namespaces))

/** These write; everybody else has helped. */
const authorRoles = new Set(['author', 'co_author', 'writer', 'artist', 'illustrator'])

const publicationEntry = (publication: Publication, place: Place, attributes: Record<string, string> = {}): Xml => {
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
    ...(book.pageCount > 0 ? [textElement('dc:extent', `${book.pageCount} pages`)] : []),
    ...subjects.flatMap(({ name }) =>
      cleanText(name) === '' ? [] : [element('category', { term: cleanText(name), label: cleanText(name) })],
    ),
    ...descriptionOf(publication),
    ...publicationLinks(publication, place, isDocument ? 'self' : 'alternate'),
  ])
}

const optional = (name: string, text: string | null): Xml[] =>
  text === null || cleanText(text) === '' ? [] : [textElement(name, cleanText(text))]

/** Said twice: some read the one, some the other. */
const descriptionOf = ({ summary, file, book }: Publication): Xml[] => {
  const text = cleanText(summary ?? '') || `${file.label}, ${sizeInWords(book.fileSize)}`
  return [textElement('summary', text), element('content', { type: 'text' }, text)]
}

const sizeInWords = (bytes: number): string =>
  bytes >= 1_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1000))} kB`

const publicationLinks = (publication: Publication, place: Place, own: 'self' | 'alternate'): Xml[] => {
  const { book, file, hasPages } = publication
  const self = hrefOf(place, 'v1', { path: `/books/${book.id}` })
  return [
    link('http://opds-spec.org/acquisition', fileAddress(place, publication), file.mediaType, {
      title: file.label,
      length: book.fileSize,
    }),
    ...pictures(place, 'books', book),
    link(own, self, opdsTypes.entry),
    ...(hasPages ? [streaming(publication, place)] : []),
    ...(cleanText(book.seriesName) === ''
      ? []
      : [
          link('collection', hrefOf(place, 'v1', { path: `/series/${book.seriesId}` }), opdsTypes.acquisition, {
            title: cleanText(book.seriesName),
          }),
        ]),
  ]
}

/** Page streaming 1.2. The braces stay as they are: applications look for them. */
const streaming = ({ book }: Publication, place: Place): Xml => {
  const { readProgress } = book
  const hasBegun = readProgress !== null && readProgress.currentPage > 0
  return link(
    'http://vaemendis.net/opds-pse/stream',
    `${place.basePath}/opds/v1/books/${book.id}/pages/{pageNumber}?width={maxWidth}`,
    'image/jpeg',
    {
      'pse:count': book.pageCount,
      'pse:lastRead': hasBegun ? readProgress.currentPage : undefined,
      'pse:lastReadDate': hasBegun ? readProgress.updatedAt : undefined,
    },
  )
}

export const writeSearchDescription = (place: Place): string =>
  xmlDocument(
    element('OpenSearchDescription', { xmlns: 'http://a9.com/-/spec/opensearch/1.1/' }, [
      textElement('ShortName', 'Carrel'),
      textElement('Description', 'Search for books by title, series, people and publisher.'),
      element('Url', {
        type: opdsTypes.acquisition,
        template: `${place.origin}${hrefOf(place, 'v1', { path: '/search' })}?q={searchTerms}`,
      }),
      textElement('InputEncoding', 'UTF-8'),
      textElement('OutputEncoding', 'UTF-8'),
    ]),
  )
