import { announce } from '../../../events/outbox.ts'
import { newId } from '../../../platform/ids.ts'
import type { TaskContext } from '../../../tasks/define-task.ts'
import { enqueue } from '../../../tasks/queue.ts'
import { maySee, readViewRules } from '../../access/access.ts'
import { selectUsersById } from '../../users/users.ts'
import { labelsOfBooks } from '../../../catalogue/visibility/visibility.ts'
import { type Follower, selectFollowersAfter, updateNewest } from '../queries.ts'
import { deliverWebhook } from '../webhook/deliver.ts'
import { selectActiveAmong } from '../webhook/queries.ts'
import {
  type Arrival,
  insertNotifications,
  selectArrivedBookIds,
  selectDue,
  selectToldAmong,
  setTold,
} from './queries.ts'

const arrivalsAtOnce = 50
const followersAtOnce = 100

/**
 * It notifies the followers of each series of what has arrived in it, as far as they may see it, and returns how many
 * were notified.
 */
export const tellOf = async (libraryId: string, context: TaskContext): Promise<number> => {
  let told = 0
  let afterId = ''
  for (;;) {
    const arrivals = await selectDue(context.db.readSlowly, libraryId, afterId, arrivalsAtOnce)
    for (const arrival of arrivals) told += await tellFollowers(arrival, context)
    afterId = arrivals.at(-1)?.id ?? ''
    if (arrivals.length < arrivalsAtOnce) return told
  }
}

const tellFollowers = async (arrival: Arrival, context: TaskContext): Promise<number> => {
  const { db, write, signal } = context
  const bookIds = await selectArrivedBookIds(db.readSlowly, arrival.id)
  let told = 0
  let afterUserId = ''
  for (;;) {
    signal.throwIfAborted()
    const followers = await selectFollowersAfter(db.readSlowly, arrival.series_id, afterUserId, followersAtOnce)
    told += await tellSome(arrival, await seeing(arrival, { followers, bookIds }, context), context)
    afterUserId = followers.at(-1)?.user_id ?? ''
    if (followers.length < followersAtOnce) break
  }
  await write((db) => setTold(db, arrival.id))
  return told
}

/** It returns those who see any of the books, and followed the series already when they arrived. */
const seeing = async (
  { at }: Arrival,
  { followers, bookIds }: { readonly followers: readonly Follower[]; readonly bookIds: readonly string[] },
  { db }: TaskContext,
): Promise<string[]> => {
  const ids = followers.filter(({ followed_at }) => followed_at <= at).map(({ user_id }) => user_id)
  if (ids.length === 0 || bookIds.length === 0) return []
  const labels = await labelsOfBooks(db.readSlowly, bookIds)
  const users = await selectUsersById(db.readSlowly, ids)
  const ruleOf = await readViewRules(db.readSlowly, users)
  return users.filter((user) => labels.some((label) => maySee(ruleOf(user), label))).map(({ id }) => id)
}

const tellSome = async (
  arrival: Arrival,
  userIds: readonly string[],
  { write, clock }: TaskContext,
): Promise<number> => {
  if (userIds.length === 0) return 0
  return write(async (db) => {
    const now = clock()
    const before = await selectToldAmong(db, arrival.id, userIds)
    const rows = userIds
      .filter((userId) => !before.has(userId))
      .map((userId) => ({ id: newId(now.getTime()), user_id: userId, arrival_id: arrival.id }))
    if (rows.length === 0) return 0
    await insertNotifications(db, rows, now.toISOString())
    await updateNewest(
      db,
      arrival.series_id,
      rows.map(({ user_id }) => user_id),
      now.toISOString(),
    )
    await announce(
      db,
      rows.map(({ id, user_id }) => ({
        event: { type: 'notification' as const, notificationId: id },
        to: { userId: user_id, permission: 'progress:read' as const, libraryId: arrival.library_id },
      })),
      now,
    )
    const sent = await selectActiveAmong(
      db,
      rows.map(({ user_id }) => user_id),
    )
    for (const { id, user_id } of rows)
      if (sent.has(user_id)) await enqueue(db, deliverWebhook, { userId: user_id, notificationId: id }, { now })
    return rows.length
  })
}
