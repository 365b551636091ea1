import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type ListLayout, measure, type Measures } from './layout.ts'
import { useWindowTrack } from './use-window-track.ts'

/** It says what stands at the top of the window, and how far it has been scrolled past. */
export interface Spot {
  readonly index: number
  readonly offset: number
  /** They belong to the items from `index` on, which are looked up again when the list has changed. */
  readonly keys: readonly (string | undefined)[]
}

interface GridOptions {
  readonly count: number
  readonly layout: ListLayout
  /** The grid begins at this earlier position. */
  readonly startAt?: Spot | undefined
  /** An element over the top of the window covers rows of this height. */
  readonly coveredTop?: number
}

/** It describes the items that have been loaded. */
export interface Items {
  readonly keyAt: (index: number) => string | undefined
  readonly indexOf: (key: string) => number | undefined
  /** Nothing is loading: what is there now is the list. */
  readonly isSettled: boolean
  readonly onSpot?: (spot: Spot) => void
}

export interface VirtualGrid extends Measures {
  readonly element: RefObject<HTMLDivElement | null>
  readonly height: number
  readonly rows: number
  readonly shift: number
  readonly firstRow: number
  readonly lastRow: number
  readonly isJumping: boolean
  readonly goToIndex: (index: number) => void
  readonly revealIndex: (index: number) => void
  readonly keeper: Keeper
}

/** `useKeptInPlace` reaches what it keeps through this. */
interface Keeper {
  readonly spot: RefObject<Spot & { readonly contentOffset: number }>
  /** It holds until somebody scrolls: the router also restores the scroll position, a little later and less exactly. */
  readonly held: RefObject<boolean>
  readonly items: RefObject<Items | undefined>
  readonly measures: RefObject<Measures>
  readonly know: (items: Items, measures: Measures) => void
  readonly moveSpot: (index: number) => void
  readonly goTo: (contentOffset: number) => void
  readonly readContentOffset: () => number
}

const userMoves = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const
const keysKept = 40

const note = ({ spot, items, measures }: Pick<Keeper, 'spot' | 'items' | 'measures'>, contentOffset: number): void => {
  const { rowHeight, columns } = measures.current
  const row = Math.max(0, Math.floor(contentOffset / rowHeight))
  const index = row * columns
  const length = Math.min(keysKept, columns * 4)
  const keys = Array.from({ length }, (_, each) => items.current?.keyAt(index + each))
  spot.current = { index, offset: contentOffset - row * rowHeight, keys, contentOffset }
  items.current?.onSpot?.(spot.current)
}

/** A window onto a long list: which rows to render. */
export const useVirtualGrid = ({ count, layout, startAt, coveredTop = 0 }: GridOptions): VirtualGrid => {
  const element = useRef<HTMLDivElement>(null)
  const width = useWidth(element)
  const size = measure(layout, width ?? guessedWidth())
  const { columns, rowHeight } = size
  const rows = Math.ceil(count / columns)
  const spot = useRef<Spot & { contentOffset: number }>({ index: 0, offset: 0, keys: [], contentOffset: 0, ...startAt })
  const held = useRef(startAt !== undefined)
  const items = useRef<Items>(undefined)
  const measures = useRef(size)
  const goTo = useRef<(contentOffset: number) => void>(() => undefined)
  const isGoing = useRef(false)

  const onMove = useCallback((contentOffset: number) => {
    if (isGoing.current) return
    if (!held.current) return note({ spot, items, measures }, contentOffset)
    const target = contentOffsetOfSpot(spot.current, measures.current)
    if (Math.abs(target - contentOffset) < 1) return
    isGoing.current = true
    goTo.current(target)
    isGoing.current = false
  }, [])
  const overscan = layout.kind === 'grid' ? 1 : 6
  const track = useWindowTrack({ element, rows, rowHeight, overscan, coveredTop, onMove })
  useLayoutEffect(() => {
    goTo.current = track.goTo
  }, [track.goTo])
  useRelease(held)

  const [keeper] = useState<Keeper>(() => ({
    spot,
    held,
    items,
    measures,
    know: (nextItems, now) => {
      items.current = nextItems
      measures.current = now
    },
    moveSpot: (index) => {
      spot.current = { ...spot.current, index }
    },
    goTo: (contentOffset) => goTo.current(contentOffset),
    readContentOffset: track.readContentOffset,
  }))
  return {
    ...size,
    element,
    rows,
    height: track.height,
    shift: track.shown.shift,
    firstRow: track.shown.first,
    lastRow: width === undefined ? -1 : Math.min(track.shown.last, rows - 1),
    isJumping: track.shown.isJumping,
    goToIndex: (index) => {
      held.current = false
      track.goTo(Math.floor(index / columns) * rowHeight - coveredTop)
    },
    revealIndex: (index) => track.reveal(Math.floor(index / columns)),
    keeper,
  }
}

const useRelease = (held: RefObject<boolean>): void => {
  useEffect(() => {
    const release = (): void => {
      held.current = false
    }
    for (const move of userMoves) window.addEventListener(move, release, { passive: true, capture: true })
    return () => {
      for (const move of userMoves) window.removeEventListener(move, release, { capture: true })
    }
  }, [held])
}

/** Rows of another size, or books that have come or gone above: what stood at the top of the window stays there. */
export const useKeptInPlace = ({ keeper, columns, rowHeight, cardWidth }: VirtualGrid, items: Items): void => {
  useLayoutEffect(() => {
    const { spot, held, measures, goTo, readContentOffset } = keeper
    const size = { columns, rowHeight, cardWidth }
    const isResized = !isSame(measures.current, size)
    keeper.know(items, size)
    const isAway = spot.current.contentOffset > 0 || held.current
    if (isResized && isAway) return goTo(contentOffsetOfSpot(spot.current, size))
    const moved = movedRows(spot.current, items, columns)
    if (moved !== undefined && moved !== 0 && isAway) {
      keeper.moveSpot(spot.current.index + moved * columns)
      goTo(contentOffsetOfSpot(spot.current, size))
    }
    if (!held.current && (moved !== undefined || items.isSettled)) note(keeper, readContentOffset())
  })
  useNotedWhenLeft(keeper)
}

/** Nothing tells a list that what stands above it has come or grown, so where it is left is measured at the very end. */
const useNotedWhenLeft = (keeper: Keeper): void => {
  useLayoutEffect(() => {
    const noteAgain = (): void => {
      if (!keeper.held.current && keeper.items.current?.isSettled === true) note(keeper, keeper.readContentOffset())
    }
    // Whoever stores what is noted listens for the same event, and hears it after those that capture it.
    window.addEventListener('pagehide', noteAgain, { capture: true })
    return () => {
      noteAgain()
      window.removeEventListener('pagehide', noteAgain, { capture: true })
    }
  }, [keeper])
}

const contentOffsetOfSpot = ({ index, offset }: Spot, { columns, rowHeight }: Measures): number =>
  Math.floor(index / columns) * rowHeight + offset

/** It returns by how many rows the items in view have moved; undefined when none of them is left. */
const movedRows = ({ index, keys }: Spot, { indexOf }: Pick<Items, 'indexOf'>, columns: number): number | undefined => {
  for (const [each, key] of keys.entries()) {
    const now = key === undefined ? undefined : indexOf(key)
    if (now !== undefined) return Math.floor(now / columns) - Math.floor((index + each) / columns)
  }
  return undefined
}

const isSame = (a: Measures, b: Measures): boolean =>
  a.columns === b.columns && a.rowHeight === b.rowHeight && a.cardWidth === b.cardWidth

/** The width is also reported at once: a first frame with the guessed width would move. */
const watchWidth = (target: HTMLElement, onWidth: (width: number) => void): (() => void) => {
  onWidth(target.clientWidth)
  const observer = new ResizeObserver(() => flushSync(() => onWidth(target.clientWidth)))
  observer.observe(target)
  return () => observer.disconnect()
}

/** Undefined until the element is there: whatever was drawn for a width that is not so would be drawn twice. */
const useWidth = (element: RefObject<HTMLElement | null>): number | undefined => {
  const [width, setWidth] = useState<number>()
  useLayoutEffect(() => (element.current ? watchWidth(element.current, setWidth) : undefined), [element])
  return width
}

const guessedWidth = (): number => Math.min(window.innerWidth, 1000)
