import type { Database, ReadDb } from '../../../database/database.ts'
import { notFound } from '../../../platform/errors.ts'
import { randomToken, sha256 } from '../../../platform/secrets/tokens.ts'
import { readViewer } from '../../viewers/viewers.ts'
import { selectNotifications } from '../notifications/queries.ts'
import { removeFeedKey, selectOwnerOfKey, upsertFeedKey } from './queries.ts'
import { rssOf } from './rss.ts'

const shownMax = 50

/** It stands in addresses, which are kept in many places: so it opens nothing but the feed. */
export const makeFeedKey = (
  db: Database,
  userId: string,
  { basePath, now }: { readonly basePath: string; readonly now: Date },
): Promise<{ key: string; path: string; createdAt: string }> => {
  const key = randomToken()
  const createdAt = now.toISOString()
  return db.write(async (db) => {
    await upsertFeedKey(db, userId, sha256(key), createdAt)
    return { key, path: `${basePath}/api/v1/user/feed.xml?key=${key}`, createdAt }
  })
}

export const endFeed = (db: Database, userId: string): Promise<undefined> =>
  db.write(async (db) => {
    await removeFeedKey(db, userId)
    return undefined
  })

export const readFeed = async (db: ReadDb, key: string, home: string): Promise<string> => {
  const userId = await selectOwnerOfKey(db, sha256(key))
  if (userId === undefined) throw notFound('feed')
  const viewer = await readViewer(db, userId, false)
  return rssOf(await selectNotifications(db, viewer, {}, { limit: shownMax, offset: 0 }), home)
}
