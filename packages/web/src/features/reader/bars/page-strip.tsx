import type { BookDetail } from '@carrel/api'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PageLayout } from '../../../reader/page-layout.ts'
import { nextToAskFor, pageAtPart, stripMax, stripPages } from '../../../reader/page-strip.ts'
import type { PageSize, Spread } from '../../../reader/spreads.ts'
import { Row, Stack } from '../../../ui/layout/layout.tsx'
import { stripPictureOf, thumbnailOf } from '../pages/pictures.ts'
import { useWindowSize } from '../pages/window-size.ts'
import styles from './page-strip.module.css'

interface PageStripProps {
  readonly book: BookDetail
  readonly pageCount: number
  readonly sizes: readonly PageSize[]
  readonly spread: Spread
  readonly layout: PageLayout
  readonly isShown: boolean
  readonly onGo: (page: number) => void
}

/** A picture narrower than this says nothing, and cannot be hit. */
const pictureMin = 22
const besidePixels = 300

/** All pages as small pictures, in the direction of reading: a slider that shows where it leads. */
export const PageStrip = (props: PageStripProps): ReactNode => {
  const { book, pageCount, sizes, spread, layout, isShown, onGo } = props
  const { t } = useTranslation('reader')
  const { width } = useWindowSize()
  const room = Math.floor((width < 768 ? width - 40 : width - besidePixels) / pictureMin)
  const pages = stripPages({ pageCount, shown: spread, max: Math.min(stripMax, room) })
  const pictures = usePictures(pages, spread[0], isShown)
  const isRightToLeft = layout.direction === 'rtl'
  const { dragged, handlers } = useDrag({ pageCount, isRightToLeft, onGo })
  const [first] = spread
  const last = spread.at(-1) ?? first
  const page = dragged ?? first
  const isPair = dragged === undefined && last !== first
  const count = pageCount
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = pageByKey(event.key, { first, last, pageCount, isRightToLeft })
    if (to === undefined) return
    event.preventDefault()
    onGo(to)
  }
  return (
    <div className={styles.strip} dir={isRightToLeft ? 'rtl' : 'ltr'}>
      <Row
        className={styles.line}
        role="slider"
        tabIndex={0}
        aria-label={t('slider')}
        aria-valuemin={1}
        aria-valuemax={pageCount}
        aria-valuenow={page}
        aria-valuetext={isPair ? t('pagesOf', { first, last, count }) : t('pageOf', { page, count })}
        onKeyDown={onKeyDown}
        {...handlers}
      >
        <SmallPages {...{ book, sizes, spread, pages, pictures }} />
      </Row>
      {dragged === undefined ? null : (
        <Stack gap={1} align="center" className={styles.peek}>
          <img src={thumbnailOf(book, dragged)} alt="" />
          <span>{t('pageOf', { page: dragged, count })}</span>
        </Stack>
      )}
    </div>
  )
}

interface SmallPagesProps extends Pick<PageStripProps, 'book' | 'sizes' | 'spread'> {
  readonly pages: readonly number[]
  readonly pictures: ReturnType<typeof usePictures>
}

const SmallPages = ({ book, sizes, spread, pages, pictures }: SmallPagesProps): ReactNode =>
  pages.map((each) => (
    <span
      key={each}
      className={styles.page}
      data-is-read={each < spread[0]}
      data-is-here={spread.includes(each)}
      style={{ width: widthOf(sizes[each - 1]) }}
    >
      {pictures.isThere(each) ? (
        <img
          src={stripPictureOf(book, each)}
          alt=""
          draggable={false}
          decoding="async"
          fetchPriority="low"
          onLoad={() => pictures.came(each)}
          onError={() => pictures.came(each)}
        />
      ) : null}
    </span>
  ))

const height = 54

const widthOf = ({ width, height: high }: PageSize = { width: null, height: null }): number =>
  width === null || high === null ? height * 0.67 : Math.min(2 * height, Math.max(12, (height * width) / high))

interface Steps {
  readonly first: number
  readonly last: number
  readonly pageCount: number
  readonly isRightToLeft: boolean
}

const pageByKey = (key: string, { first, last, pageCount, isRightToLeft }: Steps): number | undefined => {
  const [on, back] = isRightToLeft ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']
  const steps: Readonly<Record<string, number>> = {
    [on]: last + 1,
    [back]: first - 1,
    ArrowUp: last + 1,
    ArrowDown: first - 1,
    PageUp: last + 10,
    PageDown: first - 10,
    Home: 1,
    End: pageCount,
  }
  const to = steps[key]
  return to === undefined ? undefined : Math.min(pageCount, Math.max(1, to))
}

/** Pictures are asked for once the strip is shown, the nearest first and few at a time: pages come before them. */
const usePictures = (pages: readonly number[], from: number, isShown: boolean) => {
  const [have, setHave] = useState<ReadonlySet<number>>(new Set())
  const next = isShown ? nextToAskFor(pages, { from, have }) : new Set()
  return {
    isThere: (page: number): boolean => have.has(page) || next.has(page),
    came: (page: number): void => setHave((before) => new Set(before).add(page)),
  }
}

interface Dragging extends Pick<Steps, 'pageCount' | 'isRightToLeft'> {
  readonly onGo: (page: number) => void
}

/** Wherever one lets go, there one goes; until then the page is shown large. */
const useDrag = ({ pageCount, isRightToLeft, onGo }: Dragging) => {
  const [dragged, setDragged] = useState<number>()
  const pageAt = ({ clientX, currentTarget }: PointerEvent): number => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const part = (clientX - left) / Math.max(1, width)
    return pageAtPart(isRightToLeft ? 1 - part : part, pageCount)
  }
  return {
    dragged,
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>): void => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setDragged(pageAt(event))
      },
      onPointerMove: (event: PointerEvent): void => {
        if (dragged !== undefined) setDragged(pageAt(event))
      },
      onPointerUp: (event: PointerEvent): void => {
        if (dragged !== undefined) onGo(pageAt(event))
        setDragged(undefined)
      },
      onPointerCancel: (): void => setDragged(undefined),
    },
  }
}
