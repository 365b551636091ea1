import type { CSSProperties } from 'react'

/** Where something in a chapter is in the window. */
export interface Spot {
  readonly top: number
  readonly bottom: number
  readonly middle: number
}

/** What lies in view counts: a passage may go over several pages of which only one is. */
export const spotOf = (rects: Iterable<DOMRect>, doc: Document | null): Spot => {
  const frame = doc?.defaultView?.frameElement
  const { left = 0, top = 0 } = frame?.getBoundingClientRect() ?? {}
  const placed = [...rects].map((rect) => ({
    left: rect.left + left,
    right: rect.right + left,
    top: rect.top + top,
    bottom: rect.bottom + top,
  }))
  const seen = placed.filter(
    (rect) => rect.right > 0 && rect.left < window.innerWidth && rect.bottom > 0 && rect.top < window.innerHeight,
  )
  const shown = seen.length > 0 ? seen : placed
  if (shown.length === 0)
    return { top: window.innerHeight / 2, bottom: window.innerHeight / 2, middle: window.innerWidth / 2 }
  const [first] = shown
  return {
    top: Math.min(...shown.map((rect) => rect.top)),
    bottom: Math.max(...shown.map((rect) => rect.bottom)),
    middle: first ? (first.left + first.right) / 2 : window.innerWidth / 2,
  }
}

/** So much room a bar takes above, with the bar of the reader. */
const barRoom = 120

/** Above it, unless there is no room. */
export const sideOf = ({ top, bottom }: Spot, room = barRoom): 'above' | 'below' =>
  top >= room || window.innerHeight - bottom < room ? 'above' : 'below'

export const placeAt = (spot: Spot, room = barRoom): CSSProperties => {
  const top = sideOf(spot, room) === 'above' ? Math.max(room, spot.top) : spot.bottom
  return { '--top': `${top}px`, '--middle': `${spot.middle}px` } as CSSProperties
}
