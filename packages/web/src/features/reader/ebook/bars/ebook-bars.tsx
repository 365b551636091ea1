import type { BookDetail } from '@carrel/api'
import { useRouter } from '@tanstack/react-router'
import { type CSSProperties, type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type BookMap, progressAt, sectionAt, startOfPosition } from '../../../../reader/ebook/book-map.ts'
import { Row } from '../../../../ui/layout/layout.tsx'
import { BarButton } from '../../bars/bar-button.tsx'
import { BarTitle } from '../../bars/bars.tsx'
import barStyles from '../../bars/bars.module.css'
import { leaveReader } from '../../controls/leave.ts'
import { useTimeLeftIn } from '../../progress/use-time-left.ts'
import type { Panel } from './panel.ts'
import { percentText } from '../percent.ts'
import type { BookView } from '../use-book-view.ts'
import type { BookmarkHere } from '../marks/use-bookmark.ts'
import type { EbookReading } from '../use-ebook-reading.ts'
import type { Narration } from '../narration/use-narration.ts'
import { useWhere } from '../where.ts'
import styles from './ebook-bars.module.css'

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
  readonly panel: Panel | undefined
  readonly onPanel: (panel: Panel | undefined) => void
  readonly onFullScreen: () => void
}

/**
 * The bars lie over the margins of the text, on the same paper, and fade. When hidden they stay within reach of the Tab
 * key.
 */
export const EbookBars = (props: EbookBarsProps): ReactNode => {
  const { book, map, reading, view, bookmark, isShown, isFull, panel, onPanel, onFullScreen } = props
  const { t } = useTranslation(['ebook', 'reader'])
  const router = useRouter()
  const toggle = (which: Panel) => () => onPanel(panel === which ? undefined : which)
  return (
    <>
      {map.fixed ? null : <Foot reading={reading} isShown={!isShown} />}
      <Row gap="hair" className={barStyles.bar} data-at="top" data-shown={isShown}>
        <BarButton icon="back" label={t('reader:leave')} onClick={() => leaveReader(router)} />
        <BarButton icon="contents" label={t('contents.title')} onClick={toggle('contents')} />
        <BarTitle book={book} second={reading.title ?? (book.oneShot ? book.authors.join(', ') : book.seriesName)} />
        {reading.trail.length > 0 ? <BarButton icon="undo" label={t('keys.return')} onClick={view.back} /> : null}
        {props.narration ? <AloudButtons {...props.narration} /> : null}
        <Row gap="hair" align="stretch" className={styles.roomy}>
          <BarButton icon="search" label={t('search.title')} onClick={toggle('search')} />
          <BarButton icon="edit" label={t('marks.title')} onClick={toggle('marks')} />
        </Row>
        <BarButton
          icon="bookmark"
          label={t('marks.bookmarkHere')}
          isPressed={bookmark.isHere}
          onClick={bookmark.toggle}
        />
        {isFull === null ? null : (
          <Row align="stretch" className={styles.roomy}>
            <BarButton
              icon={isFull ? 'shrink' : 'expand'}
              label={isFull ? t('reader:leaveFullScreen') : t('reader:fullScreen')}
              onClick={onFullScreen}
            />
          </Row>
        )}
        <BarButton
          icon={map.fixed ? 'lines' : 'letters'}
          label={t('settings.title')}
          isOpen={panel === 'settings'}
          onClick={toggle('settings')}
        />
      </Row>
      <div className={`${barStyles.bar} ${styles.bottom}`} data-at="bottom" data-shown={isShown}>
        {map.fixed ? <PagesLine {...props} /> : <TextLine {...props} />}
      </div>
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
/** More would be a grey line. */
const ticksMax = 80

/** The whole book as one line, with a gap where a chapter begins. */
const TextLine = (props: EbookBarsProps): ReactNode => {
  const { book, map, reading, view } = props
  const { t } = useTranslation('ebook')
  const [dragged, setDragged] = useState<number>()
  const part = dragged === undefined ? reading.percentage : dragged / steps
  const percent = t('percent', { percent: percentText(part) })
  const { visiblePart } = reading
  const { count = 0 } = map.sections[visiblePart?.index ?? 0] ?? {}
  const time = useTimeLeftIn(book.id, visiblePart ? count * (1 - visiblePart.to) : undefined)
  return (
    <>
      <Line
        range={[0, steps]}
        value={dragged ?? Math.round(reading.percentage * steps)}
        part={part}
        ticks={useTicks(map)}
        label={t('slider')}
        text={percent}
        isRightToLeft={props.isRightToLeft}
        onDrag={setDragged}
        onLetGo={() => {
          if (dragged !== undefined) view.jump(sectionAt(map, dragged / steps))
        }}
      />
      <Row gap={4} justify="between" className={styles.words}>
        <span className={styles.chapter} dir="auto">
          {reading.title}
        </span>
        <output data-testid="where">{visiblePart ? percent : ''}</output>
        <span className={styles.left}>{visiblePart ? (time ?? t('left', { count: visiblePart.left })) : ''}</span>
      </Row>
    </>
  )
}

const useTicks = (map: BookMap): readonly number[] =>
  useMemo(() => {
    const chapters = map.chapters.filter(({ section }) => section !== undefined)
    // Headings that only hold chapters together lead nowhere.
    const outermost = Math.min(...chapters.map(({ depth }) => depth))
    const starts = chapters.flatMap(({ section = 0, depth }) =>
      depth > outermost ? [] : [progressAt(map, section, 0).totalProgression],
    )
    const ticks = [...new Set(starts)].filter((start) => start > 0 && start < 1)
    return ticks.length > ticksMax ? [] : ticks
  }, [map])

/** It shows all pages as one line. */
const PagesLine = (props: EbookBarsProps): ReactNode => {
  const { map, reading, view } = props
  const { t } = useTranslation('reader')
  const [dragged, setDragged] = useState<number>()
  const where = useWhere(props, reading)
  const count = map.total
  const page = dragged ?? reading.position
  const text = t('pageOf', { page, count })
  return (
    <>
      <Line
        range={[1, count]}
        value={page}
        part={count > 1 ? (page - 1) / (count - 1) : 1}
        ticks={[]}
        label={t('slider')}
        text={text}
        isRightToLeft={props.isRightToLeft}
        onDrag={setDragged}
        onLetGo={() => {
          if (dragged !== undefined) view.jump(sectionAt(map, startOfPosition(map, dragged)))
        }}
      />
      <Row justify="center" className={styles.words}>
        <output data-testid="page-count">{dragged !== undefined ? text : reading.visiblePart ? where : ''}</output>
      </Row>
    </>
  )
}

interface LineProps {
  readonly range: readonly [min: number, max: number]
  readonly value: number
  /** 0 to 1: so far it is filled. */
  readonly part: number
  readonly ticks: readonly number[]
  readonly label: string
  readonly text: string
  readonly isRightToLeft: boolean
  readonly onDrag: (to: number | undefined) => void
  readonly onLetGo: () => void
}

/** A line that one drags along. Right to left it is mirrored, as the pages are. */
const Line = ({ range, value, part, ticks, label, text, isRightToLeft, onDrag, onLetGo }: LineProps): ReactNode => {
  const go = (): void => {
    onLetGo()
    onDrag(undefined)
  }
  const at = (fraction: number): CSSProperties => ({ insetInlineStart: `${fraction * 100}%` })
  return (
    <div className={styles.line} dir={isRightToLeft ? 'rtl' : 'ltr'}>
      <div className={styles.track}>
        <div className={styles.filled} style={{ width: `${Math.min(1, Math.max(0, part)) * 100}%` }} />
        {ticks.map((tick) => (
          <span key={tick} className={styles.tick} style={at(tick)} />
        ))}
      </div>
      <input
        type="range"
        className={styles.range}
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
    </div>
  )
}
