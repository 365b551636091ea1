import type { BookDto } from '@carrel/api'
import { readBookShelf, readHome } from '../../features/home/home.ts'
import { listLibraries } from '../../features/libraries/libraries.ts'
import type { Viewer } from '../../features/visibility/visibility.ts'
import { pagingOf } from '../../platform/paging.ts'
import { beginnings, libraryEntry, newestSeries, seriesEntry } from './entries.ts'
import { askedFor, type Feed, type Group } from './feed.ts'
import { bookFeed, type Lists, navigation, type Paged, pagingFrom } from './heads.ts'
import { publicationsOf } from './publications.ts'

const shelfMax = 50
const groupMax = 20

/** Where one begins, and what is put before somebody. */
export const shelfFeeds = (lists: Lists) => {
  const {
    books,
    context: { db },
  } = lists
  return {
    start: (): Feed => navigation({ path: '', title: 'Carrel', self: { path: '' }, isStart: true }, beginnings),

    /** With what somebody is most likely to look for on the first page; for applications that show groups. */
    startWithShelves: async (viewer: Viewer): Promise<Feed> => {
      const home = await readHome(db, viewer, { limit: groupMax })
      const libraries = await listLibraries(db, viewer, undefined, pagingOf(1, groupMax))
      const group = async (title: string, path: string, shelf: readonly BookDto[]): Promise<Group[]> =>
        shelf.length === 0
          ? []
          : [{ title, target: { path }, publications: await publicationsOf(db.read, viewer, shelf) }]
      const feed = navigation({ path: '', title: 'Carrel', self: { path: '' }, isStart: true }, beginnings)
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
      return bookFeed(lists, viewer, head, { data, total: data.length })
    },

    onDeck: async (viewer: Viewer): Promise<Feed> => {
      const data = await readBookShelf(db, viewer, 'onDeck', shelfMax)
      const head = { path: '/on-deck', title: 'On deck', self: { path: '/on-deck' } }
      return bookFeed(lists, viewer, head, { data, total: data.length })
    },

    recent: async (viewer: Viewer, asked: Paged): Promise<Feed> => {
      const paging = pagingFrom(asked)
      const head = { path: '/recent', title: 'Newest books', self: askedFor('/recent', asked) }
      return bookFeed(lists, viewer, head, { ...(await books(viewer, { sort: 'createdAt,desc' }, paging)), paging })
    },
  }
}
