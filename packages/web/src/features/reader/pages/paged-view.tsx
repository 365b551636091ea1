import { type CSSProperties, type ReactNode, type Ref, useImperativeHandle, useRef, useState } from 'react'
import type { PageLayout } from '../../../reader/page-layout.ts'
import { onScreen, type PageSize, type Spread } from '../../../reader/spreads.ts'
import { tapAt } from '../../../reader/taps.ts'
import {
  fittingScale,
  clampView,
  panned,
  pinched,
  type Point,
  type Room,
  type Size,
  startView,
  type View,
  zoomedAt,
} from '../../../reader/zoom.ts'
import { useGestures } from './gestures.ts'
import { PagePicture } from './page-picture.tsx'
import type { PictureOf } from './pictures.ts'
import { contentOf, type PagePart, type SpreadContent } from './spread-content.ts'
import styles from './views.module.css'

/** Keys and buttons use these on the pages in view, however they are shown. */
export interface PageView {
  forward(): void
  back(): void
  zoom(factor: number): void
  resetZoom(): void
  /** It moves the page so that this part of the window is well in view. */
  reveal(box: DOMRect): void
}

/** What lies over a page. */
export type OverPage = (page: number, size: PageSize | undefined) => ReactNode

export interface PagedViewProps {
  readonly sizes: readonly PageSize[]
  readonly spread: Spread
  readonly part: PagePart | undefined
  /** So much of the window the bars cover. */
  readonly covered: { readonly top: number; readonly bottom: number }
  /** One came from behind: one begins at the end. */
  readonly isFromBehind: boolean
  readonly layout: PageLayout
  readonly window: Size
  readonly pictureOf: PictureOf
  readonly smallOf: PictureOf | undefined
  readonly overPage: OverPage | undefined
  readonly onTurn: (step: 1 | -1) => void
  readonly onMenu: () => void
  /** The page was moved below the window: down or up. */
  readonly onScroll: (towards: 1 | -1) => void
  readonly onSize: (page: number, width: number, height: number) => void
  readonly onReached: (page: number, isReached: boolean) => void
  readonly ref: Ref<PageView>
}

/** A step within a page moves this share of the window. */
const stepPart = 0.85

/** One spread at a time, which fits, and can be zoomed and moved. */
export const PagedView = (props: PagedViewProps): ReactNode => {
  const { spread, part, sizes, layout, window, onTurn, onMenu, onScroll, ref } = props
  const isRightToLeft = layout.direction === 'rtl'
  const content = contentOf(onScreen(spread, isRightToLeft), sizes, { gap: layout.gap, part })
  const fitting = fittingScale(layout.fit, content, window)
  const room: Room = { content, window, fitting }
  const { view, now, setView } = useView(props, content, room)
  const stage = useRef<HTMLDivElement>(null)

  const step = (by: 1 | -1): void => {
    const moved = panned(now(), { x: 0, y: -by * window.height * stepPart }, room)
    if (Math.abs(moved.y - now().y) > 1) setView(moved)
    else onTurn(by)
  }
  const middle: Point = { x: window.width / 2, y: window.height / 2 }
  const zoom = (factor: number, point = middle): void => setView(zoomedAt(now(), factor, point, room))
  const toggleZoom = (point: Point): void => (now().scale > fitting * 1.01 ? zoom(0.01, point) : zoom(2.5, point))
  useImperativeHandle(ref, () => ({
    forward: () => step(1),
    back: () => step(-1),
    zoom: (factor) => zoom(factor),
    resetZoom: () => zoom(0.01),
    reveal: (box) => setView(panned(now(), towardsMiddle(box, stage.current?.getBoundingClientRect()), room)),
  }))
  useGestures(stage, {
    turnsAlong: layout.direction === 'ttb' ? 'y' : 'x',
    canMove: () => canMove(now(), room),
    onMove: (by) => {
      const before = now()
      const moved = panned(before, by, room)
      setView(moved)
      if (Math.abs(moved.y - before.y) > 2) onScroll(moved.y < before.y ? 1 : -1)
      return Math.abs(moved.x - before.x) + Math.abs(moved.y - before.y) > 0.5
    },
    onPinch: (before, after) => setView(pinched(now(), before, after, room)),
    onSwipe: (towards) => onTurn(isRightToLeft ? towards : towards === 1 ? -1 : 1),
    onZoom: zoom,
    onTurn,
    tapAt: (point) => tapAt({ x: point.x / window.width, y: point.y / window.height }, layout),
    onTap: (tap) => (tap === 'menu' ? onMenu() : step(tap === 'forward' ? 1 : -1)),
    onDoubleTap: toggleZoom,
  })

  return (
    <div ref={stage} className={styles.stage} data-testid="stage">
      <div className={styles.fitted} style={besideBars(content.height * view.scale, view.y, props)}>
        <div
          className={styles.spread}
          style={{
            width: content.width * view.scale,
            height: content.height * view.scale,
            transform: `translate(${view.x}px, ${view.y}px)`,
          }}
        >
          <SpreadPages {...props} content={content} scale={view.scale} />
        </div>
      </div>
    </div>
  )
}

type Shown = 'part' | 'sizes' | 'pictureOf' | 'smallOf' | 'overPage' | 'onSize' | 'onReached'
interface SpreadPagesProps extends Pick<PagedViewProps, Shown> {
  readonly content: SpreadContent
  readonly scale: number
}

const SpreadPages = (props: SpreadPagesProps): ReactNode => {
  const { content, scale, part, sizes, pictureOf, smallOf, overPage, onSize, onReached } = props
  return content.pages.map(({ page, left, width }) => (
    <div key={page} className={styles.page} style={{ left: left * scale, width: width * scale }}>
      <PagePicture
        key={pictureOf(page)}
        {...{ page, part, onSize, onReached }}
        src={pictureOf(page)}
        small={smallOf?.(page)}
      />
      {part === undefined ? overPage?.(page, sizes[page - 1]) : null}
    </div>
  ))
}

const margin = 96

/** How far the page has to move; nothing, where one sees it already. */
const towardsMiddle = (box: DOMRect, stage: DOMRect | undefined): Point => {
  if (!stage) return { x: 0, y: 0 }
  const along = (from: number, to: number, start: number, end: number): number =>
    from >= start + margin && to <= end - margin ? 0 : (start + end) / 2 - (from + to) / 2
  return {
    x: along(box.left, box.right, stage.left, stage.right),
    y: along(box.top, box.bottom, stage.top, stage.bottom),
  }
}

/**
 * While the bars are shown, pages that would lie below them are a little smaller, as a whole: zoom and place stay as they
 * are. A page that is larger than the window keeps its size, and its upper and lower edge come out from below the bars.
 */
const besideBars = (height: number, y: number, { window, covered }: PagedViewProps): CSSProperties => {
  const { top, bottom } = covered
  const free = window.height - top - bottom
  if (top + bottom === 0 || (window.height - height) / 2 >= Math.max(top, bottom)) return {}
  if (height <= window.height + 1)
    return { scale: String(Math.min(1, free / height)), translate: `0 ${(top - bottom) / 2}px` }
  const isAtTop = y > -1
  const isAtBottom = y < window.height - height + 1
  return isAtTop ? { translate: `0 ${top}px` } : isAtBottom ? { translate: `0 ${-bottom}px` } : {}
}

const canMove = ({ scale }: View, { content, window }: Room) => ({
  x: content.width * scale > window.width + 1,
  y: content.height * scale > window.height + 1,
})

interface MovedView {
  readonly key: string
  readonly view: View
}

/**
 * The view starts again with every spread, fit and size of the window; zoom and movement are kept until then. Fingers
 * move faster than anything is painted: `now` is the position they have reached.
 */
const useView = ({ spread, part, isFromBehind, layout }: PagedViewProps, laidOut: SpreadContent, room: Room) => {
  const { content, window, fitting } = room
  const key = [spread.join(), part, layout.fit, window.width, window.height, laidOut.width, laidOut.height].join(' ')
  const [moved, setMoved] = useState<MovedView>()
  const latest = useRef<MovedView>(undefined)
  const start = startView(fitting, { content, window }, layout.direction === 'rtl')
  const beginning = isFromBehind ? clampView({ ...start, y: -content.height * fitting }, content, window) : start
  return {
    view: moved?.key === key ? moved.view : beginning,
    now: (): View => (latest.current?.key === key ? latest.current.view : beginning),
    setView: (view: View): void => {
      latest.current = { key, view }
      setMoved(latest.current)
    },
  }
}
