import type { ExternalId } from '../book-format.ts'
import { textLimits } from '../limits.ts'
import { cleanUrl } from './clean-text.ts'

export interface RecognisedLinks {
  readonly links: readonly string[]
  readonly externalIds: readonly ExternalId[]
}

interface Site {
  readonly source: string
  readonly about: 'book' | 'series'
  readonly pattern: RegExp
}

/** These sites name a book or series in their addresses. Group 1 is the id. */
const sites: readonly Site[] = [
  { source: 'comicvine', about: 'book', pattern: /^comicvine\.gamespot\.com\/.*\b4000-(\d+)/ },
  { source: 'comicvine', about: 'series', pattern: /^comicvine\.gamespot\.com\/.*\b4050-(\d+)/ },
  { source: 'metron', about: 'book', pattern: /^metron\.cloud\/issue\/([\w-]+)/ },
  { source: 'metron', about: 'series', pattern: /^metron\.cloud\/series\/([\w-]+)/ },
  { source: 'gcd', about: 'book', pattern: /^comics\.org\/issue\/(\d+)/ },
  { source: 'gcd', about: 'series', pattern: /^comics\.org\/series\/(\d+)/ },
  { source: 'leagueofcomicgeeks', about: 'book', pattern: /^leagueofcomicgeeks\.com\/comic\/(\d+)/ },
  { source: 'anilist', about: 'series', pattern: /^anilist\.co\/manga\/(\d+)/ },
  { source: 'myanimelist', about: 'series', pattern: /^myanimelist\.net\/manga\/(\d+)/ },
  { source: 'mangaupdates', about: 'series', pattern: /^mangaupdates\.com\/series(?:\/|\.html\?id=)(\w+)/ },
  { source: 'mangadex', about: 'series', pattern: /^mangadex\.org\/(?:title|manga)\/([\da-f-]{36})/ },
  { source: 'mangadex', about: 'book', pattern: /^mangadex\.org\/chapter\/([\da-f-]{36})/ },
  { source: 'mangabaka', about: 'series', pattern: /^mangabaka\.(?:dev|org)\/(\d+)/ },
  { source: 'kitsu', about: 'series', pattern: /^kitsu\.(?:io|app)\/manga\/([\w-]+)/ },
  { source: 'goodreads', about: 'book', pattern: /^goodreads\.com\/(?:[a-z]{2}\/)?book\/show\/(\d+)/ },
  { source: 'goodreads', about: 'series', pattern: /^goodreads\.com\/series\/(\d+)/ },
  { source: 'hardcover', about: 'book', pattern: /^hardcover\.app\/books\/([\w-]+)/ },
  { source: 'openlibrary', about: 'book', pattern: /^openlibrary\.org\/(?:books|works)\/(OL\d+[MW])/ },
  { source: 'amazon', about: 'book', pattern: /^amazon\.[a-z.]{2,6}\/(?:.*\/)?(?:dp|gp\/product)\/([A-Z\d]{10})\b/ },
  { source: 'google', about: 'book', pattern: /^books\.google\.[a-z.]{2,6}\/books.*[?&]id=([\w-]+)/ },
]

/** Addresses in a file are about the book, unless a known site says that they are about the series. */
export const recognisedLinks = (addresses: readonly string[]): { book: RecognisedLinks; series: RecognisedLinks } => {
  const links = [...new Set(addresses.slice(0, textLimits.listLength).flatMap((each) => cleanUrl(each) ?? []))].map(
    (url) => ({ url, ...siteOf(url) }),
  )
  return { book: about('book', links), series: about('series', links) }
}

interface ParsedLink {
  readonly url: string
  readonly source?: string
  readonly about?: 'book' | 'series'
  readonly id?: string
}

const siteOf = (url: string): Omit<ParsedLink, 'url'> => {
  const address = url.replace(/^https?:\/\/(?:www\.)?/, '')
  for (const { source, about, pattern } of sites) {
    const id = pattern.exec(address)?.[1]
    if (id !== undefined && id.length <= textLimits.name) return { source, about, id }
  }
  return {}
}

const about = (subject: 'book' | 'series', links: readonly ParsedLink[]): RecognisedLinks => {
  const ours = links.filter((each) => (each.about ?? 'book') === subject)
  return {
    links: ours.map(({ url }) => url),
    externalIds: ours.flatMap(({ source, id, url }) =>
      source === undefined || id === undefined ? [] : [{ source, id, url }],
    ),
  }
}
