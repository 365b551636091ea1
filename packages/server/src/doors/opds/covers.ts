import * as opds from '@carrel/api/doors'
import type { Database } from '../../database/database.ts'
import { firstSeriesOfCollection, onlookerFor } from '../../features/collections/collections.ts'
import { firstBookOfReadList } from '../../features/read-lists/read-lists.ts'
import { firstSeries } from '../../catalogue/lists/lists.ts'
import { narrowedTo, type Viewer } from '../../catalogue/visibility/visibility.ts'
import { notFound } from '../../platform/errors.ts'

interface Covered {
  readonly of: 'ofBook' | 'ofSeries'
  readonly id: string
}
type FindCovered = (viewer: Viewer, id: string) => Promise<Covered> | Covered

/** It finds which cover is shown; a list shows that of its first entry. */
export const coversOf = (db: Database) => {
  const newestOfLibrary: FindCovered = async (viewer, libraryId) => {
    const order = { field: 'createdAt', direction: 'desc' } as const
    const narrowed = narrowedTo(viewer, libraryId)
    const [series] = await firstSeries(db.readSlowly, narrowed, order, { libraryId, limit: 1 })
    if (!series) throw notFound('cover')
    return { of: 'ofSeries', id: series.id }
  }
  const ofCollection: FindCovered = async (viewer, id) => ({
    of: 'ofSeries',
    id: await firstSeriesOfCollection(db.readSlowly, onlookerFor(viewer, false), id),
  })
  const ofReadList: FindCovered = async (viewer, id) => ({
    of: 'ofBook',
    id: await firstBookOfReadList(db.readSlowly, onlookerFor(viewer, false), id),
  })
  const ofBook: FindCovered = (_, id) => ({ of: 'ofBook', id })
  const ofSeries: FindCovered = (_, id) => ({ of: 'ofSeries', id })
  return [
    [opds.readOpdsCover, opds.readOpdsThumbnail, ofBook],
    [opds.readOpdsSeriesCover, opds.readOpdsSeriesThumbnail, ofSeries],
    [opds.readOpdsLibraryCover, opds.readOpdsLibraryThumbnail, newestOfLibrary],
    [opds.readOpdsCollectionCover, opds.readOpdsCollectionThumbnail, ofCollection],
    [opds.readOpdsReadListCover, opds.readOpdsReadListThumbnail, ofReadList],
  ] as const
}
