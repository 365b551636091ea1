import type { ReadingAhead } from '@carrel/api'
import { requireSeries } from '../../catalogue/entries/entries.ts'
import { firstWhere, type ReadListAhead, shownMembers } from '../../catalogue/member-lists/member-lists.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import type { Database } from '../../database/database.ts'
import { showBooksById } from '../books/books.ts'
import { readFigures } from './figures.ts'
import { amongBooks, amongSeries, inSeries, selectNextInSeries, unfinished, type Within } from './queries.ts'

/** How far somebody is in a series, and where they go on. */
export const readSeriesAhead = async (db: Database, viewer: Viewer, id: string, now: Date): Promise<ReadingAhead> => {
  await requireSeries(db.readSlowly, viewer, id)
  const nextId = await selectNextInSeries(db.readSlowly, viewer, id)
  return readAhead(db, viewer, { within: inSeries(id), nextId }, now)
}

/** How far somebody is in all series of a collection, and which book of which comes next. */
export const readCollectionAhead: ReadListAhead = async (db, listViewer, id, now) => {
  const { viewer } = listViewer
  const within = amongSeries(await shownMembers(db.readSlowly, listViewer, id))
  const seriesId = await firstWhere(db.readSlowly, listViewer, id, unfinished(viewer, 'series'))
  const nextId = seriesId === undefined ? undefined : await selectNextInSeries(db.readSlowly, viewer, seriesId)
  return readAhead(db, viewer, { within, nextId }, now)
}

/** How far somebody is in a read list, and which book of it comes next. */
export const readReadListAhead: ReadListAhead = async (db, listViewer, id, now) => {
  const { viewer } = listViewer
  const within = amongBooks(await shownMembers(db.readSlowly, listViewer, id))
  const nextId = await firstWhere(db.readSlowly, listViewer, id, unfinished(viewer, 'book'))
  return readAhead(db, viewer, { within, nextId }, now)
}

const readAhead = async (
  db: Database,
  viewer: Viewer,
  { within, nextId }: { readonly within: Within; readonly nextId: string | undefined },
  now: Date,
): Promise<ReadingAhead> => {
  const [next = null] = nextId === undefined ? [] : await showBooksById(db.readSlowly, viewer, [nextId])
  return { ...(await readFigures(db, viewer, within, now)), next }
}
