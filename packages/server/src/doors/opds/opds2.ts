import {
  type OpdsFeed,
  type OpdsGroup,
  type OpdsLink,
  type OpdsNamed,
  type OpdsPublication,
  opdsRoles,
  type OpdsRole,
  opdsTypes,
} from '@carrel/api/doors'
import {
  type Entry,
  type Feed,
  fileAddress,
  type Group,
  hrefOf,
  mediaAddress,
  pageTargets,
  type Place,
  type Publication,
  type Target,
} from './feed.ts'
import { cleanText } from './xml.ts'

const feedLink = (place: Place, rel: string, target: Target, title?: string): OpdsLink => ({
  rel,
  href: hrefOf(place, 'v2', target),
  type: opdsTypes.feed,
  ...(title !== undefined && { title }),
})

const start: Target = { path: '' }

/** OPDS 2.0. */
export const toOpds2 = (feed: Feed, place: Place): OpdsFeed => {
  const { title, updated, paging, facets = [], groups = [] } = feed
  return {
    metadata: {
      title: cleanText(title) || 'Untitled',
      modified: updated,
      ...(paging && {
        numberOfItems: paging.total,
        itemsPerPage: paging.pageSize,
        currentPage: paging.page,
      }),
    },
    links: linksOf(feed, place),
    ...contentOf(feed, place),
    ...(groups.length > 0 && { groups: groups.map((group) => groupOf(group, place)) }),
    ...(facets.length > 0 && {
      facets: facets.map(({ title, choices }) => ({
        metadata: { title },
        links: choices.map(({ title, target, isActive }) =>
          feedLink(place, isActive ? 'self' : 'http://opds-spec.org/facet', target, title),
        ),
      })),
    }),
  }
}

const linksOf = (feed: Feed, place: Place): OpdsLink[] => {
  const { self, up, content } = feed
  return [
    feedLink(place, 'self', self),
    feedLink(place, 'start', start),
    ...(up ? [feedLink(place, 'up', up)] : []),
    ...pageTargets(feed).map(([rel, target]) => feedLink(place, rel, target)),
    {
      rel: 'search',
      href: `${place.origin}${hrefOf(place, 'v2', { path: '/search' })}{?query,title,author}`,
      type: opdsTypes.feed,
      templated: true,
    },
    { rel: 'alternate', href: hrefOf(place, 'v1', self), type: opdsTypes[content.kind] },
    ...(up
      ? []
      : [
          feedLink(place, 'http://opds-spec.org/shelf', { path: '/keep-reading' }),
          {
            rel: 'http://opds-spec.org/auth/document',
            href: hrefOf(place, 'v2', { path: '/auth' }),
            type: opdsTypes.authentication,
          },
        ]),
  ]
}

/** A feed must hold something: where there is nothing to show, a way back. */
const contentOf = ({ content, groups = [] }: Feed, place: Place): Pick<OpdsFeed, 'navigation' | 'publications'> => {
  const isEmpty = content.kind === 'navigation' ? content.entries.length === 0 : content.publications.length === 0
  if (isEmpty)
    return groups.length > 0 ? {} : { navigation: [feedLink(place, 'start', start, 'Nothing here: back to the start')] }
  return content.kind === 'navigation'
    ? { navigation: content.entries.map((entry) => entryLink(entry, place)) }
    : { publications: content.publications.map((each) => toPublication(each, place)) }
}

const entryLink = ({ title, target, count, isNewest }: Entry, place: Place): OpdsLink => ({
  ...feedLink(place, isNewest ? 'http://opds-spec.org/sort/new' : 'subsection', target, cleanText(title) || 'Untitled'),
  ...(count !== undefined && { properties: { numberOfItems: count } }),
})

const groupOf = ({ title, target, entries, publications }: Group, place: Place): OpdsGroup => ({
  metadata: { title },
  links: [feedLink(place, 'self', target)],
  ...(entries && { navigation: entries.map((entry) => entryLink(entry, place)) }),
  ...(publications && { publications: publications.map((each) => toPublication(each, place)) }),
})

export const toPublication = (publication: Publication, place: Place): OpdsPublication => {
  const { book, title } = publication
  return {
    metadata: {
      '@type': publication.hasPages ? 'http://schema.org/ComicIssue' : 'http://schema.org/Book',
      title,
      identifier: `urn:uuid:${book.id}`,
      modified: book.updatedAt,
      ...textsOf(publication),
      ...peopleOf(publication, place),
      ...(publication.isbns.length > 0 && { altIdentifier: publication.isbns.map((isbn) => `urn:isbn:${isbn}`) }),
      ...subjectsOf(publication, place),
      ...(book.pageCount > 0 && { numberOfPages: book.pageCount }),
      belongsTo: { series: seriesOf(publication, place) },
      ...directionOf(book.readingDirection),
    },
    links: publicationLinks(publication, place),
    images: [
      { href: mediaAddress(place, 'books', book, 'cover'), type: 'image/jpeg' },
      { href: mediaAddress(place, 'books', book, 'thumbnail'), type: 'image/jpeg' },
    ],
  }
}

/** Strips go down the screen: that is a layout there, and no direction. */
export const directionOf = (direction: Publication['book']['readingDirection']) =>
  direction === 'rtl'
    ? { readingProgression: 'rtl' }
    : { readingProgression: 'ltr', ...(direction !== 'ltr' && { layout: 'scrolled' }) }

const said = <Name extends string>(name: Name, text: string | null): { readonly [Key in Name]?: string } => {
  const clean = cleanText(text ?? '')
  return clean === '' ? {} : ({ [name]: clean } as { readonly [Key in Name]: string })
}

const textsOf = ({ book, subtitle, summary, language, issued, publisher }: Publication) => {
  const { publisher: name } = said('publisher', publisher)
  return {
    ...said('subtitle', subtitle),
    ...said('sortAs', book.titleSort),
    ...said('language', language),
    ...said('published', issued === null || issued.length === 10 ? issued : `${issued}-01-01`.slice(0, 10)),
    ...said('description', summary),
    ...(name !== undefined && { publisher: { name } }),
  }
}

const seriesOf = ({ book }: Publication, place: Place): OpdsNamed => ({
  name: cleanText(book.seriesName) || 'Untitled',
  ...(book.number !== null && book.number > 0 && { position: book.number }),
  links: [feedLink(place, 'self', { path: `/series/${book.seriesId}` })],
})

const subjectsOf = ({ subjects }: Publication, place: Place): { subject?: OpdsNamed[] } => {
  const named = subjects.filter(({ name }) => cleanText(name) !== '')
  if (named.length === 0) return {}
  return {
    subject: named.map(({ name, kind }) => ({
      name: cleanText(name),
      links: [feedLink(place, 'self', { path: '/books', query: { [kind]: name } })],
    })),
  }
}

/** What roles are called here; who has another one has contributed. */
const spelledRoles: Readonly<Record<string, OpdsRole>> = {
  writer: 'author',
  co_author: 'author',
  penciller: 'penciler',
  cover_artist: 'artist',
}

const peopleOf = ({ people }: Publication, place: Place): { [Role in OpdsRole]?: OpdsNamed[] } => {
  const byRole: { [Role in OpdsRole]?: OpdsNamed[] } = {}
  for (const { name, role, sortAs } of people) {
    if (cleanText(name) === '') continue
    const known = spelledRoles[role] ?? opdsRoles.find((each) => each === role) ?? 'contributor'
    const links = [feedLink(place, 'self', { path: '/books', query: { author: name } })]
    const person = { name: cleanText(name), ...said('sortAs', sortAs), links }
    if (!byRole[known]?.some((each) => each.name === person.name)) byRole[known] = [...(byRole[known] ?? []), person]
  }
  return byRole
}

const publicationLinks = (publication: Publication, place: Place): OpdsLink[] => {
  const { book, file, hasPages } = publication
  const at = (path: string) => hrefOf(place, 'v2', { path: `/books/${book.id}${path}` })
  const properties = {
    authenticate: { href: hrefOf(place, 'v2', { path: '/auth' }), type: opdsTypes.authentication },
  }
  return [
    { rel: 'self', href: at(''), type: opdsTypes.publication },
    {
      rel: 'http://opds-spec.org/acquisition',
      href: fileAddress(place, publication),
      type: file.mediaType,
      title: file.label,
      size: book.fileSize,
      properties,
    },
    ...(hasPages ? [{ rel: 'alternate', href: at('/manifest/divina'), type: opdsTypes.divina, properties }] : []),
    ...(hasManifest(publication)
      ? [{ rel: 'alternate', href: at('/manifest'), type: opdsTypes.webPublication, properties }]
      : []),
    { rel: 'http://opds-spec.org/progression', href: at('/progression'), type: opdsTypes.progression, properties },
    {
      rel: 'http://www.cantook.com/api/progression',
      href: at('/position'),
      type: opdsTypes.readiumProgression,
      properties,
    },
  ]
}

/** What flows is read part by part; a PDF as a whole. */
const hasManifest = ({ book, hasPages }: Publication): boolean =>
  !hasPages || book.fileFormat === 'epub' || book.fileFormat === 'pdf'
