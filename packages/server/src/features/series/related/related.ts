import { type RelatedSeries, relatedMax } from '@carrel/api'
import { requireSeries } from '../../../catalogue/entries/entries.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import type { ReadDb } from '../../../database/database.ts'
import { showSeriesById } from '../series.ts'
import { countTerms, selectSharing } from './queries.ts'

const subjects = ['genre', 'tag'] as const

/** What else is by the same people, and what is like it; nothing is in both. */
export const readRelated = async (db: ReadDb, viewer: Viewer, id: string): Promise<RelatedSeries> => {
  await requireSeries(db, viewer, id)
  const byPeople = await selectSharing(db, viewer, id, { kinds: ['person'], least: 1, limit: relatedMax })
  const least = Math.min(2, await countTerms(db, viewer, id, subjects))
  const alike =
    least === 0 ? [] : await selectSharing(db, viewer, id, { kinds: subjects, least, limit: 2 * relatedMax })
  const others = alike.filter((each) => !byPeople.includes(each)).slice(0, relatedMax)
  return {
    byPeople: await showSeriesById(db, viewer, byPeople),
    alike: await showSeriesById(db, viewer, others),
  }
}
