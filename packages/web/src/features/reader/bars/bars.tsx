import type { BookDetail } from '@carrel/api'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BookName } from '../../../text/book-name.tsx'
import type { PageLayout } from '../../../reader/page-layout.ts'
import type { Spread } from '../../../reader/spreads.ts'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { Center, Row, Stack } from '../../../ui/layout/layout.tsx'
import { leaveReader } from '../controls/leave.ts'
import { thumbnailOf } from '../pages/pictures.ts'
import styles from './bars.module.css'

interface BarsProps {
  readonly book: BookDetail
  readonly pageCount: number
  readonly spread: Spread
  readonly layout: PageLayout
  readonly isShown: boolean
  readonly isFull: boolean | null
  readonly onGo: (page: number) => void
  readonly onStep: (step: 1 | -1) => void
  readonly onPanel: (panel: 'settings' | 'pages') => void
  readonly onFullScreen: () => void
}

/**
 * The bars lie over the pages until the user reads on. When hidden they stay within reach of the Tab key, which brings
 * them back.
 */
export const Bars = (props: BarsProps): ReactNode => {
  const { book, isShown, isFull, onPanel, onFullScreen } = props
  const { t } = useTranslation(['reader', 'common'])
  const router = useRouter()
  return (
    <>
      <Row gap={1} className={styles.bar} data-at="top" data-shown={isShown}>
        <BarButton icon="close" label={t('leave')} onClick={() => leaveReader(router)} />
        <div className={styles.titles}>
          <h1 className={styles.title} dir="auto">
            <BookName book={book} place="series" />
          </h1>
          <p className={styles.series} dir="auto">
            {book.oneShot ? book.authors.join(', ') : book.seriesName}
          </p>
        </div>
        <BarButton icon="grid" label={t('allPages')} onClick={() => onPanel('pages')} />
        {isFull === null ? null : (
          <BarButton
            icon={isFull ? 'shrink' : 'expand'}
            label={isFull ? t('leaveFullScreen') : t('fullScreen')}
            onClick={onFullScreen}
          />
        )}
        <BarButton icon="settings" label={t('settings.title')} onClick={() => onPanel('settings')} />
      </Row>
      <Row gap={1} className={styles.bar} data-at="bottom" data-shown={isShown}>
        <Pager {...props} />
      </Row>
    </>
  )
}

/** Steps to either side, and between them all pages as one line. Right to left it is mirrored, as the pages are. */
const Pager = ({ book, pageCount, spread, layout, onGo, onStep }: BarsProps): ReactNode => {
  const { t } = useTranslation('reader')
  const isRightToLeft = layout.direction === 'rtl'
  const [dragged, setDragged] = useState<number>()
  const [first] = spread
  const shown = dragged ?? first
  const last = spread.at(-1) ?? first
  const range = dragged === undefined && last !== first ? t('pagesOf', { first, last, count: pageCount }) : undefined
  // The text is as wide as it will ever be, so that nothing moves when pages are turned.
  const longest = layout.isDouble
    ? t('pagesOf', { first: pageCount, last: pageCount, count: pageCount })
    : t('pageOf', { page: pageCount, count: pageCount })
  const go = (): void => {
    if (dragged !== undefined) onGo(dragged)
    setDragged(undefined)
  }
  return (
    <Row gap={1} className={styles.pager} dir={isRightToLeft ? 'rtl' : 'ltr'}>
      <BarButton icon={isRightToLeft ? 'right' : 'left'} label={t('keys.back')} onClick={() => onStep(-1)} />
      <Row grow className={styles.slide}>
        {dragged === undefined ? null : (
          <Stack gap={1} align="center" className={styles.peek}>
            <img src={thumbnailOf(book, dragged)} alt="" />
            <span>{dragged}</span>
          </Stack>
        )}
        <input
          type="range"
          className={styles.slider}
          min={1}
          max={pageCount}
          step={1}
          value={shown}
          aria-label={t('slider')}
          aria-valuetext={t('pageOf', { page: shown, count: pageCount })}
          onChange={({ currentTarget }) => setDragged(Number(currentTarget.value))}
          onPointerUp={({ currentTarget }) => {
            go()
            // The arrow keys turn pages again.
            currentTarget.blur()
          }}
          onKeyUp={go}
          onBlur={go}
        />
      </Row>
      <BarButton icon={isRightToLeft ? 'left' : 'right'} label={t('keys.forward')} onClick={() => onStep(1)} />
      <output className={styles.count} data-testid="page-count" style={{ minWidth: `${longest.length}ch` }}>
        {range ?? t('pageOf', { page: shown, count: pageCount })}
      </output>
    </Row>
  )
}

interface BarButtonProps {
  readonly icon: IconName
  readonly label: string
  readonly isPressed?: boolean
  readonly onClick: () => void
}

export const BarButton = ({ icon, label, isPressed, onClick }: BarButtonProps): ReactNode => (
  <Center
    as="button"
    type="button"
    className={styles.button}
    aria-label={label}
    aria-pressed={isPressed}
    title={label}
    onClick={onClick}
  >
    <Icon name={icon} />
  </Center>
)
