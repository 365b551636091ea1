/**
 * Counts how often a drawing would draw parts of itself. A few lines that refer to each other draw a billion things
 * and stop every browser.
 */
export interface SvgReferences {
  /** An element with that id stands in the one with `inside`, or in none. */
  holds(inside: string | undefined, id: string): void
  refers(inside: string | undefined, id: string): void
  areTooMany(): boolean
}

const drawnMax = 20_000
/** No drawing needs so many steps; and counting them is a recursion. */
const stepsMax = 200

export const countSvgReferences = (): SvgReferences => {
  const parts = new Map<string, { readonly id: string; readonly cost: number }[]>()
  const add = (inside: string | undefined, id: string, cost: number): void => {
    const key = inside ?? ''
    const cached = parts.get(key)
    if (cached) cached.push({ id, cost })
    else parts.set(key, [{ id, cost }])
  }
  const counted = new Map<string, number>()
  const count = (id: string, steps: number): number => {
    const cached = counted.get(id)
    if (cached !== undefined) return cached
    // An element that draws itself has no end; meeting it again before it is counted shows that.
    counted.set(id, Infinity)
    let sum = 0
    for (const part of steps > stepsMax ? [] : (parts.get(id) ?? [])) {
      sum += part.cost + count(part.id, steps + 1)
      if (sum > drawnMax) break
    }
    const result = steps > stepsMax ? Infinity : sum
    counted.set(id, result)
    return result
  }
  return {
    holds: (inside, id) => add(inside, id, 0),
    refers: (inside, id) => add(inside, id, 1),
    areTooMany: () => count('', 0) > drawnMax,
  }
}
