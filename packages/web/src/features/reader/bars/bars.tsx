import type { BookDetail } from '@carrel/api'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNameInSeries } from '../../../text/book-name.tsx'
import type { PageLayout } from '../../../reader/page-layout.ts'
import type { PageSize, Spread } from '../../../reader/spreads.ts'
import { Row } from '../../../ui/layout/layout.tsx'
import { leaveReader } from '../controls/leave.ts'
import type { PageBookmark } from '../progress/use-page-bookmark.ts'
import { useTimeLeft } from '../progress/use-time-left.ts'
import { PageField } from '../pdf/page-field.tsx'
import { ZoomSegments } from '../pdf/zoom-segments.tsx'
import { BarButton } from './bar-button.tsx'
import { Numbered } from './numbered.tsx'
import { PageStrip } from './page-strip.tsx'
import styles from './bars.module.css'

export interface BarsProps {
  readonly book: BookDetail
  readonly pageCount: number
  readonly sizes: readonly PageSize[]
  readonly spread: Spread
  readonly layout: PageLayout
  readonly bookmark: PageBookmark
  readonly isShown: boolean
  readonly isFull: boolean | null
  readonly panel: string | undefined
  /** Its pages are drawn from text: they have contents, are searched, and are zoomed in the bar. */
  readonly isDocument: boolean
  readonly onGo: (page: number) => void
  readonly onPanel: (panel: 'settings' | 'pages' | 'contents' | 'search' | undefined) => void
  readonly onFit: (fit: PageLayout['fit']) => void
  readonly onFullScreen: () => void
}

/**
 * The bars lie over the edges of the window until the user reads on. When hidden they stay within reach of the Tab key,
 * which brings them back.
 */
export const Bars = (props: BarsProps): ReactNode => {
  const { book, bookmark, isShown, isFull, panel, isDocument, onPanel, onFullScreen } = props
  const { t } = useTranslation(['reader', 'common'])
  const router = useRouter()
  const toggle = (which: 'settings' | 'contents' | 'search') => () => onPanel(panel === which ? undefined : which)
  return (
    <>
      <Row gap={1} className={styles.bar} data-at="top" data-shown={isShown} data-is-full={isDocument}>
        <BarButton icon="back" label={t('leave')} onClick={() => leaveReader(router)} />
        {isDocument ? (
          <BarButton icon="contents" label={t('contents')} isOpen={panel === 'contents'} onClick={toggle('contents')} />
        ) : null}
        <BarTitle book={book} second={book.oneShot ? book.authors.join(', ') : book.seriesName} />
        {isDocument ? (
          <Row className={styles.roomy}>
            <BarButton icon="search" label={t('find.title')} isOpen={panel === 'search'} onClick={toggle('search')} />
          </Row>
        ) : null}
        <BarButton icon="bookmark" label={t('bookmark.here')} isPressed={bookmark.isHere} onClick={bookmark.toggle} />
        <BarButton icon="grid" label={t('allPages')} onClick={() => onPanel('pages')} />
        {isFull === null ? null : (
          <Row className={styles.roomy}>
            <BarButton
              icon={isFull ? 'shrink' : 'expand'}
              label={isFull ? t('leaveFullScreen') : t('fullScreen')}
              onClick={onFullScreen}
            />
          </Row>
        )}
        <BarButton
          icon="lines"
          label={t('settings.title')}
          isOpen={panel === 'settings'}
          onClick={toggle('settings')}
        />
      </Row>
      <Row gap={4} wrap rowGap={0} className={styles.bar} data-at="bottom" data-shown={isShown}>
        <Pager {...props} />
      </Row>
    </>
  )
}

interface BarTitleProps {
  readonly book: BookDetail
  readonly second: string | undefined
}

/** The number stands in a chip of its own, which is never cut off. */
export const BarTitle = ({ book, second }: BarTitleProps): ReactNode => {
  const text = useNameInSeries()(book)
  return (
    <div className={styles.titles}>
      <h1 className={styles.title} dir="auto" title={text}>
        <Row as="span" gap={2}>
          <Numbered book={book} />
        </Row>
      </h1>
      {second === undefined || second === '' ? null : (
        <p className={styles.series} dir="auto">
          {second}
        </p>
      )}
    </div>
  )
}

/** Where one is, all pages as a line of small pictures, and what is left. */
const Pager = (props: BarsProps): ReactNode => {
  const { book, pageCount, sizes, spread, layout, isShown, isDocument, onGo, onFit } = props
  const { t } = useTranslation('reader')
  const [first] = spread
  const last = spread.at(-1) ?? first
  const shown = first === last ? String(first) : `${first}–${last}`
  // The text is as wide as it will ever be, so that nothing moves when pages are turned.
  const longest = String(pageCount).length * (layout.isDouble ? 2 : 1) + 1 + t('ofPages', { count: pageCount }).length
  const left = useTimeLeft({ bookId: book.id, pageCount, page: last })
  return (
    <>
      {isDocument ? (
        <PageField {...{ shown, pageCount, onGo }} />
      ) : (
        <output className={styles.count} data-testid="page-count" style={{ minWidth: `${longest}ch` }}>
          <b>{shown}</b> {t('ofPages', { count: pageCount })}
        </output>
      )}
      <PageStrip {...{ book, pageCount, sizes, spread, layout, isShown, onGo }} />
      {isDocument ? <ZoomSegments layout={layout} onChoose={onFit} /> : null}
      <span className={styles.left}>{left}</span>
    </>
  )
}
