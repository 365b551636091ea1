import type { WriteDb } from '../../database/database.ts'
import { announce } from '../../events/outbox.ts'
import { type ListSights, newsOfList, sightsIn } from '../../catalogue/visibility/visibility.ts'
import { booksOf } from './queries.ts'

/** It returns who sees something in a read list as it is now. */
export const sightsOf = (db: WriteDb, readListId: string): Promise<ListSights> =>
  sightsIn(db, 'book', booksOf(readListId))

/** It holds the list before and after; undefined where it does not exist. */
interface Change {
  readonly before: ListSights | undefined
  readonly after: ListSights | undefined
}

export const announceReadList = (
  db: WriteDb,
  readListId: string,
  { before, after }: Change,
  now: Date,
): Promise<void> => {
  const facts = {
    created: { type: 'read_list_created', readListId },
    updated: { type: 'read_list_updated', readListId },
    deleted: { type: 'read_list_deleted', readListId },
  } as const
  return announce(
    db,
    newsOfList({ facts, before, after, mayRead: 'readlists:read', mayChange: 'readlists:write' }),
    now,
  )
}

/** It announces a change of a list whose entries stay the same. */
export const announceSameReadList = async (db: WriteDb, readListId: string, now: Date): Promise<void> => {
  const sights = await sightsOf(db, readListId)
  await announceReadList(db, readListId, { before: sights, after: sights }, now)
}
