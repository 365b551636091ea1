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

export const selectOwnerOfKey = async (db: ReadDb, keyHash: string): Promise<string | undefined> =>
  (await db.selectFrom('feed_key').select('user_id').where('key_hash', '=', keyHash).executeTakeFirst())?.user_id
