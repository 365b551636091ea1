import type { Language } from '@carrel/api'
import type { Database, ReadDb } from '../../../database/database.ts'
import { languageOfReader } from '../../../texts/language-of-reader.ts'
import { notFound } from '../../../platform/errors.ts'
import { randomToken, sha256 } from '../../../platform/secrets/tokens.ts'
import { textsIn } from '../../../texts/texts.ts'
import { readViewer } from '../../viewers/viewers.ts'
import { selectNotifications } from '../notifications/queries.ts'
import { findRecipient } from '../notifications/recipient.ts'
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

interface FeedReader {
  readonly key: string
  /** The header of the request that names languages. */
  readonly accepted: string | undefined
}

/** Whoever reads feeds of several servers reads this one in the language of their account here. */
export const readFeed = async (
  db: ReadDb,
  { key, accepted }: FeedReader,
  home: string,
): Promise<{ readonly text: string; readonly language: Language }> => {
  const ownerId = await selectOwnerOfKey(db, sha256(key))
  const owner = ownerId === undefined ? undefined : await findRecipient(db, ownerId)
  if (owner === undefined) throw notFound('feed')
  const texts = await textsIn(languageOfReader(owner.language, accepted))
  const viewer = await readViewer(db, owner.id, false)
  const notifications = await selectNotifications(db, viewer, {}, { limit: shownMax, offset: 0 })
  return { text: rssOf(notifications, home, texts), language: texts.language }
}
