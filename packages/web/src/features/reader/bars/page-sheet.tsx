import type { BookDetail } from '@carrel/api'
import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Row, Stack } from '../../../ui/layout/layout.tsx'
import type { PageLayout } from '../../../reader/page-layout.ts'
import { thumbnailOf } from '../pages/pictures.ts'
import styles from './page-sheet.module.css'

interface SheetProps {
  readonly book: BookDetail
  readonly pageCount: number
  readonly page: number
  readonly layout: Pick<PageLayout, 'direction'>
  /** Pages with a bookmark. */
  readonly marked: ReadonlySet<number>
  readonly onGo: (page: number) => void
}

interface PageSheetProps extends SheetProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** It shows all pages as small pictures: the user sees the present page, and can go anywhere. */
export const PageSheet = ({ isOpen, onClose, onGo, ...rest }: PageSheetProps): ReactNode => {
  const { t } = useTranslation('reader')
  const goAndClose = (page: number): void => {
    onClose()
    onGo(page)
  }
  return (
    <Dialog title={t('allPages')} isOpen={isOpen} onClose={onClose} size="xl">
      <Sheet {...rest} onGo={goAndClose} />
    </Dialog>
  )
}

const cell = { width: 112, height: 190 }
const rowsAround = 2

const Sheet = ({ book, pageCount, page, layout, marked, onGo }: SheetProps): ReactNode => {
  const isRightToLeft = layout.direction === 'rtl'
  const { t } = useTranslation('reader')
  const box = useRef<HTMLDivElement>(null)
  const { columns, first, last, follow } = useRows(box, pageCount, page)
  const [focused, focus] = useFocus(box, page)
  const onKeyDown = (event: KeyboardEvent): void => {
    const toRight = isRightToLeft ? -1 : 1
    const by = { ArrowRight: toRight, ArrowLeft: -toRight, ArrowDown: columns, ArrowUp: -columns }[event.key]
    if (by === undefined) return
    event.preventDefault()
    focus(Math.min(pageCount, Math.max(1, focused + by)))
  }
  const nameOf = (each: number): string => {
    const isMarked = marked.has(each)
    return t(isMarked ? 'goToMarkedPage' : 'goToPage', { page: each })
  }
  const start = first * columns + 1
  const count = Math.max(0, Math.min(pageCount, (last + 1) * columns) - start + 1)
  return (
    <div ref={box} className={styles.sheet} dir={isRightToLeft ? 'rtl' : 'ltr'} onScroll={follow}>
      <div className={styles.pages} style={{ height: Math.ceil(pageCount / columns) * cell.height }}>
        {Array.from({ length: count }, (_, index) => start + index).map((each) => (
          <Stack
            as="button"
            gap={1}
            align="center"
            pad={2}
            key={each}
            type="button"
            className={styles.page}
            data-go={each}
            tabIndex={each === focused ? 0 : -1}
            aria-label={nameOf(each)}
            aria-current={each === page ? 'page' : undefined}
            style={{
              width: `${100 / columns}%`,
              insetInlineStart: `${(((each - 1) % columns) * 100) / columns}%`,
              top: Math.floor((each - 1) / columns) * cell.height,
            }}
            onKeyDown={onKeyDown}
            onClick={() => onGo(each)}
          >
            <Small src={thumbnailOf(book, each)} isFirst={each === page} />
            <Row as="span" gap={1}>
              {marked.has(each) ? <Icon name="bookmark" size="small" /> : null}
              {each}
            </Row>
          </Stack>
        ))}
      </div>
    </div>
  )
}

interface SmallProps {
  readonly src: string
  /** It is asked for before the others. */
  readonly isFirst: boolean
}

/** A sheet of paper stands in its place until it is there. */
const Small = ({ src, isFirst }: SmallProps): ReactNode => {
  const [isHere, setIsHere] = useState(false)
  return (
    <img
      src={src}
      alt=""
      decoding="async"
      fetchPriority={isFirst ? 'high' : 'auto'}
      data-is-coming={!isHere || undefined}
      onLoad={() => setIsHere(true)}
    />
  )
}

/** The rows in view and a few around them, of as many columns as there is room for; first the one with the page. */
const useRows = (box: RefObject<HTMLDivElement | null>, pageCount: number, page: number) => {
  const [seen, setSeen] = useState({ columns: 3, top: 0, height: 0 })
  const rowCount = Math.ceil(pageCount / seen.columns)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    // The dialog has its size by then.
    requestAnimationFrame(() => {
      const columns = Math.max(2, Math.floor(element.clientWidth / cell.width))
      const height = element.clientHeight
      setSeen({ columns, top: 0, height })
      requestAnimationFrame(() => {
        element.scrollTop = Math.floor((page - 1) / columns) * cell.height - (height - cell.height) / 2
      })
    })
  }, [box, page])
  const follow = (): void => {
    const { current } = box
    if (current) setSeen((before) => ({ ...before, top: current.scrollTop, height: current.clientHeight }))
  }
  return {
    columns: seen.columns,
    first: Math.max(0, Math.floor(seen.top / cell.height) - rowsAround),
    last: Math.min(rowCount - 1, Math.floor((seen.top + seen.height) / cell.height) + rowsAround),
    follow,
  }
}

/** One page at a time can be reached by Tab, the others from there by the arrow keys. */
const useFocus = (box: RefObject<HTMLDivElement | null>, page: number) => {
  const [focused, setFocused] = useState(page)
  const focus = (to: number): void => {
    setFocused(to)
    // It may come into the document only now.
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-go="${to}"]`)?.focus())
  }
  return [focused, focus] as const
}
