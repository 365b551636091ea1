/**
 * A page as high as a million rows of covers is higher than browsers can lay out (Firefox ends at 17.9 million pixels).
 * So what is scrolled, the track, is at most `trackMax` high, and rows stand in it shifted: near its ends one to one, in
 * between in proportion when somebody jumps, and one to one again while they scroll on from there.
 */
export interface Track {
  /** It is the height of all rows together. */
  readonly full: number
  /** It is the height of the element that is scrolled. */
  readonly height: number
  /** It is the height of the window. */
  readonly view: number
}

/** It is the position: `scroll` into the track, and `scroll + shift` into the rows. */
export interface Position {
  readonly scroll: number
  readonly shift: number
  /** The scroll bar is being dragged, or End was pressed: not worth fetching what flies past. */
  readonly isJumping: boolean
}

export const trackMax = 8_000_000
/** Windows at either end that are one to one. */
const edgeViews = 20
/** Further at once than this is no scrolling but a jump. */
const jumpViews = 2

export const trackOf = (options: { rows: number; rowHeight: number; view: number; max?: number }): Track => {
  const { rows, rowHeight, view, max = trackMax } = options
  const full = rows * rowHeight
  return { full, height: Math.min(full, max), view }
}

const isScaled = ({ full, height }: Track): boolean => full > height
const edgeOf = ({ height, view }: Track): number => Math.min(edgeViews * view, height / 4)

/** It returns how far into the rows that position of the track is, when somebody jumps there. */
export const contentOffsetAt = (track: Track, scroll: number): number => {
  const edge = edgeOf(track)
  if (!isScaled(track) || scroll <= edge) return scroll
  const fromEnd = track.height - scroll
  if (fromEnd <= edge + track.view) return track.full - fromEnd
  const last = edge + track.view
  return edge + ((scroll - edge) * (track.full - last - edge)) / (track.height - last - edge)
}

/** The other way round: where in the track that part of the rows is found. */
export const scrollAt = (track: Track, contentOffset: number): number => {
  const edge = edgeOf(track)
  if (!isScaled(track) || contentOffset <= edge) return contentOffset
  const fromEnd = track.full - contentOffset
  if (fromEnd <= edge + track.view) return track.height - fromEnd
  const last = edge + track.view
  return edge + ((contentOffset - edge) * (track.height - last - edge)) / (track.full - last - edge)
}

export const positionAt = (track: Track, contentOffset: number): Position => {
  const scroll = scrollAt(track, contentOffset)
  return { scroll, shift: contentOffset - scroll, isJumping: false }
}

export const contentOffsetOf = ({ scroll, shift }: Position): number => scroll + shift

/** The window has been scrolled to there. */
export const scrolledTo = (track: Track, before: Position, scroll: number): Position => {
  if (before.isJumping || Math.abs(scroll - before.scroll) > jumpViews * track.view) {
    return { scroll, shift: contentOffsetAt(track, scroll) - scroll, isJumping: true }
  }
  return { scroll, shift: isScaled(track) ? before.shift : 0, isJumping: false }
}

/** Scrolling row by row has led away from where these rows belong: before the track ends they are put there again. */
export const isAstray = (track: Track, position: Position, isResting: boolean): boolean => {
  if (!isScaled(track)) return position.shift !== 0
  const drift = Math.abs(scrollAt(track, contentOffsetOf(position)) - position.scroll)
  const near = edgeOf(track) / 2
  const isAtEnd = position.scroll < near || position.scroll > track.height - track.view - near
  return drift > 0.5 && (isResting ? drift > track.view : isAtEnd)
}
