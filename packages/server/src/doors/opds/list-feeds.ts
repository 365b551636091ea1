import {
  listCollections,
  listSeriesOfCollection,
  onlookerFor,
  readCollection,
} from '../../features/collections/collections.ts'
import { listBooksOfReadList, listReadLists, readReadList } from '../../features/read-lists/read-lists.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { counted, plainEntry } from './entries.ts'
import { askedFor, type Entry, type Feed } from './feed.ts'
import { bookFeed, type Lists, navigation, type Paged, pagingFrom, seriesFeed } from './heads.ts'

/** Collections and read lists are shown as to a mere reader; empty ones are of no use here. */
const onlooker = (viewer: Viewer) => onlookerFor(viewer, false)

/** These feeds show collections and read lists. */
export const listFeeds = (lists: Lists) => {
  const { db } = lists.context
  return {
    collections: async (viewer: Viewer, asked: Paged): Promise<Feed> => {
      const paging = pagingFrom(asked)
      const { data, total } = await listCollections(db.readSlowly, onlooker(viewer), undefined, paging)
      const entries = data.map(({ id, name, summary, seriesCount, updatedAt }): Entry => ({
        ...plainEntry(name, `/collections/${id}`, summary ?? counted(seriesCount, 'series', 'series')),
        id: `urn:uuid:${id}`,
        updated: updatedAt,
        count: seriesCount,
        picture: { of: 'collections', id },
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
        picture: { of: 'readlists', id },
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
      return bookFeed(lists, viewer, head, { ...answer, paging })
    },
  }
}
