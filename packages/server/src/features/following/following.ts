import { followsMax, type ListAnswer, type SeriesDto } from '@carrel/api'
import type { Database, ReadDb } from '../../database/database.ts'
import { forReader } from '../../database/whom-it-concerns.ts'
import { full } from '../../platform/errors.ts'
import type { Paging } from '../../platform/paging.ts'
import { showSeriesById } from '../series/series.ts'
import { requireSeries } from '../../catalogue/entries/entries.ts'
import { lockUser } from '../../database/lock-user.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { countFollowed, countFollows, deleteFollow, insertFollow, selectFollowedIds } from './queries.ts'

export { followRules } from './merge-rules.ts'
export { noteArrivals } from './notifications/arrivals.ts'
export { startTelling } from './tasks.ts'

export const follow = (db: Database, viewer: Viewer, id: string, now: Date): Promise<undefined> =>
  db.write(async (db) => {
    const { userId } = viewer
    const { id: seriesId } = await requireSeries(db, viewer, id)
    await lockUser(db, userId)
    await forReader(userId, () => insertFollow(db, userId, seriesId, now.toISOString()))
    if ((await countFollows(db, userId)) > followsMax)
      throw full(followsMax, `You follow ${followsMax} series already. Leave one of them first.`)
    return undefined
  })

export const unfollow = (db: Database, userId: string, seriesId: string): Promise<undefined> =>
  db.write(async (db) => {
    await forReader(userId, () => deleteFollow(db, userId, seriesId))
    return undefined
  })

export const listFollowed = async (db: ReadDb, viewer: Viewer, paging: Paging): Promise<ListAnswer<SeriesDto>> => {
  const total = await countFollowed(db, viewer)
  const ids = paging.offset < total ? await selectFollowedIds(db, viewer, paging) : []
  return { total, data: await showSeriesById(db, viewer, ids) }
}
