import type { MovedByHand } from '@carrel/api'
import type { ReadDb } from '../../../database/database.ts'
import { conflict } from '../../../platform/errors.ts'
import { visibleSeriesIds } from '../../../catalogue/entries/entries.ts'
import { selectForMerge, type SeriesToMerge } from '../../../catalogue/shown/shown.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { countSeenBooks, selectEmptied, selectTagNames } from './queries.ts'

interface Done {
  readonly seriesId: string
  /** It is the series as it was before; undefined: there was none. */
  readonly before: SeriesToMerge | undefined
  /** The answer names those of these ids that are without a book; or these, which are gone. */
  readonly emptied: readonly string[] | { readonly gone: MovedByHand['emptied'] }
  readonly historyId: string | null
  readonly movedBooks: number
  readonly followedFolders: number
}

export const answerOf = async (db: ReadDb, viewer: Viewer, done: Done): Promise<MovedByHand> => {
  const { seriesId, before, emptied, historyId, movedBooks, followedFolders } = done
  const [after] = await selectForMerge(db, [seriesId])
  if (!after) throw conflict('series_gone', 'The series is gone by now.')
  const added = before ? after.tagIds.filter((tag) => !before.tagIds.includes(tag)) : after.tagIds
  return {
    id: seriesId,
    libraryId: after.library_id,
    title: after.title,
    bookCount: await countSeenBooks(db, viewer, seriesId),
    historyId,
    movedBooks,
    followedFolders,
    emptied: 'gone' in emptied ? emptied.gone : await emptiedSeen(db, viewer, emptied),
    sharingTagsAdded: await selectTagNames(db, added),
    ageRating: { before: before?.age_rating ?? null, after: after.age_rating },
  }
}

const emptiedSeen = async (db: ReadDb, viewer: Viewer, ids: readonly string[]) => {
  const emptied = await selectEmptied(db, ids)
  const seen = await visibleSeriesIds(
    db,
    viewer,
    emptied.map(({ id }) => id),
  )
  return emptied.filter(({ id }) => seen.has(id))
}
