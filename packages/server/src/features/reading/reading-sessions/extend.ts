import type { Neighbours, SessionRow } from './queries.ts'
import { adjoinMs, type CountedEntry, infers } from './reading-sessions.ts'

/**
 * It finds the session that a new entry, later than all others of its book, only makes longer; undefined when that has
 * to be found out from the entries of the session. Otherwise each page of a long evening would read all pages before it.
 */
export const sessionGoingOn = (
  { touching, hasLater }: Pick<Neighbours, 'touching' | 'hasLater'>,
  entry: CountedEntry,
): SessionRow | undefined => {
  const [last] = touching.toSorted((one, other) => (one.started_at < other.started_at ? 1 : -1))
  const isAlone = touching.every(
    (each) => each === last || (each.started_at !== last?.started_at && each.device_id !== entry.deviceId),
  )
  if (!last || !isAlone || hasLater || last.is_session === 0 || last.device_id !== entry.deviceId) return undefined
  // The end of a book may end a session, and counts in what is read later.
  if (last.finishes === 1 || entry.finishes || entry.kind !== 'progress' || isPressed(entry)) return undefined
  // An entry that reaches back may absorb positions that were saved before.
  const gapMs = Date.parse(entry.startedAt) - Date.parse(last.ended_at)
  if (gapMs <= 0 || gapMs > adjoinMs) return undefined
  // When a session was measured in part, it depends on which part was the last whether a gap was reading.
  return infers(entry) && last.measured_ms !== null ? undefined : last
}

const isPressed = ({ source }: CountedEntry): boolean => source === 'mark' || source === 'restore'

/** Time between the last entry of a session and one more, as far as it counts as an estimate. */
export const inferredUntil = (session: SessionRow, entries: readonly CountedEntry[], entry: CountedEntry): number => {
  if (!infers(entry)) return 0
  const last = entries.filter(
    ({ id, deviceId, at, source }) =>
      id !== entry.id &&
      deviceId === session.device_id &&
      at === session.ended_at &&
      source !== 'mark' &&
      source !== 'restore',
  )
  return last.length > 0 && last.every(infers) ? Date.parse(entry.startedAt) - Date.parse(session.ended_at) : 0
}
