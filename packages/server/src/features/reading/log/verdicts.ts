import type { ReadDb } from '../../../database/database.ts'
import { heldMs, nothingRead, type ReadingState, step } from './fold.ts'
import { type Pair, type LogPosition, selectEntriesAfter, selectSnapshotBefore } from './queries.ts'
import { selectHeads } from './heads/queries.ts'

const entriesAtOnce = 1000

/**
 * It finds out which of some neighbouring entries are held back, and at which entry the reader stands: it runs the fold
 * again, from the snapshot before the first to an hour after the last.
 */
export const heldAmong = async (
  db: ReadDb,
  pair: Pair,
  positions: readonly LogPosition[],
): Promise<{ readonly held: ReadonlySet<string>; readonly standingId: string | undefined }> => {
  const head = (await selectHeads(db, pair.userId, [pair.bookId])).get(pair.bookId)
  const standingId = head && (JSON.parse(head.state) as ReadingState).standing?.entryId
  const newest = positions[0]
  const oldest = positions.at(-1)
  if (!newest || !oldest) return { held: new Set(), standingId }
  const until = new Date(Date.parse(newest.at) + heldMs).toISOString()
  const base = await selectSnapshotBefore(db, pair, oldest)
  let state = base ? (JSON.parse(base.state) as ReadingState) : nothingRead
  let position = base?.position
  const held = new Set<string>()
  for (;;) {
    const entries = await selectEntriesAfter(db, pair, position, entriesAtOnce)
    for (const entry of entries) {
      if (entry.at > until) return { held, standingId }
      const stepped = step(state, entry)
      state = stepped.state
      position = entry
      if (stepped.isHeld) held.add(entry.id)
      for (const id of stepped.released) held.delete(id)
    }
    if (entries.length < entriesAtOnce) return { held, standingId }
  }
}
