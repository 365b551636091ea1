import type { Catalogue } from './catalogue.ts'
import type { Feed, Target, Version } from './feed.ts'
import type { Viewer } from '../../features/visibility/visibility.ts'

interface SearchAsked {
  readonly q?: string
  readonly query?: string
  readonly title?: string
  readonly author?: string
  readonly page?: number
  readonly pageSize?: number
}

/** Both spellings are read at both versions, so that the same search in the other is one link away. */
export const searchFrom = async (
  catalogue: Catalogue,
  viewer: Viewer,
  { q, query, title, author, ...paged }: SearchAsked,
  version: Version,
): Promise<Feed> => {
  const text = (query ?? q)?.trim()
  const said = { title: given(title), author: given(author) }
  const self: Target = { path: '/search', query: { query: given(text), ...said } }
  const feed = await catalogue.search(viewer, { text, ...said }, paged, self)
  if (version === 'v1' || !text || (paged.page ?? 1) > 1) return feed
  return { ...feed, groups: await catalogue.foundSeries(viewer, text, self) }
}

const given = (text: string | undefined): string | undefined => (text?.trim() ? text.trim() : undefined)
