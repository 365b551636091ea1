import type { Neighbours, SittingRow } from './queries.ts'
import { adjoinMs, type CountedFact, infers } from './sittings.ts'

/**
 * It finds the sitting that a new fact, later than all others of its book, only makes longer; undefined when that has
 * to be found out from the facts of the sitting. Otherwise each page of a long evening would read all pages before it.
 */
export const sittingGoingOn = (
  { touching, hasLater }: Pick<Neighbours, 'touching' | 'hasLater'>,
  fact: CountedFact,
): SittingRow | undefined => {
  const [last] = touching.toSorted((one, other) => (one.started_at < other.started_at ? 1 : -1))
  const isAlone = touching.every(
    (each) => each === last || (each.started_at !== last?.started_at && each.device_id !== fact.deviceId),
  )
  if (!last || !isAlone || hasLater || last.is_sitting === 0 || last.device_id !== fact.deviceId) return undefined
  // The end of a book may end a sitting, and counts in what is read later.
  if (last.finishes === 1 || fact.finishes || fact.kind !== 'progress' || isPressed(fact)) return undefined
  // A fact that reaches back may absorb positions that were saved before.
  const gapMs = Date.parse(fact.startedAt) - Date.parse(last.ended_at)
  if (gapMs <= 0 || gapMs > adjoinMs) return undefined
  // When a sitting was measured in part, it depends on which part was the last whether a gap was reading.
  return infers(fact) && last.measured_ms !== null ? undefined : last
}

const isPressed = ({ source }: CountedFact): boolean => source === 'mark' || source === 'restore'

/** Time between the last fact of a sitting and one more, as far as it counts as an estimate. */
export const inferredUntil = (sitting: SittingRow, facts: readonly CountedFact[], fact: CountedFact): number => {
  if (!infers(fact)) return 0
  const last = facts.filter(
    ({ id, deviceId, at, source }) =>
      id !== fact.id &&
      deviceId === sitting.device_id &&
      at === sitting.ended_at &&
      source !== 'mark' &&
      source !== 'restore',
  )
  return last.length > 0 && last.every(infers) ? Date.parse(fact.startedAt) - Date.parse(sitting.ended_at) : 0
}
