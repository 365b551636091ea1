import type { ReadingAhead } from '@carrel/api'
import { requireSeries } from '../../catalogue/entries/entries.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import type { ReadDb } from '../../database/database.ts'
import { showBooksById } from '../books/books.ts'
import { inSeries, nextInSeries, readAhead } from '../reading/reading.ts'

/** How far somebody is in a series, and where they go on. */
export const readSeriesAhead = async (db: ReadDb, viewer: Viewer, id: string, now: Date): Promise<ReadingAhead> => {
  await requireSeries(db, viewer, id)
  const ahead = await readAhead(db, viewer, inSeries(id), now)
  const nextId = await nextInSeries(db, viewer, id)
  const [next = null] = nextId === undefined ? [] : await showBooksById(db, viewer, [nextId])
  return { ...ahead, next }
}
