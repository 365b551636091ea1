import type { ListAnswer, MarkRead, NotificationDto } from '@carrel/api'
import type { Database, ReadDb } from '../../../database/database.ts'
import { invalid } from '../../../platform/errors.ts'
import type { Paging } from '../../../platform/paging.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import {
  countNotifications,
  removeNotification,
  selectNotifications,
  updateRead,
  type NotificationFilter,
} from './queries.ts'

export const listNotifications = async (
  db: ReadDb,
  viewer: Viewer,
  filter: NotificationFilter,
  paging: Paging,
): Promise<ListAnswer<NotificationDto>> => {
  const total = await countNotifications(db, viewer, filter)
  return { total, data: paging.offset < total ? await selectNotifications(db, viewer, filter, paging) : [] }
}

export const countUnread = async (db: ReadDb, viewer: Viewer): Promise<{ count: number }> => ({
  count: await countNotifications(db, viewer, { unread: true }),
})

export const markRead = (
  db: Database,
  userId: string,
  { ids, all = false }: MarkRead,
  now: Date,
): Promise<undefined> => {
  if ((ids === undefined) === !all) throw invalid('', 'Give either ids, or all as true.')
  return db.write(async (db) => {
    await updateRead(db, userId, ids ?? 'all', now.toISOString())
    return undefined
  })
}

export const forgetNotification = (db: Database, userId: string, id: string): Promise<undefined> =>
  db.write(async (db) => {
    await removeNotification(db, userId, id)
    return undefined
  })
