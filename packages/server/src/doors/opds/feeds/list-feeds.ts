import type { CollectionDto, ListAnswer, ReadListDto } from '@carrel/api'
import {
  type ListKind,
  listLists,
  listMembers,
  listViewerFor,
  readList,
} from '../../../catalogue/member-lists/member-lists.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { collections } from '../../../features/collections/collections.ts'
import { readLists } from '../../../features/read-lists/read-lists.ts'
import type { Paging } from '../../../platform/paging.ts'
import { plainEntry } from '../entries/entries.ts'
import { targetOf, type Entry, type Feed } from '../feed.ts'
import { bookFeed, type Head, type Lists, navigation, type Paged, pagingFrom, seriesFeed } from './heads.ts'

type ShelfPath = 'collections' | 'readlists'

/** These feeds show collections and read lists, as to a mere reader: empty ones are of no use here. */
export const listFeeds = (lists: Lists) => {
  const { readSlowly } = lists.context.db
  const { say, count: inWords } = lists.texts

  const all =
    <List extends CollectionDto | ReadListDto>(kind: ListKind<List>, of: ShelfPath, title: string) =>
    async (viewer: Viewer, paged: Paged): Promise<Feed> => {
      const [path, paging] = [`/${of}`, pagingFrom(paged)]
      const { data, total } = await listLists(readSlowly, listViewerFor(kind, viewer, false), undefined, paging)
      const entries = data.map((list): Entry => {
        const { id, name, summary, updatedAt } = list
        const isOfBooks = 'bookCount' in list
        const count = isOfBooks ? list.bookCount : list.seriesCount
        const text = summary ?? inWords(isOfBooks ? 'books' : 'series', count)
        const more = { id: `urn:uuid:${id}`, updated: updatedAt, count, picture: { of, id } }
        return plainEntry(name, `${path}/${id}`, text, { ...more, ...(isOfBooks && { leadsTo: 'acquisition' }) })
      })
      return navigation({ path, title, self: targetOf(path, paged) }, entries, total, paging)
    }

  const one =
    <Member>(
      kind: ListKind<CollectionDto | ReadListDto, Member>,
      of: ShelfPath,
      show: (viewer: Viewer, head: Head, answer: ListAnswer<Member> & { paging: Paging }) => Feed | Promise<Feed>,
    ) =>
    async (viewer: Viewer, id: string, paged: Paged): Promise<Feed> => {
      const [listViewer, paging] = [listViewerFor(kind, viewer, false), pagingFrom(paged)]
      const { name } = await readList(readSlowly, listViewer, id)
      const answer = await listMembers(readSlowly, listViewer, id, { sort: undefined, paging })
      const path = `/${of}/${id}`
      const head = { id: `urn:uuid:${id}`, path, title: name, self: targetOf(path, paged), up: { path: `/${of}` } }
      return show(viewer, head, { ...answer, paging })
    }

  return {
    collections: all(collections, 'collections', say('shelf.collections')),
    collection: one(collections, 'collections', (_, head, answer) => seriesFeed(lists, head, answer)),
    readLists: all(readLists, 'readlists', say('shelf.readLists')),
    readList: one(readLists, 'readlists', (viewer, head, answer) => bookFeed(lists, viewer, head, answer)),
  }
}
