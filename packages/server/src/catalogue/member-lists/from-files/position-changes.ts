import { longestRise } from '../../../database/positions.ts'
import type { MemberPosition } from './queries.ts'

/** `shifted`: it stands where it stood among the others, and only its number is another. */
export type PositionChange =
  | { readonly how: 'gone'; readonly id: string }
  | { readonly how: 'come' | 'moved' | 'shifted'; readonly id: string; readonly position: number }

/** Room for what comes between two members later, so that those behind it keep their numbers. */
const spacing = 1000

/** It finds the fewest changes that turn the current members, in their order, into the expected ones in theirs. */
export const changesIn = (
  current: readonly MemberPosition[],
  expected: readonly string[],
): readonly PositionChange[] => {
  const before = new Map(current.map(({ id, position }, rank) => [id, { position, rank }]))
  const ids = new Set(expected)
  const staying = expected.filter((id) => before.has(id))
  const unmoved = longestRise(staying.map((id) => before.get(id)?.rank ?? 0))
  const fixed = new Map(
    staying.filter((_, index) => unmoved.has(index)).map((id) => [id, before.get(id)?.position ?? 0]),
  )
  const positions = positionsBetween(expected, fixed) ?? expected.map((_, index) => (index + 1) * spacing)
  return [
    ...current.filter(({ id }) => !ids.has(id)).map(({ id }) => ({ how: 'gone' as const, id })),
    ...expected.flatMap((id, index): PositionChange[] => {
      const position = positions[index] ?? 0
      if (before.get(id)?.position === position) return []
      return [{ how: before.has(id) ? (fixed.has(id) ? 'shifted' : 'moved') : 'come', id, position }]
    }),
  ]
}

/** Numbers for all, where some keep theirs; undefined where there is no room between two of these. */
const positionsBetween = (
  expected: readonly string[],
  fixed: ReadonlyMap<string, number>,
): readonly number[] | undefined => {
  const positions: number[] = []
  let waiting = 0
  let last: number | undefined
  for (const id of expected) {
    const position = fixed.get(id)
    if (position === undefined) {
      waiting += 1
      continue
    }
    const from = last ?? position - (waiting + 1) * spacing
    if (position - from <= waiting) return undefined
    for (let nth = 1; nth <= waiting; nth += 1)
      positions.push(from + Math.floor(((position - from) * nth) / (waiting + 1)))
    positions.push(position)
    last = position
    waiting = 0
  }
  for (let nth = 1; nth <= waiting; nth += 1) positions.push((last ?? 0) + nth * spacing)
  return positions
}
