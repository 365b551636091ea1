import type { ReadDb, WriteDb } from '../../database/database.ts'
import type { Paging } from '../../platform/paging.ts'
import { listedTo, type Viewer } from '../../catalogue/visibility/visibility.ts'

export const insertFollow = async (db: WriteDb, userId: string, seriesId: string, at: string): Promise<void> => {
  await db
    .insertInto('series_follow')
    .values({ user_id: userId, series_id: seriesId, followed_at: at, newest_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const deleteFollow = async (db: WriteDb, userId: string, seriesId: string): Promise<void> => {
  await db.deleteFrom('series_follow').where('user_id', '=', userId).where('series_id', '=', seriesId).execute()
}

/** Hidden ones too: as many as are kept. */
export const countFollows = async (db: ReadDb, userId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('series_follow')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

const followed = (db: ReadDb, viewer: Viewer) =>
  db
    .selectFrom('series_follow')
    .innerJoin('series', 'series.id', 'series_follow.series_id')
    .where('series_follow.user_id', '=', viewer.userId)
    .where(listedTo(viewer, 'series'))

export const countFollowed = async (db: ReadDb, viewer: Viewer): Promise<number> => {
  const { count } = await followed(db, viewer)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export const selectFollowedIds = async (db: ReadDb, viewer: Viewer, { limit, offset }: Paging): Promise<string[]> => {
  const rows = await followed(db, viewer)
    .select('series_follow.series_id')
    .orderBy('series_follow.newest_at', 'desc')
    .orderBy('series_follow.series_id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(({ series_id }) => series_id)
}

export interface Follower {
  readonly user_id: string
  readonly followed_at: string
}

/** The next after one, of those who can sign in. */
export const selectFollowersAfter = (
  db: ReadDb,
  seriesId: string,
  afterUserId: string,
  limit: number,
): Promise<Follower[]> =>
  db
    .selectFrom('series_follow')
    .innerJoin('user', 'user.id', 'series_follow.user_id')
    .select(['series_follow.user_id', 'series_follow.followed_at'])
    .where('series_follow.series_id', '=', seriesId)
    .where('series_follow.user_id', '>', afterUserId)
    .where('user.is_active', '=', 1)
    .orderBy('series_follow.user_id')
    .limit(limit)
    .execute()

export const updateNewest = async (
  db: WriteDb,
  seriesId: string,
  userIds: readonly string[],
  at: string,
): Promise<void> => {
  await db
    .updateTable('series_follow')
    .set({ newest_at: at })
    .where('series_id', '=', seriesId)
    .where('user_id', 'in', userIds)
    .execute()
}
