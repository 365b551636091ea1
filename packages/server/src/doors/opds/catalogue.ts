import type {
  BookCondition,
  BookDto,
  FileFormat,
  ListAnswer,
  ReadStatus,
  SeriesCondition,
  SeriesDto,
} from '@carrel/api'
import type { Static } from 'typebox'
import type { opdsBookQuery, opdsBooksOfSeriesQuery, opdsPagingQuery, opdsSeriesQuery } from '@carrel/api/doors'
import type { Context } from '../../context.ts'
import { listsOfBooks, showBooksById } from '../../features/books/books.ts'
import { listCollections, listSeriesOfCollection, readCollection } from '../../features/collections/collections.ts'
import { readBookShelf, readHome } from '../../features/home/home.ts'
import { listLibraries, requireLibrary } from '../../features/libraries/libraries.ts'
import { listBooksOfReadList, listReadLists, readReadList } from '../../features/read-lists/read-lists.ts'
import { listsOfSeries, requireSeries, seriesFacetsOf, seriesLettersOf } from '../../features/series/series.ts'
import { listTerms, type TermKind } from '../../features/terms/terms.ts'
import type { Viewer } from '../../features/visibility/visibility.ts'
import { notFound } from '../../platform/errors.ts'
import { type Paging, pagingOf } from '../../platform/paging.ts'
import { bookFacets, booksOfSeriesFacets } from './facets.ts'
import { stretchesOf, within } from './letters.ts'
import {
  askedFor,
  type Entry,
  type Feed,
  type Group,
  idOf,
  newestOf,
  type Publication,
  type Query,
  sinceEver,
  type Target,
} from './feed.ts'
import { publicationsOf } from './publications.ts'

type Paged = Static<typeof opdsPagingQuery>
type SeriesAsked = Static<typeof opdsSeriesQuery>
type BooksAsked = Static<typeof opdsBookQuery>
type BooksOfSeriesAsked = Static<typeof opdsBooksOfSeriesQuery>

const start: Target = { path: '' }
const shelfMax = 50
const groupMax = 20
const publishersMax = 500
const perPage = 50

const seriesSorts = { title: 'name,asc', new: 'createdAt,desc', updated: 'updatedAt,desc' } as const
const bookSorts = {
  title: 'name,asc',
  number: 'number,asc',
  new: 'createdAt,desc',
  updated: 'updatedAt,desc',
  released: 'release_date,desc',
  read: 'last_read,desc',
} as const

/** Everything there is to be found at this door, as feeds; what is in them is asked of the features. */
export type Catalogue = ReturnType<typeof catalogueOf>

export const catalogueOf = (context: Context) => {
  const { db } = context
  const books = listsOfBooks(context)
  const series = listsOfSeries(context)

  const bookFeed = async (
    viewer: Viewer,
    { inSeries, ...head }: Head & { readonly inSeries?: boolean },
    { data, total }: ListAnswer<BookDto>,
    paging: Paging | undefined,
  ): Promise<Feed> =>
    acquisition(head, await publicationsOf(db.read, viewer, data, { inSeries: inSeries === true }), total, paging)

  return {
    start: async (_viewer: Viewer): Promise<Feed> =>
      navigation({ path: '', title: 'Carrel', self: start, isStart: true }, beginnings),

    /** With what somebody is most likely to look for on the first page; for applications that show groups. */
    startWithShelves: async (viewer: Viewer): Promise<Feed> => {
      const home = await readHome(db, viewer, { limit: groupMax })
      const libraries = await listLibraries(db, viewer, undefined, pagingOf(1, groupMax))
      const group = async (title: string, path: string, shelf: readonly BookDto[]): Promise<Group[]> =>
        shelf.length === 0
          ? []
          : [{ title, target: { path }, publications: await publicationsOf(db.read, viewer, shelf) }]
      const feed = navigation({ path: '', title: 'Carrel', self: start, isStart: true }, beginnings)
      const ofSeries = home.recentlyAddedSeries.map(seriesEntry)
      return {
        ...feed,
        groups: [
          ...(await group('Keep reading', '/keep-reading', home.continueReading)),
          ...(await group('On deck', '/on-deck', home.onDeck)),
          ...(await group('Newest books', '/recent', home.recentlyAddedBooks)),
          ...(ofSeries.length === 0 ? [] : [{ title: 'Newest series', target: newestSeries, entries: ofSeries }]),
          ...(libraries.data.length === 0
            ? []
            : [{ title: 'Libraries', target: { path: '/libraries' }, entries: libraries.data.map(libraryEntry) }]),
        ],
      }
    },

    keepReading: async (viewer: Viewer): Promise<Feed> => {
      const data = await readBookShelf(db, viewer, 'continueReading', shelfMax)
      const head = { path: '/keep-reading', title: 'Keep reading', self: { path: '/keep-reading' } }
      return bookFeed(viewer, head, { data, total: data.length }, undefined)
    },

    onDeck: async (viewer: Viewer): Promise<Feed> => {
      const data = await readBookShelf(db, viewer, 'onDeck', shelfMax)
      const head = { path: '/on-deck', title: 'On deck', self: { path: '/on-deck' } }
      return bookFeed(viewer, head, { data, total: data.length }, undefined)
    },

    recent: async (viewer: Viewer, asked: Paged): Promise<Feed> => {
      const paging = pagingFrom(asked)
      const head = { path: '/recent', title: 'Newest books', self: askedFor('/recent', asked) }
      return bookFeed(viewer, head, await books(viewer, { sort: 'createdAt,desc' }, paging), paging)
    },

    books: async (viewer: Viewer, asked: BooksAsked): Promise<Feed> => {
      const { sort = 'title', library } = asked
      const paging = pagingFrom(asked)
      if (library !== undefined) await requireLibrary(db.read, viewer, library)
      const wanted = { sort: bookSorts[sort], libraryId: library, condition: bookCondition(asked) }
      const self = askedFor('/books', asked)
      const named = [asked.author, asked.genre, asked.tag].filter((name) => name !== undefined)
      const head = { path: keyOf(self), title: named.join(', ') || 'Books', self }
      return {
        ...(await bookFeed(viewer, head, await books(viewer, wanted, paging), paging)),
        facets: bookFacets(self),
      }
    },

    series: async (viewer: Viewer, asked: SeriesAsked): Promise<Feed> => {
      const { sort = 'title' } = asked
      const paging = pagingFrom(asked)
      const answer = await series(viewer, { sort: seriesSorts[sort], condition: seriesCondition(asked) }, paging)
      const self = askedFor('/series', asked)
      const named = [asked.author, asked.publisher, asked.genre, asked.tag].filter((name) => name !== undefined)
      const usual = { title: 'Series', new: 'Newest series', updated: 'Updated series' }[sort]
      return seriesFeed({ path: keyOf(self), title: named.join(', ') || usual, self }, answer, paging)
    },

    booksOfSeries: async (viewer: Viewer, id: string, asked: BooksOfSeriesAsked): Promise<Feed> => {
      const { title } = await requireSeries(db.read, viewer, id)
      const { sort = 'number', read } = asked
      const paging = pagingFrom(asked)
      const condition = allOf(readCondition(read))
      const answer = await books(viewer, { seriesId: id, sort: bookSorts[sort], condition }, paging)
      const self = askedFor(`/series/${id}`, asked)
      const head = { id: `urn:uuid:${id}`, path: `/series/${id}`, title, self, up: { path: '/series' }, inSeries: true }
      return { ...(await bookFeed(viewer, head, answer, paging)), facets: booksOfSeriesFacets(self) }
    },

    letters: async (viewer: Viewer): Promise<Feed> => {
      const { letters } = await seriesLettersOf(context, viewer, {}, perPage)
      const entries = letters.map(({ letter, count }) =>
        plainEntry(letter, `/letters/${encodeURIComponent(letter)}`, counted(count, 'series', 'series'), { count }),
      )
      return navigation({ path: '/letters', title: 'Series by letter', self: { path: '/letters' } }, entries)
    },

    /** Those parts of the list by name that begin with it; none is one that nothing begins with any more. */
    seriesByLetter: async (viewer: Viewer, letter: string, asked: Paged): Promise<Feed> => {
      // With pages of one, the page of a letter is the place of its first series.
      const { letters } = await seriesLettersOf(context, viewer, {}, 1)
      const paging = pagingFrom(asked)
      const stretches = stretchesOf(letters, letter)
      const data: SeriesDto[] = []
      for (const stretch of within(stretches, paging)) {
        const answer = await series(viewer, { sort: 'name,asc' }, { ...paging, ...stretch })
        data.push(...answer.data)
      }
      const total = stretches.reduce((sum, { limit }) => sum + limit, 0)
      const path = `/letters/${encodeURIComponent(letter)}`
      const head = { path, title: letter, self: askedFor(path, asked), up: { path: '/letters' } }
      return seriesFeed(head, { data, total }, paging)
    },

    libraries: async (viewer: Viewer, asked: Paged): Promise<Feed> => {
      const paging = pagingFrom(asked)
      const { data, total } = await listLibraries(db, viewer, undefined, paging)
      const head = { path: '/libraries', title: 'Libraries', self: askedFor('/libraries', asked) }
      return navigation(head, data.map(libraryEntry), total, paging)
    },

    library: async (viewer: Viewer, id: string, asked: Paged): Promise<Feed> => {
      const { name } = await requireLibrary(db.read, viewer, id)
      const paging = pagingFrom(asked)
      const answer = await series(viewer, { libraryId: id, sort: 'name,asc' }, paging)
      const path = `/libraries/${id}`
      const head = { id: `urn:uuid:${id}`, path, title: name, self: askedFor(path, asked), up: { path: '/libraries' } }
      return seriesFeed(head, answer, paging)
    },

    collections: async (viewer: Viewer, asked: Paged): Promise<Feed> => {
      const paging = pagingFrom(asked)
      const { data, total } = await listCollections(db.readSlowly, onlooker(viewer), undefined, paging)
      const entries = data.map(({ id, name, summary, seriesCount, updatedAt }): Entry => ({
        ...plainEntry(name, `/collections/${id}`, summary ?? counted(seriesCount, 'series', 'series')),
        id: `urn:uuid:${id}`,
        updated: updatedAt,
        count: seriesCount,
      }))
      const head = { path: '/collections', title: 'Collections', self: askedFor('/collections', asked) }
      return navigation(head, entries, total, paging)
    },

    collection: async (viewer: Viewer, id: string, asked: Paged): Promise<Feed> => {
      const paging = pagingFrom(asked)
      const { name } = await readCollection(db.readSlowly, onlooker(viewer), id)
      const answer = await listSeriesOfCollection(db.readSlowly, onlooker(viewer), id, { sort: undefined, paging })
      const path = `/collections/${id}`
      const head = {
        id: `urn:uuid:${id}`,
        path,
        title: name,
        self: askedFor(path, asked),
        up: { path: '/collections' },
      }
      return seriesFeed(head, answer, paging)
    },

    readLists: async (viewer: Viewer, asked: Paged): Promise<Feed> => {
      const paging = pagingFrom(asked)
      const { data, total } = await listReadLists(db.readSlowly, onlooker(viewer), undefined, paging)
      const entries = data.map(({ id, name, summary, bookCount, updatedAt }): Entry => ({
        ...plainEntry(name, `/readlists/${id}`, summary ?? counted(bookCount, 'book', 'books')),
        id: `urn:uuid:${id}`,
        updated: updatedAt,
        leadsTo: 'acquisition',
        count: bookCount,
      }))
      const head = { path: '/readlists', title: 'Read lists', self: askedFor('/readlists', asked) }
      return navigation(head, entries, total, paging)
    },

    readList: async (viewer: Viewer, id: string, asked: Paged): Promise<Feed> => {
      const paging = pagingFrom(asked)
      const { name } = await readReadList(db.readSlowly, onlooker(viewer), id)
      const answer = await listBooksOfReadList(db.readSlowly, onlooker(viewer), id, { sort: undefined, paging })
      const path = `/readlists/${id}`
      const head = { id: `urn:uuid:${id}`, path, title: name, self: askedFor(path, asked), up: { path: '/readlists' } }
      return bookFeed(viewer, head, answer, paging)
    },

    terms: async (viewer: Viewer, kind: TermKind, asked: Paged): Promise<Feed> => {
      const { path, title, parameter } = termFeeds[kind]
      const paging = pagingFrom(asked)
      const { data, total } = await listTerms(db.readSlowly, viewer, { kind }, paging)
      const entries = data.map(({ id, name, seriesCount, bookCount, createdAt }): Entry => {
        const query = { [parameter]: name }
        const isOfBooks = bookCount > 0
        return {
          id: `urn:uuid:${id}`,
          title: name,
          updated: createdAt,
          target: { path: isOfBooks ? '/books' : '/series', query },
          leadsTo: isOfBooks ? 'acquisition' : 'navigation',
          text: isOfBooks ? counted(bookCount, 'book', 'books') : counted(seriesCount, 'series', 'series'),
          count: isOfBooks ? bookCount : seriesCount,
        }
      })
      return navigation({ path, title, self: askedFor(path, asked) }, entries, total, paging)
    },

    publishers: async (viewer: Viewer): Promise<Feed> => {
      const { facets } = await seriesFacetsOf(context, viewer, { facets: ['publisher'], limit: publishersMax })
      const entries = (facets['publisher'] ?? [])
        .map(({ value, count }) => ({ name: String(value), count }))
        .sort((one, other) => (one.name < other.name ? -1 : 1))
        .map(({ name, count }): Entry => ({
          ...plainEntry(name, '/series', counted(count, 'series', 'series'), { count }),
          id: idOf(`/publishers ${name}`),
          target: { path: '/series', query: { publisher: name } },
        }))
      return navigation({ path: '/publishers', title: 'Publishers', self: { path: '/publishers' } }, entries)
    },

    /** `self` is spelled as each version spells it. */
    search: async (viewer: Viewer, found: Found, paged: Paged, self: Target): Promise<Feed> => {
      const paging = pagingFrom(paged)
      const head = { path: keyOf(self), title: 'Search', self: askedFor(self.path, { ...self.query, ...paged }) }
      const condition = allOf(
        ...(found.title === undefined ? [] : [{ title: { operator: 'contains', value: found.title } } as const]),
        ...(found.author === undefined ? [] : [{ author: { operator: 'contains', value: found.author } } as const]),
      )
      if (!found.text && !condition) return bookFeed(viewer, head, { data: [], total: 0 }, paging)
      const wanted = { condition, ...(found.text && { fullTextSearch: found.text }) }
      return bookFeed(viewer, head, await books(viewer, wanted, paging), paging)
    },

    /** Series that bear what is looked for, for those who show several things at once. */
    foundSeries: async (viewer: Viewer, text: string, self: Target): Promise<Group[]> => {
      const { data } = await series(viewer, { fullTextSearch: text }, pagingOf(1, groupMax))
      return data.length === 0 ? [] : [{ title: 'Series', target: self, entries: data.map(seriesEntry) }]
    },

    book: async (viewer: Viewer, id: string): Promise<Publication> => {
      const [publication] = await publicationsOf(db.read, viewer, await showBooksById(db.read, viewer, [id]))
      if (!publication) throw notFound('book')
      return publication
    },
  }
}

export interface Found {
  readonly text?: string | undefined
  readonly title?: string | undefined
  readonly author?: string | undefined
}

interface Head {
  readonly id?: string
  readonly path: string
  readonly title: string
  readonly self: Target
  readonly up?: Target
  readonly isStart?: true
}

const headOf = ({ id, path, title, self, up = start, isStart }: Head) => ({
  id: id ?? idOf(path),
  title,
  self,
  ...(!isStart && { up }),
})

const navigation = (head: Head, entries: readonly Entry[], total?: number, paging?: Paging): Feed => ({
  ...headOf(head),
  updated: newestOf(entries),
  content: { kind: 'navigation', entries },
  ...(paging && { paging: { page: paging.page, pageSize: paging.pageSize, total: total ?? entries.length } }),
})

const acquisition = (
  head: Head,
  publications: readonly Publication[],
  total: number,
  paging: Paging | undefined,
): Feed => ({
  ...headOf(head),
  updated: newestOf(publications.map(({ book }) => ({ updated: book.updatedAt }))),
  content: { kind: 'acquisition', publications },
  ...(paging && { paging: { page: paging.page, pageSize: paging.pageSize, total } }),
})

const seriesFeed = (head: Head, { data, total }: ListAnswer<SeriesDto>, paging: Paging): Feed =>
  navigation(head, data.map(seriesEntry), total, paging)

const pagingFrom = ({ page = 1, pageSize = perPage }: Paged): Paging => pagingOf(page, pageSize)

/** One feed is one feed, whichever of its pages is shown. */
const keyOf = ({ path, query = {} }: Target): string => {
  const { page: _page, pageSize: _pageSize, ...rest } = query
  return `${path} ${JSON.stringify(rest)}`
}

/** What a mere reader sees of collections and read lists; those with nothing in them are of no use here. */
const onlooker = (viewer: Viewer) => ({ viewer, mayChange: false })

// Entries

const plainEntry = (title: string, path: string, text: string, more: Partial<Entry> = {}): Entry => ({
  id: idOf(path),
  title,
  updated: sinceEver,
  target: { path },
  leadsTo: 'navigation',
  text,
  ...more,
})

const newestSeries: Target = { path: '/series', query: { sort: 'new' } }

const beginnings: readonly Entry[] = [
  plainEntry('Keep reading', '/keep-reading', 'Books you have begun', { leadsTo: 'acquisition' }),
  plainEntry('On deck', '/on-deck', 'The next books of series you are reading', { leadsTo: 'acquisition' }),
  plainEntry('Newest books', '/recent', 'What came last', { leadsTo: 'acquisition', isNewest: true }),
  plainEntry('Series', '/series', 'All series by title'),
  plainEntry('Series by letter', '/letters', 'All series by the letter they begin with'),
  plainEntry('Newest series', '/series new', 'What came last', { target: newestSeries }),
  plainEntry('Updated series', '/series updated', 'Series something came to, the latest first', {
    target: { path: '/series', query: { sort: 'updated' } },
  }),
  plainEntry('Books', '/books', 'All books by title', { leadsTo: 'acquisition' }),
  plainEntry('Libraries', '/libraries', 'Library by library'),
  plainEntry('Collections', '/collections', 'Series that belong together'),
  plainEntry('Read lists', '/readlists', 'Books in an order to be read in'),
  plainEntry('People', '/people', 'Those who wrote and drew'),
  plainEntry('Genres', '/genres', 'By genre'),
  plainEntry('Tags', '/tags', 'By tag'),
  plainEntry('Publishers', '/publishers', 'By publisher'),
]

const seriesEntry = ({ id, title, summary, bookCount, coverVersion, updatedAt }: SeriesDto): Entry => ({
  id: `urn:uuid:${id}`,
  title,
  updated: updatedAt,
  target: { path: `/series/${id}` },
  leadsTo: 'acquisition',
  text: [counted(bookCount, 'book', 'books'), ...(summary ? [shortened(summary)] : [])].join('. '),
  count: bookCount,
  series: { id, coverVersion },
})

const libraryEntry = ({
  id,
  name,
  description,
  seriesCount,
  updatedAt,
}: Awaited<ReturnType<typeof listLibraries>>['data'][number]): Entry => ({
  ...plainEntry(name, `/libraries/${id}`, description ?? counted(seriesCount, 'series', 'series')),
  id: `urn:uuid:${id}`,
  updated: updatedAt,
  count: seriesCount,
})

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

/** Small devices read whole feeds into memory. */
const shortened = (text: string): string => (text.length > 300 ? `${[...text].slice(0, 297).join('')}…` : text)

const termFeeds: Readonly<Record<TermKind, { path: string; title: string; parameter: string }>> = {
  genre: { path: '/genres', title: 'Genres', parameter: 'genre' },
  tag: { path: '/tags', title: 'Tags', parameter: 'tag' },
  person: { path: '/people', title: 'People', parameter: 'author' },
}

// Conditions

const allOf = <Condition extends BookCondition | SeriesCondition>(
  ...conditions: readonly (Condition | undefined)[]
): { readonly allOf: readonly Condition[] } | undefined => {
  const given = conditions.filter((each) => each !== undefined)
  return given.length === 0 ? undefined : { allOf: given }
}

const is = (value: string | undefined) => (value === undefined ? undefined : ({ operator: 'is', value } as const))

const readCondition = (read: ReadStatus | undefined): BookCondition | undefined =>
  read && { readStatus: { operator: 'is', value: read } }

const bookCondition = ({
  read,
  format,
  genre,
  tag,
  author,
}: {
  readonly read?: ReadStatus
  readonly format?: FileFormat
  readonly genre?: string
  readonly tag?: string
  readonly author?: string
}): BookCondition | undefined => {
  const [genreIs, tagIs, authorIs, formatIs] = [is(genre), is(tag), is(author), is(format)]
  return allOf<BookCondition>(
    readCondition(read),
    formatIs && { format: formatIs },
    genreIs && { genre: genreIs },
    tagIs && { tag: tagIs },
    authorIs && { author: authorIs },
  )
}

const seriesCondition = ({ genre, tag, author, publisher }: Query & SeriesAsked): SeriesCondition | undefined => {
  const [genreIs, tagIs, authorIs, publisherIs] = [is(genre), is(tag), is(author), is(publisher)]
  return allOf<SeriesCondition>(
    genreIs && { genre: genreIs },
    tagIs && { tag: tagIs },
    authorIs && { author: authorIs },
    publisherIs && { publisher: publisherIs },
  )
}
