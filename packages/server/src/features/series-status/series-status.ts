import type { ListAnswer, ReadingStatus, SeriesDto, SeriesReadingStatus } from '@carrel/api'
import type { Database, ReadDb } from '../../database/database.ts'
import type { NamedWrite } from '../../database/named-write.ts'
import { forReader } from '../../database/whom-it-concerns.ts'
import type { Paging } from '../../platform/paging.ts'
import { showSeriesById } from '../series/series.ts'
import { requireSeries } from '../../catalogue/entries/entries.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { countMarked, deleteStatus, selectMarkedIds, upsertStatus } from './queries.ts'

export { bringPaused, type SetAside, takePausedBack } from './brought.ts'
export { statusRule } from './merge-rules.ts'

interface StatusToSave {
  readonly viewer: Viewer
  readonly id: string
  readonly status: ReadingStatus
  readonly at: string
}

export const savedStatus: NamedWrite<StatusToSave, SeriesReadingStatus> = {
  name: 'status of a series',
  work: async (db, { viewer, id, status, at }) => {
    const { id: seriesId } = await requireSeries(db, viewer, id)
    const { userId } = viewer
    await forReader(userId, () => upsertStatus(db, { userId, seriesId, status, at }))
    return { seriesId, status, updatedAt: at }
  },
}

export const saveStatus = (
  db: Database,
  viewer: Viewer,
  id: string,
  { status, now }: { readonly status: ReadingStatus; readonly now: Date },
): Promise<SeriesReadingStatus> => db.writeNamed(savedStatus, { viewer, id, status, at: now.toISOString() })

export const clearStatus = (db: Database, userId: string, seriesId: string): Promise<undefined> =>
  db.write(async (db) => {
    await forReader(userId, () => deleteStatus(db, userId, seriesId))
    return undefined
  })

export const listMarked = async (
  db: ReadDb,
  viewer: Viewer,
  status: ReadingStatus | undefined,
  paging: Paging,
): Promise<ListAnswer<SeriesDto>> => {
  const total = await countMarked(db, viewer, status)
  const ids = paging.offset < total ? await selectMarkedIds(db, viewer, status, paging) : []
  return { total, data: await showSeriesById(db, viewer, ids) }
}
