import * as opds from '@carrel/api/doors'
import type { Database } from '../../../database/database.ts'
import { firstSeries } from '../../../catalogue/lists/lists.ts'
import { firstMember, type ListKind, listViewerFor } from '../../../catalogue/member-lists/member-lists.ts'
import { narrowedTo, type Viewer } from '../../../catalogue/visibility/visibility.ts'
import { collections } from '../../../features/collections/collections.ts'
import { readLists } from '../../../features/read-lists/read-lists.ts'
import { notFound } from '../../../platform/errors.ts'

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
  const ofList =
    (kind: ListKind): FindCovered =>
    async (viewer, id) => ({
      of: kind.content === 'book' ? 'ofBook' : 'ofSeries',
      id: await firstMember(db.readSlowly, listViewerFor(kind, viewer, false), id),
    })
  const ofBook: FindCovered = (_, id) => ({ of: 'ofBook', id })
  const ofSeries: FindCovered = (_, id) => ({ of: 'ofSeries', id })
  return [
    [opds.readOpdsCover, opds.readOpdsThumbnail, ofBook],
    [opds.readOpdsSeriesCover, opds.readOpdsSeriesThumbnail, ofSeries],
    [opds.readOpdsLibraryCover, opds.readOpdsLibraryThumbnail, newestOfLibrary],
    [opds.readOpdsCollectionCover, opds.readOpdsCollectionThumbnail, ofList(collections)],
    [opds.readOpdsReadListCover, opds.readOpdsReadListThumbnail, ofList(readLists)],
  ] as const
}
