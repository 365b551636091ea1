import type { ReadingAhead } from '@carrel/api'
import { firstWhere, type ListViewer, shownMembers } from '../../catalogue/member-lists/member-lists.ts'
import type { ReadDb } from '../../database/database.ts'
import { showBooksById } from '../books/books.ts'
import { amongSeries, nextInSeries, readAhead, unfinished } from '../reading/reading.ts'

/** How far somebody is in all series of a collection, and which book of which comes next. */
export const readCollectionAhead = async (
  db: ReadDb,
  listViewer: ListViewer,
  id: string,
  now: Date,
): Promise<ReadingAhead> => {
  const { viewer } = listViewer
  const ahead = await readAhead(db, viewer, amongSeries(await shownMembers(db, listViewer, id)), now)
  const seriesId = await firstWhere(db, listViewer, id, unfinished(viewer, 'series'))
  const nextId = seriesId === undefined ? undefined : await nextInSeries(db, viewer, seriesId)
  const [next = null] = nextId === undefined ? [] : await showBooksById(db, viewer, [nextId])
  return { ...ahead, next }
}
