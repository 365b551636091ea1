import type { Catalogue } from './catalogue.ts'
import type { Choice, Feed, Target, Version } from '../feed.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import type { Texts } from '../../../texts/texts.ts'

interface OpdsSearchQuery {
  readonly q?: string
  readonly query?: string
  readonly title?: string
  readonly author?: string
  readonly page?: number
  readonly pageSize?: number
}

/** The catalogue is in the language of these texts. */
interface Spoken {
  readonly catalogue: Catalogue
  readonly texts: Texts
}

/** Both spellings are read at both versions, so that the same search in the other is one link away. */
const wordsOf = ({ q, query, title, author, ...paged }: OpdsSearchQuery) => {
  const fields = { title: given(title), author: given(author) }
  const text = given(query ?? q)
  return { search: { text, ...fields }, query: { query: text, ...fields }, paged }
}

/** The books a search finds. Its series are in a group beside them, and in version 1, which has none, in a feed of their own. */
export const searchFrom = async (
  { catalogue, texts: { say } }: Spoken,
  viewer: Viewer,
  request: OpdsSearchQuery,
  version: Version,
): Promise<Feed> => {
  const { search, query, paged } = wordsOf(request)
  const self: Target = { path: '/search', query }
  const ofSeries: Target = { path: '/search/series', query }
  const feed = await catalogue.search(viewer, search, paged, self)
  const isFirst = (paged.page ?? 1) === 1
  if (version === 'v2')
    return isFirst && search.text
      ? { ...feed, groups: await catalogue.foundSeries(viewer, search.text, ofSeries) }
      : feed
  const choices: Choice[] = [
    { title: say('shelf.books'), target: self, isActive: true },
    { title: say('shelf.series'), target: ofSeries, isActive: false, leadsTo: 'navigation' },
  ]
  return {
    ...feed,
    facets: [{ title: say('search.show'), choices }],
    related: { title: say('search.related'), target: ofSeries, leadsTo: 'navigation' },
  }
}

export const searchSeriesFrom = (catalogue: Catalogue, viewer: Viewer, request: OpdsSearchQuery): Promise<Feed> => {
  const { search, query, paged } = wordsOf(request)
  return catalogue.searchSeries(viewer, search, paged, { path: '/search/series', query })
}

const given = (text: string | undefined): string | undefined => (text?.trim() ? text.trim() : undefined)
