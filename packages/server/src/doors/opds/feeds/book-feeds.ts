import type { BookFacet, FacetValue } from '@carrel/api'
import type { opdsBookQuery, opdsBooksOfSeriesQuery } from '@carrel/api/doors'
import type { Static } from 'typebox'
import { bookFacetsOf, bookLanguagesOf } from '../../../catalogue/lists/lists.ts'
import { readBook } from '../../../features/books/books.ts'
import { requireSeries } from '../../../catalogue/entries/entries.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { notFound } from '../../../platform/errors.ts'
import { pagingOf } from '../../../platform/paging.ts'
import { allOf, bookCondition, readCondition } from './conditions.ts'
import { bookFacets, booksOfSeriesFacets, type FacetCounts } from './facets.ts'
import { targetOf, type Feed, type Publication } from '../feed.ts'
import { bookFeed, keyOf, type Lists, pagingFrom } from './heads.ts'
import { languageName } from '../entries/languages.ts'
import { publicationsOf } from '../entries/publications.ts'

type BookFeedQuery = Static<typeof opdsBookQuery>
type SeriesBooksFeedQuery = Static<typeof opdsBooksOfSeriesQuery>

/** With more books than this the formats are not counted while somebody waits for a list. */
const countedMax = 50_000

const countsIn = (values: readonly FacetValue[]): ReadonlyMap<string, number> =>
  new Map(values.map(({ value, count }) => [String(value), count]))

const bookSorts = {
  title: 'name,asc',
  number: 'number,asc',
  new: 'createdAt,desc',
  updated: 'updatedAt,desc',
  released: 'release_date,desc',
  read: 'last_read,desc',
} as const

export const bookFeeds = (lists: Lists) => {
  const {
    books,
    context,
    context: { db },
    texts,
  } = lists
  /**
   * It counts the books of each kind, ignoring what is chosen of it; on the first page, and not for more books than can
   * be counted.
   */
  const countsOf = async (viewer: Viewer, query: BookFeedQuery): Promise<FacetCounts | undefined> => {
    const { library: libraryId, language, page = 1 } = query
    if (page > 1 || (await books(viewer, { libraryId }, pagingOf(1, 1))).total > countedMax) return undefined
    const valuesWithout = async (chosen: 'read' | 'format', facet: BookFacet) => {
      const condition = bookCondition({ ...query, [chosen]: undefined })
      const { facets } = await bookFacetsOf(context, viewer, { libraryId, language, condition, facets: [facet] })
      return countsIn(facets[facet] ?? [])
    }
    return {
      readStatuses: await valuesWithout('read', 'readStatus'),
      formats: await valuesWithout('format', 'format'),
      languages: countsIn(await bookLanguagesOf(context, viewer, { libraryId, condition: bookCondition(query) })),
    }
  }
  return {
    books: async (viewer: Viewer, query: BookFeedQuery): Promise<Feed> => {
      const { sort = 'title', library, language } = query
      const paging = pagingFrom(query)
      const options = { sort: bookSorts[sort], libraryId: library, language, condition: bookCondition(query) }
      const answer = await books(viewer, options, paging)
      const self = targetOf('/books', query)
      const named = [query.author, query.genre, query.tag, language && languageName(language, texts.language)].filter(
        Boolean,
      )
      const head = { path: keyOf(self), title: named.join(', ') || texts.say('shelf.books'), self }
      return {
        ...(await bookFeed(lists, viewer, head, { ...answer, paging })),
        facets: bookFacets(texts, self, await countsOf(viewer, query)),
      }
    },

    booksOfSeries: async (viewer: Viewer, id: string, query: SeriesBooksFeedQuery): Promise<Feed> => {
      const { title } = await requireSeries(db.read, viewer, id)
      const { sort = 'number', read } = query
      const paging = pagingFrom(query)
      const condition = allOf(readCondition(read))
      const answer = await books(viewer, { seriesId: id, sort: bookSorts[sort], condition }, paging)
      const self = targetOf(`/series/${id}`, query)
      const head = { id: `urn:uuid:${id}`, path: `/series/${id}`, title, self, up: { path: '/series' }, inSeries: true }
      return {
        ...(await bookFeed(lists, viewer, head, { ...answer, paging })),
        facets: booksOfSeriesFacets(texts, self),
      }
    },

    /** A book whose file is missing is answered too: what an application has stored about it keeps its meaning. */
    book: async (viewer: Viewer, id: string): Promise<Publication> => {
      const [publication] = await publicationsOf(db.read, viewer, [await readBook(db.read, viewer, id)], { texts })
      if (!publication) throw notFound('book')
      return publication
    },
  }
}
