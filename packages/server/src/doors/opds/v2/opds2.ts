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
} from '../feed.ts'
import { offeredChoices } from '../feeds/facets.ts'
import { isOffered } from '../offering.ts'
import { feedLink, publicationMetadata } from '../entries/publication-metadata.ts'
import { waysToGet } from '../entries/ways-to-get.ts'
import { cleanText } from '../xml.ts'

const start: Target = { path: '' }

/** OPDS 2.0. */
export const toOpds2 = (feed: Feed, feedContext: FeedContext): OpdsFeed => {
  const { title, updated, paging, facets = [] } = feed
  const groups = (feed.groups ?? []).flatMap((group) => groupOf(group, feedContext))
  const choices = facets.flatMap((facet) => facetOf(facet, feedContext))
  return {
    metadata: {
      title: cleanText(title) || feedContext.texts.say('untitled'),
      modified: updated,
      ...(paging && {
        numberOfItems: paging.total,
        itemsPerPage: paging.pageSize,
        currentPage: paging.page,
      }),
    },
    links: linksOf(feed, feedContext),
    ...contentOf(feed, feedContext, groups.length > 0),
    ...(groups.length > 0 && { groups }),
    ...(choices.length > 0 && { facets: choices }),
  }
}

type OpdsFacets = NonNullable<OpdsFeed['facets']>

const facetOf = ({ title, needs, choices }: Facet, feedContext: FeedContext): OpdsFacets => {
  const links = offeredChoices(feedContext, { needs, choices })
    .map(({ title, target, isActive, count }) => ({
      ...feedLink(feedContext, isActive ? 'self' : 'http://opds-spec.org/facet', target, title),
      ...(count !== undefined && { properties: { numberOfItems: count } }),
    }))
    .filter(({ href }) => isOffered(feedContext, href))
  return links.length === 0 ? [] : [{ metadata: { title }, links }]
}

const linksOf = (feed: Feed, feedContext: FeedContext): OpdsLink[] => {
  const { self, up, content } = feed
  const links: OpdsLink[] = [
    feedLink(feedContext, 'self', self),
    feedLink(feedContext, 'start', start),
    ...(up ? [feedLink(feedContext, 'up', up)] : []),
    ...pageTargets(feed).map(([rel, target]) => feedLink(feedContext, rel, target)),
    {
      rel: 'search',
      href: `${feedContext.origin}${hrefOf(feedContext, 'v2', { path: '/search' })}{?query,title,author}`,
      type: opdsTypes.feed,
      templated: true,
    },
    { rel: 'alternate', href: hrefOf(feedContext, 'v1', self), type: opdsTypes[content.kind] },
    ...(up
      ? []
      : [
          feedLink(feedContext, 'http://opds-spec.org/shelf', { path: '/keep-reading' }),
          {
            rel: 'http://opds-spec.org/auth/document',
            href: hrefOf(feedContext, 'v2', { path: '/auth' }),
            type: opdsTypes.authentication,
          },
        ]),
  ]
  return links.filter(({ href }) => isOffered(feedContext, href))
}

/** A feed must hold something: where there is nothing to show, a way back. */
const contentOf = (
  { content, self }: Feed,
  feedContext: FeedContext,
  hasGroups: boolean,
): Pick<OpdsFeed, 'navigation' | 'publications'> => {
  if (content.kind === 'acquisition' && content.publications.length > 0)
    return { publications: content.publications.map((each) => toPublication(each, feedContext)) }
  const navigation =
    content.kind === 'navigation' ? content.entries.flatMap((entry) => entryLinks(entry, feedContext)) : []
  if (navigation.length > 0) return { navigation }
  if (hasGroups) return {}
  const back = isOffered(feedContext, hrefOf(feedContext, 'v2', start)) ? start : self
  return { navigation: [feedLink(feedContext, 'start', back, feedContext.texts.say('nothingHere'))] }
}

/** There is none when the caller may not go where it leads. */
const entryLinks = ({ title, target, count, isNewest }: Entry, feedContext: FeedContext): OpdsLink[] => {
  const rel = isNewest ? 'http://opds-spec.org/sort/new' : 'subsection'
  const link = feedLink(feedContext, rel, target, cleanText(title) || feedContext.texts.say('untitled'))
  if (!isOffered(feedContext, link.href)) return []
  return [{ ...link, ...(count !== undefined && { properties: { numberOfItems: count } }) }]
}

const groupOf = ({ title, target, entries, publications }: Group, feedContext: FeedContext): OpdsGroup[] => {
  const self = feedLink(feedContext, 'self', target)
  if (!isOffered(feedContext, self.href)) return []
  const navigation = entries?.flatMap((entry) => entryLinks(entry, feedContext)) ?? []
  if (!publications && navigation.length === 0) return []
  return [
    {
      metadata: { title },
      links: [self],
      ...(navigation.length > 0 && { navigation }),
      ...(publications && { publications: publications.map((each) => toPublication(each, feedContext)) }),
    },
  ]
}

export const toPublication = (publication: Publication, feedContext: FeedContext): OpdsPublication => {
  const { book } = publication
  return {
    metadata: publicationMetadata(publication, feedContext),
    links: publicationLinks(publication, feedContext),
    images: [
      { href: mediaAddress(feedContext, { of: 'books', ...book }, 'cover'), type: 'image/jpeg' },
      { href: mediaAddress(feedContext, { of: 'books', ...book }, 'thumbnail'), type: 'image/jpeg' },
    ],
  }
}

const publicationLinks = (publication: Publication, feedContext: FeedContext): OpdsLink[] => {
  const { book, hasPages, hasParts } = publication
  const at = (path: string) => hrefOf(feedContext, 'v2', { path: `/books/${book.id}${path}` })
  const properties = {
    authenticate: { href: hrefOf(feedContext, 'v2', { path: '/auth' }), type: opdsTypes.authentication },
  }
  const other = (rel: string, path: string, type: string): OpdsLink => ({ rel, href: at(path), type, properties })
  const links: OpdsLink[] = [
    { rel: 'self', href: at(''), type: opdsTypes.publication },
    ...waysToGet(publication, feedContext).map(({ href, type, title, size, isSample }) => ({
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
  return links.filter(({ href }) => isOffered(feedContext, href))
}
