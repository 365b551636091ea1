import { listenersOf } from '../../../catalogue/listeners/listeners.ts'
import {
  announceRefreshed,
  insertSharingTags,
  moveBooks,
  refresh,
  removeSeries,
  renameSeries,
} from '../../../catalogue/shown/shown.ts'
import { announceSeries } from '../../../catalogue/visibility/visibility.ts'
import { carryOver } from '../../../database/carry-over.ts'
import type { WriteDb } from '../../../database/database.ts'
import { recountLibrary } from '../../libraries/libraries.ts'
import { selectSuccessions, type Succession } from './queries.ts'

export interface SeriesMove {
  readonly fromSeriesId: string
  readonly toSeriesId: string
}

/**
 * A series whose books have taken over the files of a newer one that nobody has said anything of was that one all along
 * (C23): its new folder was seen before the old one was gone. It takes its place.
 */
export const replaceNewerSeries = async (db: WriteDb, ways: readonly SeriesMove[], now: Date): Promise<void> => {
  const others = ways.filter(({ fromSeriesId, toSeriesId }) => fromSeriesId !== toSeriesId)
  const distinct = [...new Map(others.map((way) => [`${way.fromSeriesId} ${way.toSeriesId}`, way])).values()]
  const taken = new Set<string>()
  for (const succession of await selectSuccessions(db, distinct)) {
    if (taken.has(succession.newer.id) || taken.has(succession.older.id)) continue
    taken.add(succession.newer.id).add(succession.older.id)
    await replaceSeries(db, succession, now)
  }
}

const replaceSeries = async (db: WriteDb, { older, newer, tagIds }: Succession, now: Date): Promise<void> => {
  await announceSeries(db, 'series_deleted', [newer.id], now)
  for (const rule of listenersOf(db).merged)
    if (rule.of === 'series') await carryOver(db, rule, { fromIds: [newer.id], intoId: older.id, now })
  await insertSharingTags(db, older.id, tagIds)
  await moveBooks(db, [newer.id], older.id, now.toISOString())
  await removeSeries(db, [newer.id], now)
  const target = { key: newer.key, title: newer.name, path: newer.path }
  await renameSeries(db, newer.library_id, [{ id: older.id, oldKey: older.key, target }])
  await announceRefreshed(db, await refresh(db, { seriesWithBooks: [older.id] }, now), now)
  for (const libraryId of new Set([older.library_id, newer.library_id]))
    await recountLibrary(db, libraryId, now.toISOString())
}
