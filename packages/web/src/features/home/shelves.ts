import { type Home, type HomeShelf, homeShelves, type SearchShelf, searchShelfPrefix } from '@carrel/api'
import { deviceId } from '../../api/device.ts'
import type { Kind } from '../../lists/kinds.ts'
import { parseListSearch, searchText, type SearchWords, wordsOfSearch } from '../../lists/search/list-search.ts'
import { paths } from '../../navigation/paths.ts'

export type LayoutItem = HomeShelf | SearchShelf

const usual = { limit: 20, grouped: true } as const

/** What is open stands above all shelves, and is asked for by itself. */
const shelvesToFill = homeShelves.filter((shelf) => shelf !== 'continueReading').join(',')

/** What is seen at once; the rest is asked for as it comes near. */
export const homeInput = () => ({
  query: { ...usual, shelves: shelvesToFill, filled: 2, deviceId: deviceId() },
})

export const laterInput = (later: readonly HomeShelf[]) => ({
  query: { ...usual, deviceId: deviceId(), shelves: later.join(',') },
})

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
  readAgain: paths.mySeries({ of: 'finished' }),
}

export type ShelfItem = Home[HomeShelf][number] | Home['piles'][number]

export const itemsOf = (home: Home, shelf: HomeShelf): readonly ShelfItem[] =>
  shelf === 'recentlyAddedBooks' ? home.piles : home[shelf]

export const isEmpty = (home: Home): boolean =>
  homeShelves.every((shelf) => itemsOf(home, shelf).length === 0) && home.layout.every(isHomeShelf)

export const isHomeShelf = (item: LayoutItem): item is HomeShelf => !item.startsWith(searchShelfPrefix)

export const presetOf = (item: SearchShelf): string => item.slice(searchShelfPrefix.length)

/** What is open stands above all shelves. */
export const shelvesOf = ({ layout }: Home): readonly LayoutItem[] =>
  layout.filter((item) => item !== 'continueReading')
