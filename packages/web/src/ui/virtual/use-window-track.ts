import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { isAstray, contentOffsetOf, type Position, scrolledTo, positionAt, type Track, trackOf } from './track.ts'

interface TrackOptions {
  readonly element: RefObject<HTMLElement | null>
  readonly rows: number
  readonly rowHeight: number
  /** Rows beyond the window that are there already. */
  readonly overscan: number
  /** An element over the top of the window covers rows of this height. */
  readonly coveredTop: number
  readonly onMove: (contentOffset: number) => void
}

export interface Shown {
  readonly first: number
  readonly last: number
  readonly shift: number
  readonly isJumping: boolean
}

const restMs = 150
const nowhere: Position = { scroll: 0, shift: 0, isJumping: false }

/** The part of many rows that stands in the window, which scrolls as a whole. */
export const useWindowTrack = ({ element, rows, rowHeight, overscan, coveredTop, onMove }: TrackOptions) => {
  const position = useRef<Position>(nowhere)
  const [shown, setShown] = useState<Shown>({ first: 0, last: Math.min(rows - 1, 8), shift: 0, isJumping: false })
  const [view, setView] = useState(() => window.innerHeight)
  const track = trackOf({ rows, rowHeight, view })
  const latest = useRef({ track, rows, rowHeight, overscan, onMove })
  useLayoutEffect(() => {
    latest.current = { track, rows, rowHeight, overscan, onMove }
  })

  const show = useCallback(() => {
    const now = latest.current
    const next = shownAt(position.current, now)
    setShown((before) => (isSame(before, next) ? before : next))
    now.onMove(contentOffsetOf(position.current))
  }, [])

  const scrollOf = useCallback(() => -(element.current?.getBoundingClientRect().top ?? 0), [element])

  const settle = useCallback(
    (next: Position) => {
      const by = next.scroll - scrollOf()
      if (Math.abs(by) >= 0.5) window.scrollBy({ top: by, behavior: 'instant' })
      // The window may end before, or stop at a whole pixel.
      const scroll = scrollOf()
      const rounded = Math.abs(next.scroll - scroll) < 1 && latest.current.track.full > latest.current.track.height
      position.current = { ...next, scroll, shift: next.shift + (rounded ? next.scroll - scroll : 0) }
      show()
    },
    [scrollOf, show],
  )

  /** It scrolls that part of the rows to the top of the window. */
  const goTo = useCallback((contentOffset: number) => settle(positionAt(latest.current.track, contentOffset)), [settle])

  const scrolled = useCallback(() => {
    const now: Track = latest.current.track
    position.current = scrolledTo(now, position.current, scrollOf())
    if (!position.current.isJumping && isAstray(now, position.current, false)) goTo(contentOffsetOf(position.current))
    else show()
  }, [goTo, scrollOf, show])
  const rested = useCallback(() => {
    position.current = { ...position.current, isJumping: false }
    if (isAstray(latest.current.track, position.current, true)) goTo(contentOffsetOf(position.current))
    else show()
  }, [goTo, show])
  useWindowScroll(scrolled, rested, setView)

  /** Scrolls no further than needed for that row to be seen whole. */
  const reveal = useCallback(
    (row: number) => {
      const { rowHeight: height, track: now } = latest.current
      const contentOffset = contentOffsetOf({ ...position.current, scroll: scrollOf() })
      const top = row * height - coveredTop
      if (top < contentOffset) goTo(top)
      else if ((row + 1) * height > contentOffset + now.view) goTo((row + 1) * height - now.view)
    },
    [coveredTop, goTo, scrollOf],
  )

  // With more rows, or higher ones, another part of them is in view.
  useLayoutEffect(show, [show, rows, rowHeight, view, overscan])

  /** It is measured anew: what stands above the rows may have grown since the window was last scrolled, if it ever was. */
  const readContentOffset = (): number => contentOffsetOf({ ...position.current, scroll: scrollOf() })
  return { shown, height: track.height, goTo, reveal, readContentOffset }
}

type Rows = Pick<TrackOptions, 'rows' | 'rowHeight' | 'overscan'> & { readonly track: Track }

const shownAt = (position: Position, { track, rows, rowHeight, overscan }: Rows): Shown => {
  const contentOffset = contentOffsetOf(position)
  return {
    first: Math.max(0, Math.floor(contentOffset / rowHeight) - overscan),
    last: Math.min(rows - 1, Math.ceil((contentOffset + track.view) / rowHeight) + overscan),
    shift: position.shift,
    isJumping: position.isJumping,
  }
}

const isSame = (a: Shown, b: Shown): boolean =>
  a.first === b.first && a.last === b.last && a.shift === b.shift && a.isJumping === b.isJumping

const useWindowScroll = (scrolled: () => void, rested: () => void, setView: (height: number) => void): void => {
  useEffect(() => {
    let resting: ReturnType<typeof setTimeout> | undefined
    const scroll = (): void => {
      scrolled()
      clearTimeout(resting)
      resting = setTimeout(rested, restMs)
    }
    const resize = (): void => setView(window.innerHeight)
    window.addEventListener('scroll', scroll, { passive: true })
    window.addEventListener('resize', resize)
    return () => {
      clearTimeout(resting)
      window.removeEventListener('scroll', scroll)
      window.removeEventListener('resize', resize)
    }
  }, [rested, scrolled, setView])
}
