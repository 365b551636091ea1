import type { BookDetail } from '@carrel/api'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BookName } from '../../../../text/book-name.tsx'
import { type BookMap, sectionAt, startOfPosition } from '../../../../reader/ebook/book-map.ts'
import { Row, Stack } from '../../../../ui/layout/layout.tsx'
import { BarButton } from '../../bars/bars.tsx'
import barStyles from '../../bars/bars.module.css'
import { leaveReader } from '../../controls/leave.ts'
import type { Panel } from './panel.ts'
import { percentText } from '../percent.ts'
import type { BookView } from '../use-book-view.ts'
import type { BookmarkHere } from '../marks/use-bookmark.ts'
import type { EbookReading } from '../use-ebook-reading.ts'
import type { Narration } from '../narration/use-narration.ts'
import { useWhere } from '../where.ts'
import styles from '../ebook-reader.module.css'

interface EbookBarsProps {
  readonly book: BookDetail
  readonly map: BookMap
  readonly reading: EbookReading
  readonly view: BookView
  readonly bookmark: BookmarkHere
  readonly narration: Narration | undefined
  readonly isRightToLeft: boolean
  readonly isShown: boolean
  readonly isFull: boolean | null
  readonly onPanel: (panel: Panel) => void
  readonly onFullScreen: () => void
}

/**
 * The bars lie over the margins of the text until the user reads on. When hidden they stay within reach of the Tab key.
 */
export const EbookBars = (props: EbookBarsProps): ReactNode => {
  const { book, reading, view, bookmark, isShown, isFull, onPanel, onFullScreen } = props
  const { t } = useTranslation(['ebook', 'reader'])
  const router = useRouter()
  return (
    <>
      {props.map.fixed ? null : <Foot reading={reading} isShown={!isShown} />}
      <Row gap={1} className={barStyles.bar} data-at="top" data-shown={isShown}>
        <BarButton icon="close" label={t('reader:leave')} onClick={() => leaveReader(router)} />
        <div className={barStyles.titles}>
          <h1 className={barStyles.title} dir="auto">
            <BookName book={book} place="series" />
          </h1>
          <p className={barStyles.series} dir="auto">
            {reading.title ?? (book.oneShot ? book.authors.join(', ') : book.seriesName)}
          </p>
        </div>
        {reading.trail.length > 0 ? <BarButton icon="undo" label={t('keys.return')} onClick={view.back} /> : null}
        {props.narration ? <AloudButtons {...props.narration} /> : null}
        <BarButton
          icon="bookmark"
          label={t('marks.bookmarkHere')}
          isPressed={bookmark.isHere}
          onClick={bookmark.toggle}
        />
        <BarButton icon="list" label={t('contents.title')} onClick={() => onPanel('contents')} />
        <Row gap={1} align="stretch" className={styles.roomy}>
          <BarButton icon="search" label={t('search.title')} onClick={() => onPanel('search')} />
          <BarButton icon="edit" label={t('marks.title')} onClick={() => onPanel('marks')} />
          {isFull === null ? null : (
            <BarButton
              icon={isFull ? 'shrink' : 'expand'}
              label={isFull ? t('reader:leaveFullScreen') : t('reader:fullScreen')}
              onClick={onFullScreen}
            />
          )}
        </Row>
        <BarButton icon="settings" label={t('settings.title')} onClick={() => onPanel('settings')} />
      </Row>
      <Row gap={1} className={barStyles.bar} data-at="bottom" data-shown={isShown}>
        {props.map.fixed ? <PagesPager {...props} /> : <TextPager {...props} />}
      </Row>
    </>
  )
}

/** The narration is recorded and comes with the book. */
const AloudButtons = ({ narrating, toggle, step }: Narration): ReactNode => {
  const { t } = useTranslation('ebook')
  const isPlaying = narrating === 'playing'
  return (
    <>
      {narrating === 'off' ? null : <BarButton icon="up" label={t('aloud.previous')} onClick={() => step(-1)} />}
      <BarButton
        icon={isPlaying ? 'pause' : 'play'}
        label={t(isPlaying ? 'aloud.pause' : 'aloud.play')}
        onClick={toggle}
      />
      {narrating === 'off' ? null : <BarButton icon="down" label={t('aloud.next')} onClick={() => step(1)} />}
    </>
  )
}

/** The foot shows the position in small, while nothing else is over the text. */
const Foot = ({ reading, isShown }: { readonly reading: EbookReading; readonly isShown: boolean }): ReactNode => {
  const { t } = useTranslation('ebook')
  if (!isShown || !reading.visiblePart) return null
  return (
    <Row gap={4} justify="center" className={styles.foot} aria-hidden="true">
      <span dir="auto">{reading.title}</span>
      <span>{t('percent', { percent: percentText(reading.percentage) })}</span>
      <span>{t('left', { count: reading.visiblePart.left })}</span>
    </Row>
  )
}

const steps = 1000

/** The whole book as one line. */
const TextPager = (props: EbookBarsProps): ReactNode => {
  const { map, reading, view } = props
  const { t } = useTranslation('ebook')
  const [dragged, setDragged] = useState<number>()
  const percent = t('percent', { percent: percentText(dragged === undefined ? reading.percentage : dragged / steps) })
  return (
    <Pager
      {...props}
      range={[0, steps]}
      value={dragged ?? Math.round(reading.percentage * steps)}
      label={t('slider')}
      text={percent}
      onDrag={setDragged}
      onLetGo={() => {
        if (dragged !== undefined) view.jump(sectionAt(map, dragged / steps))
      }}
    >
      <Stack as="output" className={styles.where} data-testid="where">
        {/* The position is unknown until the text has loaded. */}
        {reading.visiblePart ? <span dir="auto">{percent}</span> : null}
        {reading.visiblePart ? <span dir="auto">{t('leftShort', { count: reading.visiblePart.left })}</span> : null}
      </Stack>
    </Pager>
  )
}

/** It shows all pages as one line. */
const PagesPager = (props: EbookBarsProps): ReactNode => {
  const { map, reading, view } = props
  const { t } = useTranslation('reader')
  const [dragged, setDragged] = useState<number>()
  const where = useWhere(props, reading)
  const count = map.total
  const page = dragged ?? reading.position
  const text = t('pageOf', { page, count })
  // The text is as wide as it will ever be, so that nothing moves when pages are turned.
  const longest = t('pagesOf', { first: count, last: count, count })
  return (
    <Pager
      {...props}
      range={[1, count]}
      value={page}
      label={t('slider')}
      text={text}
      onDrag={setDragged}
      onLetGo={() => {
        if (dragged !== undefined) view.jump(sectionAt(map, startOfPosition(map, dragged)))
      }}
    >
      <output className={barStyles.count} data-testid="page-count" style={{ minWidth: `${longest.length}ch` }}>
        {dragged !== undefined ? text : reading.visiblePart ? where : ''}
      </output>
    </Pager>
  )
}

interface PagerProps extends EbookBarsProps {
  readonly range: readonly [min: number, max: number]
  readonly value: number
  readonly label: string
  readonly text: string
  readonly onDrag: (to: number | undefined) => void
  readonly onLetGo: () => void
  readonly children: ReactNode
}

/** Steps to either side, and between them a line. Right to left it is mirrored, as the pages are. */
const Pager = (props: PagerProps): ReactNode => {
  const { range, value, label, text, onDrag, onLetGo, children, view, isRightToLeft } = props
  const { t } = useTranslation('ebook')
  const go = (): void => {
    onLetGo()
    onDrag(undefined)
  }
  return (
    <Row gap={1} className={barStyles.pager} dir={isRightToLeft ? 'rtl' : 'ltr'}>
      <BarButton icon={isRightToLeft ? 'right' : 'left'} label={t('keys.back')} onClick={() => view.turn(-1)} />
      <Row grow className={styles.slide}>
        <input
          type="range"
          className={barStyles.slider}
          min={range[0]}
          max={range[1]}
          step={1}
          value={value}
          aria-label={label}
          aria-valuetext={text}
          onChange={({ currentTarget }) => onDrag(Number(currentTarget.value))}
          onPointerUp={({ currentTarget }) => {
            go()
            // The arrow keys turn pages again.
            currentTarget.blur()
          }}
          onKeyUp={go}
          onBlur={go}
        />
      </Row>
      <BarButton icon={isRightToLeft ? 'left' : 'right'} label={t('keys.forward')} onClick={() => view.turn(1)} />
      {children}
    </Row>
  )
}
