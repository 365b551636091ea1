import { type OpdsFeed, type OpdsGroup, type OpdsLink, type OpdsPublication, opdsTypes } from '@carrel/api/doors'
import {
  type Entry,
  type Facet,
  type Feed,
  type Group,
  hrefOf,
  mediaAddress,
  pageTargets,
  type FeedContext,
  type Publication,
  type Target,
} from './feed.ts'
import { offeredChoices } from './facets.ts'
import { isOffered } from './offering.ts'
import { feedLink, publicationMetadata } from './publication-metadata.ts'
import { waysToGet } from './ways-to-get.ts'
import { cleanText } from './xml.ts'

const start: Target = { path: '' }

/** OPDS 2.0. */
export const toOpds2 = (feed: Feed, place: FeedContext): OpdsFeed => {
  const { title, updated, paging, facets = [] } = feed
  const groups = (feed.groups ?? []).flatMap((group) => groupOf(group, place))
  const choices = facets.flatMap((facet) => facetOf(facet, place))
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
    ...contentOf(feed, place, groups.length > 0),
    ...(groups.length > 0 && { groups }),
    ...(choices.length > 0 && { facets: choices }),
  }
}

type OpdsFacets = NonNullable<OpdsFeed['facets']>

const facetOf = ({ title, needs, choices }: Facet, place: FeedContext): OpdsFacets => {
  const links = offeredChoices(place, { needs, choices })
    .map(({ title, target, isActive, count }) => ({
      ...feedLink(place, isActive ? 'self' : 'http://opds-spec.org/facet', target, title),
      ...(count !== undefined && { properties: { numberOfItems: count } }),
    }))
    .filter(({ href }) => isOffered(place, href))
  return links.length === 0 ? [] : [{ metadata: { title }, links }]
}

const linksOf = (feed: Feed, place: FeedContext): OpdsLink[] => {
  const { self, up, content } = feed
  const links: OpdsLink[] = [
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
  return links.filter(({ href }) => isOffered(place, href))
}

/** A feed must hold something: where there is nothing to show, a way back. */
const contentOf = (
  { content, self }: Feed,
  place: FeedContext,
  hasGroups: boolean,
): Pick<OpdsFeed, 'navigation' | 'publications'> => {
  if (content.kind === 'acquisition' && content.publications.length > 0)
    return { publications: content.publications.map((each) => toPublication(each, place)) }
  const navigation = content.kind === 'navigation' ? content.entries.flatMap((entry) => entryLinks(entry, place)) : []
  if (navigation.length > 0) return { navigation }
  if (hasGroups) return {}
  const back = isOffered(place, hrefOf(place, 'v2', start)) ? start : self
  return { navigation: [feedLink(place, 'start', back, 'Nothing here: back to the start')] }
}

/** There is none when the caller may not go where it leads. */
const entryLinks = ({ title, target, count, isNewest }: Entry, place: FeedContext): OpdsLink[] => {
  const rel = isNewest ? 'http://opds-spec.org/sort/new' : 'subsection'
  const link = feedLink(place, rel, target, cleanText(title) || 'Untitled')
  if (!isOffered(place, link.href)) return []
  return [{ ...link, ...(count !== undefined && { properties: { numberOfItems: count } }) }]
}

const groupOf = ({ title, target, entries, publications }: Group, place: FeedContext): OpdsGroup[] => {
  const self = feedLink(place, 'self', target)
  if (!isOffered(place, self.href)) return []
  const navigation = entries?.flatMap((entry) => entryLinks(entry, place)) ?? []
  if (!publications && navigation.length === 0) return []
  return [
    {
      metadata: { title },
      links: [self],
      ...(navigation.length > 0 && { navigation }),
      ...(publications && { publications: publications.map((each) => toPublication(each, place)) }),
    },
  ]
}

export const toPublication = (publication: Publication, place: FeedContext): OpdsPublication => {
  const { book } = publication
  return {
    metadata: publicationMetadata(publication, place),
    links: publicationLinks(publication, place),
    images: [
      { href: mediaAddress(place, { of: 'books', ...book }, 'cover'), type: 'image/jpeg' },
      { href: mediaAddress(place, { of: 'books', ...book }, 'thumbnail'), type: 'image/jpeg' },
    ],
  }
}

const publicationLinks = (publication: Publication, place: FeedContext): OpdsLink[] => {
  const { book, hasPages, hasParts } = publication
  const at = (path: string) => hrefOf(place, 'v2', { path: `/books/${book.id}${path}` })
  const properties = {
    authenticate: { href: hrefOf(place, 'v2', { path: '/auth' }), type: opdsTypes.authentication },
  }
  const other = (rel: string, path: string, type: string): OpdsLink => ({ rel, href: at(path), type, properties })
  const links: OpdsLink[] = [
    { rel: 'self', href: at(''), type: opdsTypes.publication },
    ...waysToGet(publication, place).map(({ href, type, title, size, isSample }) => ({
      // The short name, which no application takes for a way to the whole.
      rel: isSample ? 'preview' : 'http://opds-spec.org/acquisition',
      href,
      type,
      title,
      ...(size !== undefined && { size }),
      properties,
    })),
    ...(hasPages ? [other('alternate', '/manifest/divina', opdsTypes.divina)] : []),
    ...(hasParts ? [other('alternate', '/manifest', opdsTypes.webPublication)] : []),
    other('http://opds-spec.org/progression', '/progression', opdsTypes.progression),
    other('http://www.cantook.com/api/progression', '/position', opdsTypes.readiumProgression),
  ]
  return links.filter(({ href }) => isOffered(place, href))
}
