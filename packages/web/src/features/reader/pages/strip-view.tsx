import {
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import type { PageLayout } from '../../../reader/page-layout.ts'
import type { PageSize } from '../../../reader/spreads.ts'
import {
  heightAt,
  keptScroll,
  lengthOf,
  pageRead,
  pagesAround,
  partMax,
  partStart,
  scrollTo,
  type Strip,
  stripOf,
  topOf,
} from '../../../reader/strip.ts'
import type { Size } from '../../../reader/zoom.ts'
import { PagePicture } from './page-picture.tsx'
import type { OverPage, PageView } from './paged-view.tsx'
import type { PictureOf } from './pictures.ts'
import styles from './views.module.css'

interface StripViewProps {
  readonly sizes: readonly PageSize[]
  readonly page: number
  /** It grows when one wants to go to `page`, rather than having scrolled there. */
  readonly jump: number
  readonly layout: PageLayout
  readonly window: Size
  readonly pictureOf: PictureOf
  readonly smallOf: PictureOf | undefined
  readonly overPage: OverPage | undefined
  readonly onPage: (page: number) => void
  /** One has scrolled, by hand: down or up. */
  readonly onScroll: (towards: 1 | -1) => void
  /** The end of the strip has come into view. */
  readonly onEnd: () => void
  /** One wants on, and there is nothing more. */
  readonly onBeyond: () => void
  readonly onMenu: () => void
  readonly onSize: (page: number, width: number, height: number) => void
  readonly onReached: (page: number, isReached: boolean) => void
  readonly ref: Ref<PageView>
}

const columnMax = 1000
const zoomRange = { min: 0.3, max: 4 }

/** All pages stand below each other. Every page has its size before its picture has loaded: nothing ever jumps. */
export const StripView = (props: StripViewProps): ReactNode => {
  const { sizes, layout, window, pictureOf, smallOf, overPage, onMenu, onSize, onReached, ref } = props
  const { t } = useTranslation('reader')
  const [zoomed, setZoomed] = useState(1)
  const columnWidth = columnWidthOf(layout, window) * zoomed
  const strip = useStrip(sizes, columnWidth, layout.gap)
  const { box, scroll, start, length, moveBy } = useScroll(strip, props)
  const zoom = (factor: number): void => setZoomed(Math.min(zoomRange.max, Math.max(zoomRange.min, zoomed * factor)))
  useImperativeHandle(ref, () => ({
    forward: () => moveBy(window.height * 0.85),
    back: () => moveBy(-window.height * 0.85),
    zoom,
    resetZoom: () => setZoomed(1),
    reveal: ({ top, bottom }) => {
      if (top < window.height * 0.1 || bottom > window.height * 0.9) moveBy((top + bottom) / 2 - window.height / 2)
    },
  }))
  useTapsAndWheel(box, { zoom, onTap: onMenu, onDoubleTap: () => setZoomed(zoomed === 1 ? 2 : 1) })
  const { first, last } = pagesAround(strip, { scroll, height: window.height }, window.height * 1.5)

  return (
    <div
      ref={box}
      className={styles.scroll}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What scrolls must be within reach of the keys.
      tabIndex={0}
      role="region"
      aria-label={t('pages')}
      data-testid="strip"
    >
      <div className={styles.column} style={{ width: columnWidth, height: length }}>
        {Array.from({ length: last - first + 1 }, (_, index) => first + index).map((page) => (
          <div
            key={page}
            className={styles.strip}
            style={{ top: topOf(strip, page) - start, height: heightAt(strip, page) }}
          >
            <PagePicture {...{ page, onSize, onReached }} src={pictureOf(page)} small={smallOf?.(page)} />
            {overPage?.(page, sizes[page - 1])}
          </div>
        ))}
      </div>
    </div>
  )
}

const columnWidthOf = ({ sidePadding }: PageLayout, { width }: Size): number =>
  Math.max(120, Math.round(Math.min(width, columnMax) * (1 - (2 * sidePadding) / 100)))

/** The same object while nothing about it changes. */
const useStrip = (sizes: readonly PageSize[], columnWidth: number, gap: number): Strip => {
  const [measured, setMeasured] = useState(() => ({
    sizes,
    columnWidth,
    gap,
    strip: stripOf(sizes, { columnWidth, gap }),
  }))
  if (measured.sizes === sizes && measured.columnWidth === columnWidth && measured.gap === gap) return measured.strip
  const strip = stripOf(sizes, { columnWidth, gap })
  setMeasured({ sizes, columnWidth, gap, strip })
  return strip
}

/** Scroll of the whole strip on one side, of the part of it that the browser has on the other. */
const useScroll = (strip: Strip, { page, jump, window, onPage, onScroll, onEnd, onBeyond }: StripViewProps) => {
  const box = useRef<HTMLDivElement>(null)
  const told = useRef({ onScroll, onEnd })
  useEffect(() => {
    told.current = { onScroll, onEnd }
  })
  const [{ scroll, start }, setPosition] = useState(() => {
    const first = scrollTo(strip, page, window.height)
    return { scroll: first, start: partStart(lengthOf(strip), first, 0) }
  })
  const current = useRef({ strip, jump, page, scroll, start })
  const length = Math.min(partMax, lengthOf(strip))

  const put = (to: number): void => {
    const end = Math.max(0, lengthOf(strip) - window.height)
    const position = Math.min(end, Math.max(0, to))
    const part = partStart(lengthOf(strip), position, current.current.start)
    current.current = { ...current.current, scroll: position, start: part }
    setPosition({ scroll: position, start: part })
    if (box.current && Math.abs(box.current.scrollTop - (position - part)) >= 1) box.current.scrollTop = position - part
  }
  // The effect runs before anything is painted: either what was in view stays where it was, or the view jumps to a
  // page.
  useLayoutEffect(() => {
    const { strip: before, jump: lastJump, scroll: position } = current.current
    const target = jump !== lastJump ? scrollTo(strip, page, window.height) : keptScroll(before, strip, position)
    current.current = { ...current.current, strip, jump, page: jump !== lastJump ? page : current.current.page }
    put(target)
    // oxlint-disable-next-line react/exhaustive-deps
  }, [strip, jump, window.height])
  useEffect(() => {
    const element = box.current
    if (!element) return undefined
    const follow = (): void => {
      const { strip: shown, start: part, page: before } = current.current
      const position = part + element.scrollTop
      const next = partStart(lengthOf(shown), position, part)
      const by = position - current.current.scroll
      if (Math.abs(by) > 2) told.current.onScroll(by > 0 ? 1 : -1)
      if (by > 2 && position >= lengthOf(shown) - element.clientHeight - 1) told.current.onEnd()
      current.current = { ...current.current, scroll: position, start: next }
      setPosition({ scroll: position, start: next })
      if (next !== part) element.scrollTop = position - next
      const read = pageRead(shown, before, { scroll: position, height: element.clientHeight })
      if (read === before) return
      current.current = { ...current.current, page: read }
      onPage(read)
    }
    element.addEventListener('scroll', follow, { passive: true })
    return () => element.removeEventListener('scroll', follow)
  }, [onPage])
  const moveBy = (by: number): void => {
    const end = Math.max(0, lengthOf(strip) - window.height)
    if (by > 0 && current.current.scroll >= end - 1) onBeyond()
    else put(current.current.scroll + by)
  }
  return { box, scroll, start, length, moveBy }
}

interface TapsAndWheel {
  readonly zoom: (factor: number) => void
  readonly onTap: () => void
  readonly onDoubleTap: () => void
}

const doubleTapMs = 260

/** The browser scrolls by itself; a tap, two in a row, and the wheel with Ctrl are ours. */
const useTapsAndWheel = (box: RefObject<HTMLDivElement | null>, handlers: TapsAndWheel): void => {
  const latest = useRef(handlers)
  useEffect(() => {
    latest.current = handlers
  })
  useEffect(() => {
    const stop = new AbortController()
    let waiting: ReturnType<typeof setTimeout> | undefined
    const tap = (): void => {
      waiting = undefined
      latest.current.onTap()
    }
    const onClick = ({ target }: Event): void => {
      if (target instanceof Element && target.closest('button, a')) return
      if (waiting === undefined) waiting = setTimeout(tap, doubleTapMs)
      else {
        clearTimeout(waiting)
        waiting = undefined
        latest.current.onDoubleTap()
      }
    }
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      latest.current.zoom(Math.exp(-event.deltaY * 0.002))
    }
    box.current?.addEventListener('click', onClick, { signal: stop.signal })
    box.current?.addEventListener('wheel', onWheel, { signal: stop.signal, passive: false })
    return () => {
      stop.abort()
      clearTimeout(waiting)
    }
  }, [box])
}
