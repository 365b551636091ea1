import { type RefObject, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblemText } from '../../../text/problem-text.ts'
import { progressAt } from '../../../reader/ebook/book-map.ts'
import { tapAt } from '../../../reader/taps.ts'
import { toast } from '../../../ui/state/toasts.tsx'
import type { BookPicture, ChapterPoint } from './engine/listen.ts'
import { type OpenEngine, useEngine } from './engine/use-engine.ts'
import type { EbookAppearance } from './settings/use-ebook-appearance.ts'
import type { EbookReading, Goal, OpenEbook } from './use-ebook-reading.ts'
import { useLinks } from './use-links.ts'
import { type Marks, shownColour } from './marks/use-marks.ts'
import type { Selection } from './marks/use-selection.ts'

interface BookViewOptions {
  readonly open: OpenEbook
  readonly host: RefObject<HTMLElement | null>
  readonly appearance: EbookAppearance
  readonly reading: EbookReading
  readonly marks: Marks
  readonly selection: Selection
  readonly hasBars: boolean
  readonly onBars: (areShown: boolean) => void
  /** It returns whether the page may be turned: what comes after the last one may have to be put away first. */
  readonly onTurn: (by: 1 | -1) => boolean
  readonly onEnd: () => void
}

export type BookView = ReturnType<typeof useBookView>

/** A wheel turns one page at a time, however long it spins. */
const betweenWheelsMs = 250
const betweenScrollsMs = 400

/** It holds the actions of the reader on the text. */
const useMoves = ({ open, appearance, reading, hasBars, onBars, onTurn }: BookViewOptions) => {
  const held = useRef<OpenEngine>(undefined)
  const wheeledAt = useRef(0)
  const isScrolled = appearance.text.textFlow === 'scrolled' && open.map.fixed === undefined
  const direction = isScrolled ? 'webtoon' : open.isRightToLeft ? 'rtl' : 'ltr'
  const turn = (by: 1 | -1): void => {
    if (hasBars) onBars(false)
    if (!onTurn(by)) return
    void held.current?.engine.turn(by)
  }
  const goTo = (goal: Goal): void => void held.current?.engine.goTo(goal)
  return {
    held,
    hold: (open: OpenEngine | undefined): void => {
      held.current = open
    },
    turn,
    jump: (goal: Goal): void => {
      reading.leap()
      goTo(goal)
    },
    back: (): void => {
      const [before] = reading.trail
      if (!before) return
      reading.comeBack()
      goTo(before)
    },
    /** It returns whether the tap has turned the page. */
    tapped: (point: ChapterPoint): boolean => {
      const tap = tapAt(point, { tapZones: appearance.text.tapZones, direction })
      if (tap !== 'menu') turn(tap === 'forward' ? 1 : -1)
      return tap !== 'menu'
    },
    wheeled: (by: 1 | -1, at: number): void => {
      const pause = at - wheeledAt.current
      if (isScrolled) wheeledAt.current = at
      // The next chapter begins only with a new scroll at the edge, not with one that simply did not stop.
      const isAtEdge = by === 1 ? (reading.visiblePart?.to ?? 0) > 0.995 : (reading.visiblePart?.from ?? 1) < 0.001
      if (isScrolled ? !isAtEdge || pause < betweenScrollsMs : pause < betweenWheelsMs) return
      wheeledAt.current = at
      turn(by)
    },
  }
}

/** The text on the screen: what one does to it, and what it opens. */
export const useBookView = (options: BookViewOptions) => {
  const { open, host, appearance, reading, marks, selection, hasBars, onBars, onEnd } = options
  const { book, map, isRightToLeft, start } = open
  const { t } = useTranslation('reader')
  const textOf = useProblemText()
  const [picture, setPicture] = useState<BookPicture>()
  const [isReady, setReady] = useState(false)
  const { held, hold, turn, jump, back, tapped, wheeled } = useMoves(options)
  const links = useLinks(map, jump)
  const drawn = useMemo(
    () => marks.highlights.map(({ id, location, colour }) => ({ id, location, colour: shownColour(colour) })),
    [marks.highlights],
  )
  useEngine({
    onOpen: hold,
    host,
    book,
    map,
    isRightToLeft,
    start,
    appearance,
    pageTitle: (index) => t('pageAlt', { page: progressAt(map, index, 0).position }),
    marks: drawn,
    onVisible: reading.saw,
    onPoint: (point) => {
      if (!tapped(point)) onBars(!hasBars)
    },
    onLink: (link, reference) => links.follow(link, reference, held.current),
    onPicture: (opened, point) => {
      if (!opened.isPage || !tapped(point)) setPicture(opened)
    },
    onSelect: selection.select,
    onWheel: wheeled,
    onMark: selection.open,
    onEnd,
    onReady: () => setReady(true),
    onProblem: (error) => toast({ kind: 'problem', text: textOf(error) }),
  })
  return {
    isReady,
    engine: () => held.current?.engine,
    turn,
    jump,
    back,
    zoom: (factor: number): void => held.current?.engine.zoom?.(factor),
    picture,
    closePicture: () => setPicture(undefined),
    note: links.note,
    noteSpot: links.spot,
    closeNote: links.closeNote,
    goToNote: links.goToNote,
  }
}
