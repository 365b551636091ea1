import type { BookDto, Home, HomeShelf, SeriesDto } from '@carrel/api'
import type { Kind } from '../../lists/kinds.ts'
import { parseListSearch, searchText, type SearchWords, wordsOfSearch } from '../../lists/search/list-search.ts'
import { paths } from '../../navigation/paths.ts'

export const homeInput = { query: { limit: 20 } } as const

const listOf = (kind: Kind, words: SearchWords): string =>
  (kind === 'series' ? paths.seriesList() : paths.bookList()) +
  searchText(wordsOfSearch(kind, parseListSearch(kind, words)))

/** The whole list of which a shelf shows the beginning, where there is one. */
export const allOfShelf: Readonly<Record<HomeShelf, string | undefined>> = {
  continueReading: listOf('books', { read: 'in_progress', sort: '-read' }),
  onDeck: undefined,
  followedUnread: paths.mySeries({ of: 'followed' }),
  recentlyAddedBooks: listOf('books', { sort: '-added' }),
  recentlyAddedSeries: listOf('series', { sort: '-added' }),
  recentlyUpdatedSeries: listOf('series', { sort: '-updated' }),
  recentlyFinished: listOf('books', { read: 'read', sort: '-read' }),
}

export const isEmpty = (home: Home): boolean => home.layout.every((shelf) => home[shelf].length === 0)

export const itemsOf = (home: Home, shelf: HomeShelf): readonly (BookDto | SeriesDto)[] => home[shelf]
