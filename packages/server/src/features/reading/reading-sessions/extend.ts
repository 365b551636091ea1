import type { Neighbours, SessionRow } from './queries.ts'
import { adjoinMs, type CountedEntry, infers } from './reading-sessions.ts'

/**
 * It finds the session in which somebody left off before `from`, where nothing else is near: what has been added since may
 * only make it longer. Otherwise each page of a long evening would read all pages before it.
 */
export const sessionLeftOff = (
  { touching, hasLater }: Pick<Neighbours, 'touching' | 'hasLater'>,
  from: string,
): SessionRow | undefined => {
  const last = lastOf(touching)
  return last && !hasLater && mayGoOn(last) && isGapBefore(from, last) ? last : undefined
}

const lastOf = (sessions: readonly SessionRow[]): SessionRow | undefined =>
  sessions.toSorted((one, other) => (one.started_at < other.started_at ? 1 : -1))[0]

/** The end of a book may end a session, and counts in what is read later. */
const mayGoOn = (session: SessionRow): boolean => session.is_session === 1 && session.finishes === 0

/** What reaches back may absorb positions that were saved before. */
const isGapBefore = (startedAt: string, { ended_at }: SessionRow): boolean => {
  const gapMs = Date.parse(startedAt) - Date.parse(ended_at)
  return gapMs > 0 && gapMs <= adjoinMs
}

/**
 * It finds the session that a new entry, later than all others of its book, only makes longer; undefined when that has
 * to be found out from the entries of the session. Otherwise each page of a long evening would read all pages before it.
 */
export const sessionGoingOn = (
  { touching, hasLater }: Pick<Neighbours, 'touching' | 'hasLater'>,
  entry: CountedEntry,
): SessionRow | undefined => {
  const last = lastOf(touching)
  const isAlone = touching.every(
    (each) => each === last || (each.started_at !== last?.started_at && each.device_id !== entry.deviceId),
  )
  if (!last || !isAlone || hasLater || !mayGoOn(last) || last.device_id !== entry.deviceId) return undefined
  if (entry.finishes || entry.kind !== 'progress' || isPressed(entry)) return undefined
  if (!isGapBefore(entry.startedAt, last)) return undefined
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
