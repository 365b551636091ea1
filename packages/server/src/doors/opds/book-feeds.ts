import type { opdsBookQuery, opdsBooksOfSeriesQuery } from '@carrel/api/doors'
import type { Static } from 'typebox'
import { readBook } from '../../features/books/books.ts'
import { requireSeries } from '../../features/series/series.ts'
import type { Viewer } from '../../features/visibility/visibility.ts'
import { notFound } from '../../platform/errors.ts'
import { pagingOf } from '../../platform/paging.ts'
import { allOf, bookCondition, readCondition } from './conditions.ts'
import { seriesEntry } from './entries.ts'
import { bookFacets, booksOfSeriesFacets } from './facets.ts'
import { askedFor, type Feed, type Group, type Publication, type Target } from './feed.ts'
import { bookFeed, keyOf, type Lists, type Paged, pagingFrom } from './heads.ts'
import { publicationsOf } from './publications.ts'

type BooksAsked = Static<typeof opdsBookQuery>
type BooksOfSeriesAsked = Static<typeof opdsBooksOfSeriesQuery>

const foundSeriesMax = 20

const bookSorts = {
  title: 'name,asc',
  number: 'number,asc',
  new: 'createdAt,desc',
  updated: 'updatedAt,desc',
  released: 'release_date,desc',
  read: 'last_read,desc',
} as const

interface Found {
  readonly text?: string | undefined
  readonly title?: string | undefined
  readonly author?: string | undefined
}

export const bookFeeds = (lists: Lists) => {
  const {
    books,
    series,
    context: { db },
  } = lists
  return {
    books: async (viewer: Viewer, asked: BooksAsked): Promise<Feed> => {
      const { sort = 'title', library } = asked
      const paging = pagingFrom(asked)
      const wanted = { sort: bookSorts[sort], libraryId: library, condition: bookCondition(asked) }
      const self = askedFor('/books', asked)
      const named = [asked.author, asked.genre, asked.tag].filter((name) => name !== undefined)
      const head = { path: keyOf(self), title: named.join(', ') || 'Books', self }
      return {
        ...(await bookFeed(lists, viewer, head, { ...(await books(viewer, wanted, paging)), paging })),
        facets: bookFacets(self),
      }
    },

    booksOfSeries: async (viewer: Viewer, id: string, asked: BooksOfSeriesAsked): Promise<Feed> => {
      const { title } = await requireSeries(db.read, viewer, id)
      const { sort = 'number', read } = asked
      const paging = pagingFrom(asked)
      const condition = allOf(readCondition(read))
      const answer = await books(viewer, { seriesId: id, sort: bookSorts[sort], condition }, paging)
      const self = askedFor(`/series/${id}`, asked)
      const head = { id: `urn:uuid:${id}`, path: `/series/${id}`, title, self, up: { path: '/series' }, inSeries: true }
      return { ...(await bookFeed(lists, viewer, head, { ...answer, paging })), facets: booksOfSeriesFacets(self) }
    },

    /** `self` is spelled as each version spells it. */
    search: async (viewer: Viewer, found: Found, paged: Paged, self: Target): Promise<Feed> => {
      const paging = pagingFrom(paged)
      const head = { path: keyOf(self), title: 'Search', self: askedFor(self.path, { ...self.query, ...paged }) }
      const condition = allOf(
        ...(found.title === undefined ? [] : [{ title: { operator: 'contains', value: found.title } } as const]),
        ...(found.author === undefined ? [] : [{ author: { operator: 'contains', value: found.author } } as const]),
      )
      if (!found.text && !condition) return bookFeed(lists, viewer, head, { data: [], total: 0, paging })
      const wanted = { condition, ...(found.text && { fullTextSearch: found.text }) }
      return bookFeed(lists, viewer, head, { ...(await books(viewer, wanted, paging)), paging })
    },

    /** Series that bear what is looked for, for those who show several things at once. */
    foundSeries: async (viewer: Viewer, text: string, self: Target): Promise<Group[]> => {
      const { data } = await series(viewer, { fullTextSearch: text }, pagingOf(1, foundSeriesMax))
      return data.length === 0 ? [] : [{ title: 'Series', target: self, entries: data.map(seriesEntry) }]
    },

    /** Also one whose file is missing: what has been kept of it by an application goes on to mean something. */
    book: async (viewer: Viewer, id: string): Promise<Publication> => {
      const [publication] = await publicationsOf(db.read, viewer, [await readBook(db.read, viewer, id)])
      if (!publication) throw notFound('book')
      return publication
    },
  }
}
