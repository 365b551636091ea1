/** How many small pictures the strip has at most, whatever the book. */
export const stripMax = 60

interface StripOptions {
  readonly pageCount: number
  /** These are always in it. */
  readonly shown: readonly number[]
  /** What there is room for. */
  readonly max: number
}

/** The pages of which the strip shows a small picture: all, or every n-th, and those in view always. */
export const stripPages = ({ pageCount, shown, max }: StripOptions): readonly number[] => {
  const room = Math.min(stripMax, Math.max(shown.length + 2, max))
  if (pageCount <= room) return Array.from({ length: pageCount }, (_, index) => index + 1)
  const step = Math.ceil(pageCount / (room - shown.length))
  const every = Array.from({ length: Math.ceil(pageCount / step) }, (_, index) => 1 + index * step)
  return [...new Set([...every, ...shown])].toSorted((a, b) => a - b)
}

/** The page at this part of the strip, 0 to 1 in reading order. */
export const pageAtPart = (part: number, pageCount: number): number =>
  Math.min(pageCount, Math.max(1, Math.floor(part * pageCount) + 1))

/** How many pictures are asked for at once: the page that is turned to has its way free. */
const atOnce = 6

/** Pages whose small pictures may be asked for now: the nearest first. */
export const nextToAskFor = (
  pages: readonly number[],
  { from, have }: { readonly from: number; readonly have: ReadonlySet<number> },
): ReadonlySet<number> =>
  new Set(
    pages
      .filter((page) => !have.has(page))
      .toSorted((a, b) => Math.abs(a - from) - Math.abs(b - from))
      .slice(0, atOnce),
  )
