import type { CompatBook, CompatSeries } from '@carrel/api/doors'
import type { Database } from '../../../database/database.ts'
import { selectProgressOf, unreadCounts } from '../../../features/reading/reading.ts'
import { readerOf, sharedAnswers } from '../../../catalogue/visibility/visibility.ts'
import { type DescribedBook, describeBooks, toProgress } from './book-record.ts'
import { type CompatViewer, type DescribedSeries, describeSeries, withReadCounts } from './series-record.ts'

/** Records come in the order of the ids, without those that the viewer does not see. */
export interface CompatRecords {
  readonly series: (compatViewer: CompatViewer, ids: readonly string[]) => Promise<CompatSeries[]>
  readonly books: (compatViewer: CompatViewer, ids: readonly string[]) => Promise<CompatBook[]>
}

/** So many pages are kept, if they are of at most so many records. */
const keptMax = { pages: 64, records: 100 }

/** What a page says of its books and series is kept whatever readers do, so that after a turned page only what they have read is asked for. */
export const compatRecords = (db: Pick<Database, 'changeMark' | 'replica' | 'readSlowly'>): CompatRecords => {
  const isShort = ({ size }: ReadonlyMap<string, unknown>): boolean => size <= keptMax.records
  const described = {
    series: sharedAnswers<ReadonlyMap<string, DescribedSeries>>(db, keptMax.pages, isShort),
    books: sharedAnswers<ReadonlyMap<string, DescribedBook>>(db, keptMax.pages, isShort),
  }
  const keyOf = ({ spelling }: CompatViewer, ids: readonly string[]): string => `${spelling.name} ${ids.join(' ')}`

  return {
    series: async (compatViewer, ids) => {
      if (ids.length === 0) return []
      const series = await described.series(compatViewer.viewer, keyOf(compatViewer, ids), () =>
        describeSeries(db.readSlowly, compatViewer, ids),
      )
      const counts = await unreadCounts(db.readSlowly, compatViewer.viewer, ids)
      return ids.flatMap((id) => {
        const one = series.get(id)
        return one ? [withReadCounts(one, counts.get(id) ?? { read: 0, inProgress: 0 })] : []
      })
    },

    books: async (compatViewer, ids) => {
      if (ids.length === 0) return []
      const { viewer } = compatViewer
      const books = await described.books(viewer, keyOf(compatViewer, ids), () =>
        describeBooks(db.readSlowly, compatViewer, ids),
      )
      const progress = await selectProgressOf(db.readSlowly, readerOf(viewer), ids)
      return ids.flatMap((id) => {
        const book = books.get(id)
        return book ? [{ ...book, readProgress: toProgress(progress.get(id)) }] : []
      })
    },
  }
}
