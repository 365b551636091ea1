/** Pictures that are decoded ahead take four bytes a pixel: as many as a small phone can spare. */
export const pixelBudget = 48_000_000

interface PreloadRequest {
  /** It is the present page; `step` is the direction of reading. */
  readonly index: number
  readonly step: 1 | -1
  /** It returns the number of pixels of the page at this position. */
  readonly pixelsOf: (index: number) => number
  readonly count: number
}

const ahead = 4

/** The indexes to hold ready, the most urgent first: the one in view always, then onwards, then one back. */
export const indexesToHold = ({ index, step, pixelsOf, count }: PreloadRequest): number[] => {
  const onwards = Array.from({ length: ahead }, (_, each) => index + (each + 1) * step)
  const indexes = [onwards[0], index - step, ...onwards.slice(1)].filter(
    (each) => each !== undefined && each >= 0 && each < count,
  ) as number[]
  const held = [index]
  let left = pixelBudget - pixelsOf(index)
  for (const each of indexes) {
    const pixels = pixelsOf(each)
    if (pixels > left) break
    left -= pixels
    held.push(each)
  }
  return held
}
