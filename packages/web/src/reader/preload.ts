/** Pictures that are decoded ahead take four bytes a pixel: as many as a small phone can spare. */
export const pixelBudget = 48_000_000

interface PreloadRequest {
  /** It is the present page; `step` is the direction of reading. */
  readonly at: number
  readonly step: 1 | -1
  /** It returns the number of pixels of the page at this position. */
  readonly pixelsOf: (index: number) => number
  readonly count: number
}

const ahead = 4

/** The indexes to hold ready, the most urgent first: the one in view always, then onwards, then one back. */
export const indexesToHold = ({ at, step, pixelsOf, count }: PreloadRequest): number[] => {
  const onwards = Array.from({ length: ahead }, (_, index) => at + (index + 1) * step)
  const indexes = [onwards[0], at - step, ...onwards.slice(1)].filter(
    (index) => index !== undefined && index >= 0 && index < count,
  ) as number[]
  const held = [at]
  let left = pixelBudget - pixelsOf(at)
  for (const index of indexes) {
    const pixels = pixelsOf(index)
    if (pixels > left) break
    left -= pixels
    held.push(index)
  }
  return held
}
