import type { BookDetail } from '@carrel/api'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type BookMap, sectionAt } from '../../../reader/ebook/book-map.ts'
import { BarButton } from '../bars.tsx'
import barStyles from '../bars.module.css'
import { leaveReader } from '../leave.ts'
import type { Panel } from './panel.ts'
import { percentText } from './percent.ts'
import type { BookView } from './use-book-view.ts'
import type { BookmarkHere } from './use-bookmark.ts'
import type { EbookPlace } from './use-ebook-place.ts'
import styles from './ebook-reader.module.css'

interface EbookBarsProps {
  readonly book: BookDetail
  readonly map: BookMap
  readonly place: EbookPlace
  readonly view: BookView
  readonly bookmark: BookmarkHere
  readonly isRightToLeft: boolean
  readonly isShown: boolean
  readonly isFull: boolean | null
  readonly onPanel: (panel: Panel) => void
  readonly onFullScreen: () => void
}

/** Over the margins of the text, until one reads on. Hidden they stay within reach of the Tab key. */
export const EbookBars = (props: EbookBarsProps): ReactNode => {
  const { book, place, view, bookmark, isShown, isFull, onPanel, onFullScreen } = props
  const { t } = useTranslation(['ebook', 'reader'])
  const router = useRouter()
  return (
    <>
      <Foot place={place} isShown={!isShown} />
      <div className={barStyles.bar} data-at="top" data-shown={isShown}>
        <BarButton icon="close" label={t('reader:leave')} onClick={() => leaveReader(router)} />
        <div className={barStyles.titles}>
          <h1 className={barStyles.title} dir="auto">
            {book.title}
          </h1>
          <p className={barStyles.series} dir="auto">
            {place.title ?? book.seriesName}
          </p>
        </div>
        {place.trail.length > 0 ? <BarButton icon="undo" label={t('keys.return')} onClick={view.back} /> : null}
        <BarButton
          icon="bookmark"
          label={t('marks.bookmarkHere')}
          isPressed={bookmark.isHere}
          onClick={bookmark.toggle}
        />
        <BarButton icon="list" label={t('contents.title')} onClick={() => onPanel('contents')} />
        <div className={styles.roomy}>
          <BarButton icon="search" label={t('search.title')} onClick={() => onPanel('search')} />
          <BarButton icon="edit" label={t('marks.title')} onClick={() => onPanel('marks')} />
          {isFull === null ? null : (
            <BarButton
              icon={isFull ? 'shrink' : 'expand'}
              label={isFull ? t('reader:leaveFullScreen') : t('reader:fullScreen')}
              onClick={onFullScreen}
            />
          )}
        </div>
        <BarButton icon="settings" label={t('settings.title')} onClick={() => onPanel('settings')} />
      </div>
      <div className={barStyles.bar} data-at="bottom" data-shown={isShown}>
        <Pager {...props} />
      </div>
    </>
  )
}

/** Where one is, in small, while nothing else is over the text. */
const Foot = ({ place, isShown }: { readonly place: EbookPlace; readonly isShown: boolean }): ReactNode => {
  const { t } = useTranslation('ebook')
  if (!isShown || !place.sight) return null
  return (
    <div className={styles.foot} aria-hidden="true">
      <span dir="auto">{place.title}</span>
      <span>{t('percent', { percent: percentText(place.percentage) })}</span>
      <span>{t('left', { count: place.sight.left })}</span>
    </div>
  )
}

const steps = 1000

/** Steps to either side, and between them the whole book as one line. Right to left it is mirrored, as the pages are. */
const Pager = ({ map, place, view, isRightToLeft }: EbookBarsProps): ReactNode => {
  const { t } = useTranslation('ebook')
  const [dragged, setDragged] = useState<number>()
  const shown = dragged ?? Math.round(place.percentage * steps)
  const percent = t('percent', { percent: percentText(dragged === undefined ? place.percentage : dragged / steps) })
  const go = (): void => {
    if (dragged !== undefined) view.jump(sectionAt(map, dragged / steps))
    setDragged(undefined)
  }
  return (
    <div className={barStyles.pager} dir={isRightToLeft ? 'rtl' : 'ltr'}>
      <BarButton icon={isRightToLeft ? 'right' : 'left'} label={t('keys.back')} onClick={() => view.turn(-1)} />
      <div className={styles.slide}>
        <input
          type="range"
          className={barStyles.slider}
          min={0}
          max={steps}
          step={1}
          value={shown}
          aria-label={t('slider')}
          aria-valuetext={percent}
          onChange={({ currentTarget }) => setDragged(Number(currentTarget.value))}
          onPointerUp={({ currentTarget }) => {
            go()
            // The arrow keys turn pages again.
            currentTarget.blur()
          }}
          onKeyUp={go}
          onBlur={go}
        />
      </div>
      <BarButton icon={isRightToLeft ? 'left' : 'right'} label={t('keys.forward')} onClick={() => view.turn(1)} />
      <output className={styles.where} data-testid="where">
        <span dir="auto">{percent}</span>
        <span dir="auto">{t('leftShort', { count: place.sight?.left ?? 0 })}</span>
      </output>
    </div>
  )
}
