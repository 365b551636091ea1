import { mergedSeriesMax, type MovedByHand, movedBooksMax } from '@carrel/api'
import type { Database } from '../../database/database.ts'
import { invalid } from '../../platform/errors.ts'
import { visibleSeriesIds } from '../../catalogue/entries/entries.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { runDry } from './attempt.ts'
import { mergeInto } from './merge-series.ts'
import { answerOf } from './moves/answer.ts'
import { countBooksIn } from './moves/queries.ts'

interface HandMergeRequest {
  readonly ids: readonly string[]
  readonly into: string
  readonly dryRun?: boolean | undefined
}

/** Any series of one library, whether they seem to be the same or not. */
export const mergeSeriesByHand = (
  db: Database,
  viewer: Viewer,
  { ids, into, dryRun = false }: HandMergeRequest,
  now: Date,
): Promise<MovedByHand> =>
  runDry(db, dryRun, async (db) => {
    const seen = await visibleSeriesIds(db, viewer, [into, ...ids])
    if (!seen.has(into)) throw invalid('/into', 'There is no such series.')
    const strange = ids.findIndex((id) => !seen.has(id) || id === into)
    if (strange >= 0)
      throw invalid(`/ids/${strange}`, ids[strange] === into ? 'It is the one that stays.' : 'There is no such series.')
    const fromIds = [...new Set(ids)]
    if (fromIds.length > mergedSeriesMax)
      throw invalid('/ids', `No more than ${mergedSeriesMax} series are merged at once.`, {
        reason: 'too_many',
        values: { most: mergedSeriesMax },
      })
    if ((await countBooksIn(db, fromIds)) > movedBooksMax)
      throw invalid('/ids', `They have more than ${movedBooksMax} books, which is more than is moved at once.`, {
        reason: 'too_many',
        values: { most: movedBooksMax },
      })
    const done = await mergeInto(db, viewer, { fromIds, into, keepsBooks: true, now })
    return answerOf(db, viewer, {
      seriesId: into,
      before: done.into,
      emptied: { gone: done.from.map(({ id, title }) => ({ id, title })) },
      historyId: dryRun ? null : done.historyId,
      movedBooks: done.movedBooks,
      followedFolders: 0,
    })
  })
