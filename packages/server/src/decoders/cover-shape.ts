export interface Size {
  readonly width: number
  readonly height: number
}

export interface CoverShape {
  /** This much of the picture is shown, from its top, over its whole width. */
  readonly shownHeight: number
  /** It is made to fit into this, and never larger than it is. */
  readonly box: Size
}

/** No cover of a printed book is slimmer. */
export const slimmest = 1.6
/** A taller picture is a strip, of which the beginning is the cover. */
const tallest = 2

/**
 * It computes how a picture becomes a cover. For one shaped like a book, `edge` is the longer side. Others would get a
 * shorter side as thin as a thread, so that side is given instead: that of the slimmest book, and the longer one is at
 * most twice as long.
 */
export const coverShape = ({ width, height }: Size, edge: number): CoverShape => {
  const shownHeight = Math.min(height, Math.ceil(width * tallest))
  const isLikeBook = Math.max(width, shownHeight) <= slimmest * Math.min(width, shownHeight)
  if (isLikeBook) return { shownHeight, box: { width: edge, height: edge } }
  const short = Math.round(edge / slimmest)
  const long = short * tallest
  const box = width < shownHeight ? { width: short, height: long } : { width: long, height: short }
  return { shownHeight, box }
}
