/** A session claims that these pages were read in it. */
export interface PageClaim {
  readonly pagesRead: number
  /** It ended on this page, in a book of `pageCount` pages; null when nobody knows. */
  readonly toPage: number | null
  readonly pageCount: number | null
}

/** It says which pages of a book somebody has read since they began it. It can be stored as JSON. */
export interface Coverage {
  /**
   * Each range runs from one page to another, both read; the ranges are in order, with a gap between one and the next.
   */
  readonly ranges: readonly (readonly [number, number])[]
  /** Pages nobody can place. */
  readonly unplaced: number
  readonly isFinished: boolean
}

export const nothingCovered: Coverage = { ranges: [], unplaced: 0, isFinished: false }

/**
 * A reader who goes back at least this far after the end reads the book again; otherwise they have only leafed back.
 */
const againBelow = 0.5
/** Gaps that are smaller than others are taken as read when there are more: that counts too few pages, never too many. */
const rangesMax = 100

export interface Covered {
  readonly coverage: Coverage
  /** Pages that had not been read before; null: nobody said how many were read. */
  readonly pages: number | null
}

/** It adds one more session: a page counts once, however often it is turned (C15). */
export const addCoverage = (before: Coverage, claims: readonly PageClaim[], finishes: boolean): Covered => {
  let coverage = before.isFinished && beginsAgain(claims) ? nothingCovered : before
  let pages: number | null = null
  for (const claim of claims) {
    const added = addClaim(coverage, claim)
    coverage = added.coverage
    pages = (pages ?? 0) + added.pages
  }
  return { coverage: { ...coverage, isFinished: coverage.isFinished || finishes }, pages }
}

const beginsAgain = (claims: readonly PageClaim[]): boolean =>
  claims.some((claim) => {
    const range = rangeOf(claim)
    return range ? range[0] <= (claim.pageCount ?? 0) * againBelow : claim.pagesRead > 0
  })

const rangeOf = ({ pagesRead, toPage, pageCount }: PageClaim): readonly [number, number] | undefined => {
  if (toPage === null || pageCount === null || pagesRead === 0) return undefined
  const count = Math.min(pagesRead, pageCount)
  const from = Math.max(1, Math.min(toPage, pageCount) - count + 1)
  return [from, from + count - 1]
}

const addClaim = (coverage: Coverage, claim: PageClaim): { readonly coverage: Coverage; readonly pages: number } => {
  const { pageCount } = claim
  const size = sizeOf(coverage.ranges)
  const room = pageCount === null ? Number.POSITIVE_INFINITY : Math.max(0, pageCount - size - coverage.unplaced)
  const range = rangeOf(claim)
  if (!range) {
    const pages = Math.min(claim.pagesRead, room)
    return { coverage: { ...coverage, unplaced: coverage.unplaced + pages }, pages }
  }
  const ranges = united(coverage.ranges, range)
  return { coverage: { ...coverage, ranges: bounded(ranges) }, pages: Math.min(sizeOf(ranges) - size, room) }
}

const sizeOf = (ranges: Coverage['ranges']): number => ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0)

const united = (ranges: Coverage['ranges'], added: readonly [number, number]): (readonly [number, number])[] => {
  const apart = ranges.filter(([from, to]) => to < added[0] - 1 || from > added[1] + 1)
  const joined = ranges.filter(([from, to]) => to >= added[0] - 1 && from <= added[1] + 1)
  const span: readonly [number, number] = [
    Math.min(added[0], ...joined.map(([from]) => from)),
    Math.max(added[1], ...joined.map(([, to]) => to)),
  ]
  return [...apart, span].sort(([one], [other]) => one - other)
}

const bounded = (ranges: readonly (readonly [number, number])[]): Coverage['ranges'] => {
  if (ranges.length <= rangesMax) return ranges
  const gapAfter = (index: number): number => (ranges[index + 1]?.[0] ?? 0) - (ranges[index]?.[1] ?? 0)
  let least = 0
  for (let index = 1; index < ranges.length - 1; index += 1) if (gapAfter(index) < gapAfter(least)) least = index
  const [from = 0] = ranges[least] ?? []
  const [, to = 0] = ranges[least + 1] ?? []
  return [...ranges.slice(0, least), [from, to] as const, ...ranges.slice(least + 2)]
}
