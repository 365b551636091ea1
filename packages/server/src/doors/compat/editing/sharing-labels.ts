import type { CompatSeriesPatch } from '@carrel/api/doors'
import type { Database } from '../../../database/database.ts'
import { sharingTagsNamed } from '../../../features/access/access.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { AppError, invalid } from '../../../platform/errors.ts'

interface Labelling {
  readonly db: Database
  readonly viewer: Viewer
  readonly now: Date
  readonly mayMakeTags: boolean
}

/**
 * It returns the sharing tags a series is to have, if the request names any. A user who does not see them does not
 * change them either.
 */
export const readSharingTags = async (
  { db, viewer, now, mayMakeTags }: Labelling,
  { sharingLabels, sharingLabelsLock }: CompatSeriesPatch,
): Promise<readonly string[] | undefined> => {
  if (sharingLabelsLock === false)
    throw invalid('/sharingLabelsLock', 'Sharing labels are only ever changed by people: their lock stays.')
  if (sharingLabels === undefined) return undefined
  if (!viewer.seesPaths) throw new AppError('not_allowed', 'Sharing labels are changed by those who manage libraries.')
  return sharingTagsNamed(db, sharingLabels ?? [], { mayCreate: mayMakeTags, now, path: '/sharingLabels' })
}
