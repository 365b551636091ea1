import { type RefObject, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblemText } from '../../../problem-text.ts'
import { targetOf } from '../../../reader/ebook/book-address.ts'
import { sectionOf } from '../../../reader/ebook/book-map.ts'
import { tapAt } from '../../../reader/taps.ts'
import { toast } from '../../../ui/toasts.tsx'
import { isNoteLink, noteIn } from './notes-in-book.ts'
import type { BookPicture, ChapterPoint } from './listen.ts'
import { useEngine } from './use-engine.ts'
import type { EbookDress } from './use-ebook-look.ts'
import type { EbookPlace, Goal, OpenEbook } from './use-ebook-place.ts'
import { type Marks, shownColour } from './use-marks.ts'
import type { Selection } from './use-selection.ts'

interface BookViewWish {
  readonly open: OpenEbook
  readonly host: RefObject<HTMLElement | null>
  readonly dress: EbookDress
  readonly place: EbookPlace
  readonly marks: Marks
  readonly selection: Selection
  readonly hasBars: boolean
  readonly onBars: (areShown: boolean) => void
  readonly onEnd: () => void
}

interface OpenNote {
  readonly paragraphs: readonly string[]
  readonly goal: Goal
}

export type BookView = ReturnType<typeof useBookView>

/** A wheel turns one page at a time, however long it spins. */
const betweenWheelsMs = 250

/** The text on the screen: what one does to it, and what it opens. */
export const useBookView = (wish: BookViewWish) => {
  const { open, host, dress, place, marks, selection, hasBars, onBars, onEnd } = wish
  const { book, map, isRightToLeft, start } = open
  const { t } = useTranslation('ebook')
  const textOf = useProblemText()
  const [picture, setPicture] = useState<BookPicture>()
  const [note, setNote] = useState<OpenNote>()
  const [isReady, setReady] = useState(false)
  const wheeledAt = useRef(0)
  const isScrolled = dress.look.textFlow === 'scrolled'

  const turn = (by: 1 | -1): void => {
    if (hasBars) onBars(false)
    void engine?.engine.turn(by)
  }
  const goTo = (goal: Goal): void => void engine?.engine.goTo(goal)
  const jump = (goal: Goal): void => {
    place.leap()
    goTo(goal)
  }
  const tap = (point: ChapterPoint): 'menu' | 'turned' => {
    const direction = isScrolled ? 'webtoon' : isRightToLeft ? 'rtl' : 'ltr'
    const tapped = tapAt(point, { tapZones: dress.look.tapZones, direction })
    if (tapped === 'menu') return 'menu'
    turn(tapped === 'forward' ? 1 : -1)
    return 'turned'
  }
  const follow = async (link: Element, reference: string): Promise<void> => {
    const here = engine?.engine.chapter()?.index ?? 0
    const target = targetOf(map.sections[here]?.href ?? '', reference)
    if (target?.kind === 'outside') return void window.open(target.address, '_blank', 'noopener,noreferrer')
    const index = target && sectionOf(map, target.href)
    if (index === undefined) return toast({ kind: 'problem', text: t('deadLink') })
    const goal = { index, fragment: target?.fragment }
    const found = isNoteLink(link) && engine ? noteIn(await engine.chapters.read(index), goal.fragment) : undefined
    if (found) setNote({ paragraphs: found, goal })
    else jump(goal)
  }
  const drawn = useMemo(
    () => marks.highlights.map(({ id, place: where, colour }) => ({ id, place: where, colour: shownColour(colour) })),
    [marks.highlights],
  )
  const engine = useEngine({
    host,
    book,
    map,
    isRightToLeft,
    start,
    look: dress.look,
    sheets: dress.sheets,
    marks: drawn,
    onSight: place.saw,
    onPoint: (point) => {
      if (tap(point) === 'menu') onBars(!hasBars)
    },
    onLink: (link, reference) =>
      void follow(link, reference).catch((error: unknown) => toast({ kind: 'problem', text: textOf(error) })),
    onPicture: (opened, point) => {
      if (!opened.isPage || tap(point) === 'menu') setPicture(opened)
    },
    onSelect: selection.select,
    onWheel: (by) => {
      if (isScrolled || performance.now() - wheeledAt.current < betweenWheelsMs) return
      wheeledAt.current = performance.now()
      turn(by)
    },
    onMark: selection.open,
    onEnd,
    onReady: () => setReady(true),
    onProblem: (error) => toast({ kind: 'problem', text: textOf(error) }),
  })
  const back = (): void => {
    const [before] = place.trail
    if (!before) return
    place.comeBack()
    goTo(before)
  }
  return {
    isReady,
    turn,
    jump,
    back,
    picture,
    closePicture: () => setPicture(undefined),
    note: note?.paragraphs,
    closeNote: () => setNote(undefined),
    goToNote: () => {
      setNote(undefined)
      if (note) jump(note.goal)
    },
  }
}
