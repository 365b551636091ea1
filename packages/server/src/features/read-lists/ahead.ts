import type { ReadingAhead } from '@carrel/api'
import { firstWhere, type ListViewer, shownMembers } from '../../catalogue/member-lists/member-lists.ts'
import type { ReadDb } from '../../database/database.ts'
import { showBooksById } from '../books/books.ts'
import { amongBooks, readAhead, unfinished } from '../reading/reading.ts'

/** How far somebody is in a read list, and which book of it comes next. */
export const readListAhead = async (
  db: ReadDb,
  listViewer: ListViewer,
  id: string,
  now: Date,
): Promise<ReadingAhead> => {
  const { viewer } = listViewer
  const ahead = await readAhead(db, viewer, amongBooks(await shownMembers(db, listViewer, id)), now)
  const nextId = await firstWhere(db, listViewer, id, unfinished(viewer, 'book'))
  const [next = null] = nextId === undefined ? [] : await showBooksById(db, viewer, [nextId])
  return { ...ahead, next }
}
