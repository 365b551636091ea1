import type { TaskContext } from '../../../tasks/define-task.ts'
import {
  deleteGroups,
  deleteMembers,
  insertGroups,
  insertMembers,
  type Match,
  selectGroups,
  selectIdleKeys,
  selectKeysToJoin,
  selectLeavers,
  selectLibrariesOf,
  selectRangeEnd,
  selectSharedKeys,
  selectSmallGroups,
  updateNotDismissed,
} from './queries.ts'

/** One statement skips this many rows of an index. */
const rowsAtOnce = 20_000
const groupsAtOnce = 100
/** Rows that one transaction writes; others wait for it (pins W1). */
const membersAtOnce = 500

export interface Grouping {
  readonly match: Match
  readonly context: TaskContext
  /** Libraries whose groups are other ones now. */
  readonly changed: Set<string>
}

/**
 * It writes down who shares a key: groups that stay keep their ids, and only what differs is written. Each step is
 * whole in itself, so that whoever is interrupted leaves the old groups, and those of the steps already done.
 */
export const groupMembers = async (grouping: Grouping): Promise<void> => {
  await gather(grouping)
  await leave(grouping)
}

const gather = async (grouping: Grouping): Promise<void> => {
  const { match, context } = grouping
  const { readSlowly } = context.db
  let after = ''
  for (;;) {
    context.signal.throwIfAborted()
    const end = await selectRangeEnd(readSlowly, match, after, rowsAtOnce)
    const shared = await selectSharedKeys(readSlowly, match, { after, end })
    for (const part of parts(shared)) {
      context.signal.throwIfAborted()
      const idle = await selectIdleKeys(readSlowly, match, part)
      const keys = part.filter((key) => !idle.has(key))
      const toJoin = await selectKeysToJoin(readSlowly, match, keys)
      if (toJoin.length > 0) await join(grouping, toJoin)
    }
    if (end === undefined) return
    after = end
  }
}

/** A few groups at a time, and fewer of large ones. */
function* parts(shared: readonly { readonly key: string; readonly count: number }[]): Generator<string[]> {
  let keys: string[] = []
  let members = 0
  for (const { key, count } of shared) {
    keys.push(key)
    members += count
    if (keys.length < groupsAtOnce && members < membersAtOnce) continue
    yield keys
    keys = []
    members = 0
  }
  if (keys.length > 0) yield keys
}

const join = async ({ match, context, changed }: Grouping, keys: readonly string[]): Promise<void> => {
  let joined: number
  do {
    joined = await context.write(async (db) => {
      const now = context.clock()
      await insertGroups(db, match, keys, now)
      const groupIds = await insertMembers(db, match, keys, { limit: membersAtOnce, now })
      const ids = [...new Set(groupIds)]
      for (const libraryId of await selectLibrariesOf(db, match, ids)) changed.add(libraryId)
      return groupIds.length
    })
  } while (joined === membersAtOnce)
}

const leave = async ({ match, context, changed }: Grouping): Promise<void> => {
  const { db, write, signal } = context
  let after = ''
  for (;;) {
    signal.throwIfAborted()
    const groups = await selectGroups(db.readSlowly, match, after, groupsAtOnce)
    const last = groups.at(-1)
    if (!last) return
    const ids = groups.map(({ id }) => id)
    const idle = await selectIdleKeys(
      db.readSlowly,
      match,
      groups.map(({ key }) => key),
    )
    for (;;) {
      const leavers = await selectLeavers(db.readSlowly, match, ids, membersAtOnce)
      if (leavers.length === 0) break
      await write(async (db) => {
        const left = [...new Set(leavers.map(({ group_id }) => group_id))]
        const dismissed = leavers.flatMap(({ group_id, dismissed }) => (dismissed === 1 ? group_id : []))
        for (const libraryId of await selectLibrariesOf(db, match, left)) changed.add(libraryId)
        await deleteMembers(db, match, leavers)
        await updateNotDismissed(db, match, [...new Set(dismissed)])
      })
    }
    const small = await selectSmallGroups(db.readSlowly, match, ids)
    const over = [...small, ...groups.filter(({ key }) => idle.has(key)).map(({ id }) => id)]
    if (over.length > 0)
      await write(async (db) => {
        for (const libraryId of await selectLibrariesOf(db, match, over)) changed.add(libraryId)
        await deleteGroups(db, over)
      })
    after = last.key
  }
}
