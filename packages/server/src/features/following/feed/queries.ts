import type { ReadDb, WriteDb } from '../../../database/database.ts'

export const selectFeedKey = async (db: ReadDb, userId: string): Promise<{ createdAt: string } | undefined> =>
  db.selectFrom('feed_key').select('created_at as createdAt').where('user_id', '=', userId).executeTakeFirst()

export const upsertFeedKey = async (db: WriteDb, userId: string, keyHash: string, at: string): Promise<void> => {
  await db
    .insertInto('feed_key')
    .values({ user_id: userId, key_hash: keyHash, created_at: at })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ key_hash: keyHash, created_at: at }))
    .execute()
}

export const removeFeedKey = async (db: WriteDb, userId: string): Promise<void> => {
  await db.deleteFrom('feed_key').where('user_id', '=', userId).execute()
}

/** It returns the owner of the key, as long as they may sign in. */
export const selectOwnerOfKey = (
  db: ReadDb,
  keyHash: string,
): Promise<{ userId: string; language: string | null } | undefined> =>
  db
    .selectFrom('feed_key')
    .innerJoin('user', 'user.id', 'feed_key.user_id')
    .select(['feed_key.user_id as userId', 'user.language'])
    .where('feed_key.key_hash', '=', keyHash)
    .where('user.is_active', '=', 1)
    .executeTakeFirst()
