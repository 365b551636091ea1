import type { BookDetail } from '@carrel/api'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PageSize } from '../../reader/spreads.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { thumbnailOf } from './pictures.ts'
import styles from './page-sheet.module.css'

interface PageSheetProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly book: BookDetail
  readonly sizes: readonly PageSize[]
  readonly page: number
  readonly onGo: (page: number) => void
}

/** All pages as small pictures: one sees where one is, and goes anywhere. */
export const PageSheet = ({ isOpen, onClose, ...rest }: PageSheetProps): ReactNode => {
  const { t } = useTranslation('reader')
  return (
    <Dialog title={t('allPages')} isOpen={isOpen} onClose={onClose} size="xl">
      <Sheet
        {...rest}
        onGo={(page) => {
          onClose()
          rest.onGo(page)
        }}
      />
    </Dialog>
  )
}

const cell = { width: 112, height: 190 }

type SheetProps = Omit<PageSheetProps, 'isOpen' | 'onClose'>

const Sheet = ({ book, sizes, page, onGo }: SheetProps): ReactNode => {
  const { t } = useTranslation('reader')
  const box = useRef<HTMLDivElement>(null)
  const [columns, setColumns] = useState(3)
  const [focused, setFocused] = useState(page)
  const rows = useVirtualizer({
    count: Math.ceil(sizes.length / columns),
    getScrollElement: () => box.current,
    estimateSize: () => cell.height,
    overscan: 2,
  })
  const rowOf = (each: number): number => Math.floor((each - 1) / columns)
  useLayoutEffect(() => {
    const width = box.current?.clientWidth ?? 0
    setColumns(Math.max(2, Math.floor(width / cell.width)))
  }, [])
  useLayoutEffect(() => {
    rows.scrollToIndex(Math.floor((page - 1) / columns), { align: 'center' })
  }, [rows, columns, page])
  const move = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: 1,
      ArrowLeft: -1,
      ArrowDown: columns,
      ArrowUp: -columns,
    }
    const by = steps[event.key]
    if (by === undefined) return
    event.preventDefault()
    const next = Math.min(sizes.length, Math.max(1, focused + by))
    setFocused(next)
    rows.scrollToIndex(rowOf(next))
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-go="${next}"]`)?.focus())
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={box} className={styles.sheet} onKeyDown={move}>
      <div className={styles.rows} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => (
          <div key={index} className={styles.row} style={{ transform: `translateY(${start}px)` }}>
            {Array.from({ length: columns }, (_, column) => index * columns + column + 1)
              .filter((each) => each <= sizes.length)
              .map((each) => (
                <button
                  key={each}
                  type="button"
                  className={styles.page}
                  data-go={each}
                  tabIndex={each === focused ? 0 : -1}
                  aria-label={t('goToPage', { page: each })}
                  aria-current={each === page ? 'page' : undefined}
                  style={{ width: `${100 / columns}%` }}
                  onClick={() => onGo(each)}
                >
                  <img src={thumbnailOf(book, each)} alt="" loading="lazy" decoding="async" />
                  <span>{each}</span>
                </button>
              ))}
          </div>
        ))}
      </div>
    </div>
  )
}
