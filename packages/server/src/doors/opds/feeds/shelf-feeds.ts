import type { opdsRecentQuery, opdsShelfQuery } from '@carrel/api/doors'
import type { Static } from 'typebox'
import { readBookShelf } from '../../../features/home/home.ts'
import { listLibraries } from '../../../features/libraries/libraries.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { pagingOf } from '../../../platform/paging.ts'
import { asOf, beginnings, libraryEntryIn } from '../entries/entries.ts'
import { targetOf, type Feed, type Group } from '../feed.ts'
import { bookFeed, keyOf, type Lists, navigation, pagingFrom } from './heads.ts'
import { homeGroups } from './home-groups.ts'

type ShelfQuery = Static<typeof opdsShelfQuery>
type RecentQuery = Static<typeof opdsRecentQuery>

const shelfMax = 50
const groupMax = 20

/** These feeds are the start of the catalogue, and what it proposes to the user. */
export const shelfFeeds = (lists: Lists) => {
  const {
    books,
    context: { db },
    texts,
  } = lists
  const { say } = texts
  const shelf = async (
    viewer: Viewer,
    name: 'continueReading' | 'onDeck',
    { path, title, library }: { readonly path: string; readonly title: string; readonly library: string | undefined },
  ): Promise<Feed> => {
    const data = await readBookShelf(db, viewer, name, { limit: shelfMax, libraryId: library })
    const self = { path, query: { library } }
    const head = { path: library === undefined ? path : keyOf(self), title, self }
    return bookFeed(lists, viewer, head, { data, total: data.length })
  }
  return {
    start: async (viewer: Viewer): Promise<Feed> => {
      const entries = asOf(await lists.latestChange(viewer), beginnings(texts))
      return navigation({ path: '', title: 'Carrel', self: { path: '' }, isStart: true }, entries)
    },

    /**
     * Each group holds a first page of what somebody is most likely to look for; it is for applications that show
     * groups.
     */
    groupsOfStart: async (viewer: Viewer): Promise<Group[]> => {
      const { data } = await listLibraries(db, viewer, undefined, pagingOf(1, groupMax))
      const libraries = {
        title: say('shelf.libraries'),
        target: { path: '/libraries' },
        entries: data.map(libraryEntryIn(texts)),
      }
      return [...(await homeGroups(lists, viewer)), ...(data.length === 0 ? [] : [libraries])]
    },

    keepReading: (viewer: Viewer, { library }: ShelfQuery): Promise<Feed> =>
      shelf(viewer, 'continueReading', { path: '/keep-reading', title: say('shelf.keepReading'), library }),

    onDeck: (viewer: Viewer, { library }: ShelfQuery): Promise<Feed> =>
      shelf(viewer, 'onDeck', { path: '/on-deck', title: say('shelf.onDeck'), library }),

    recent: async (viewer: Viewer, query: RecentQuery): Promise<Feed> => {
      const paging = pagingFrom(query)
      const self = targetOf('/recent', query)
      const head = {
        path: query.library === undefined ? '/recent' : keyOf(self),
        title: say('shelf.newestBooks'),
        self,
      }
      const answer = await books(viewer, { sort: 'createdAt,desc', libraryId: query.library }, paging)
      return bookFeed(lists, viewer, head, { ...answer, paging })
    },
  }
}
