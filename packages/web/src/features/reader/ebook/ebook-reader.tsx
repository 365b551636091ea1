import { type CSSProperties, lazy, type ReactNode, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useBookTitle } from '../../../text/book-name.tsx'
import { useMe } from '../../../session/me.ts'
import { paths } from '../../../navigation/paths.ts'
import { startOfPosition, sectionAt } from '../../../reader/ebook/book-map.ts'
import { announce } from '../../../ui/state/live-region.tsx'
import { Elsewhere, useElsewhere } from '../progress/elsewhere.tsx'
import { EndOfBook, type NextBook, useNext } from '../bars/end-of-book.tsx'
import { FirstHint, type Hint, useHint } from '../bars/first-hint.tsx'
import { useFullScreen } from '../controls/full-screen.ts'
import { useThemeColour } from '../controls/theme-colour.ts'
import { type Chrome, useFadingChrome } from '../controls/use-chrome.ts'
import { useScreenAwake } from '../controls/wake-lock.ts'
import { StateNotice } from '../progress/state-notice.tsx'
import { useMeasured } from '../progress/use-measured.ts'
import { type ReaderSettingsInUse, useReaderSettings } from '../settings/use-reader-settings.ts'
import { BookDrawer } from './bars/book-drawer.tsx'
import { useEbookAddress, useReadList } from './ebook-address.ts'
import { EbookBars } from './bars/ebook-bars.tsx'
import { FootNote } from './bars/foot-note.tsx'
import { MarkDialog } from './marks/mark-dialog.tsx'
import { PictureView } from './bars/picture-view.tsx'
import { SelectionBar } from './marks/selection-bar.tsx'
import { type BookView, useBookView } from './use-book-view.ts'
import type { DrawerTab, Panel } from './bars/panel.ts'
import { type EbookReading, type OpenEbook, useEbookReading } from './use-ebook-reading.ts'
import { useBookmark } from './marks/use-bookmark.ts'
import { useEbookKeys } from './use-ebook-keys.ts'
import { type EbookAppearance, useEbookAppearance } from './settings/use-ebook-appearance.ts'
import { useMarks } from './marks/use-marks.ts'
import { useNarration } from './narration/use-narration.ts'
import { useSelection } from './marks/use-selection.ts'
import { useWhere } from './where.ts'
import type { Paper } from '../../../reader/ebook/paper.ts'
import { groundOf } from '../settings/grounds.ts'
import pageStyles from '../reader.module.css'
import styles from './ebook-reader.module.css'

/** They are fetched when somebody asks for them. */
const TextSheet = lazy(async () => ({ default: (await import('./settings/text-sheet.tsx')).TextSheet }))
const ReadingSheet = lazy(async () => ({ default: (await import('../settings/reading-sheet.tsx')).ReadingSheet }))

/** An open book of text: what lies over it, and what is remembered of the reading. */
export const EbookReader = (open: OpenEbook): ReactNode => {
  const { book, map, isRightToLeft } = open
  const settings = useReaderSettings(book)
  const appearance = useEbookAppearance(settings.effective, open)
  const reading = useEbookReading(open)
  const [panel, setPanel] = useState<Panel>()
  const titleIn = useBookTitle()
  const chrome = useFadingChrome(panel !== undefined)
  const hint = useHint()
  const following = useNext(book.id, useReadList(), panel === 'end' || reading.visiblePart?.isAtEnd === true)
  const host = useRef<HTMLDivElement>(null)
  const fullScreen = useFullScreen()
  const marks = useMarks(book, map)
  const selection = useSelection(reading, marks)
  const bookmark = useBookmark(reading, marks)
  const view = useBookView({
    open,
    host,
    appearance,
    reading,
    marks,
    selection,
    ...reactionsOf({ chrome, hint, panel, following, setPanel }),
  })
  useScreenAwake()
  const { sent, elsewhere, here } = useSavedReading(open, reading, view)
  const narration = useNarration(open, reading, view)
  const parts = { map, reading, view, marks, bookmark, narration, isRightToLeft, settings, appearance }
  const shown = { ...parts, panel, onPanel: setPanel, onFullScreen: fullScreen.toggle }
  useEbookKeys({ ...shown, onBars: chrome.toggle })
  const close = (): void => setPanel(undefined)
  const where = useWhere(open, reading)
  useEffect(() => announce(where), [where])
  const stage = stageOf(open, appearance)
  useThemeColour(stage.ground)
  usePaper(appearance.paper, map.fixed === undefined)
  return (
    <main {...stage.props} data-sheet={panel === 'settings'} aria-label={where} aria-busy={!view.isReady}>
      <title>{`${titleIn('page', book).text} · Carrel`}</title>
      <div ref={host} className={styles.host} data-testid="book" />
      <EbookBars {...shown} book={book} isShown={chrome.isShown && panel !== 'end'} isFull={fullScreen.isFull} />
      <StateNotice sent={sent} here={here} />
      {panel === undefined ? <FirstHint hint={hint} direction={directionOf(open, appearance)} zooms={false} /> : null}
      <Panels {...shown} book={book} onClose={close} following={following} />
      <SelectionBar selection={selection} />
      <MarkDialog highlight={selection.opened} marks={marks} onClose={selection.close} />
      <PictureView picture={view.picture} onClose={view.closePicture} />
      <FootNote note={view.note} spot={view.noteSpot} onClose={view.closeNote} onGo={view.goToNote} />
      <Elsewhere {...elsewhere} page={reading.position} />
    </main>
  )
}

interface Acting {
  readonly chrome: Chrome
  readonly hint: Hint
  readonly panel: Panel | undefined
  readonly following: NextBook
  readonly setPanel: (panel: Panel | undefined) => void
}

/** What turning and tapping do besides: the bars come and go, and the end of the book. */
const reactionsOf = ({ chrome, hint, panel, following, setPanel }: Acting) => ({
  hasBars: chrome.isAsked,
  onBars: (areShown: boolean): void => (areShown ? chrome.show() : chrome.hide()),
  onTurn: (by: 1 | -1): boolean => {
    hint.putAway()
    if (panel === 'end' && by === -1) setPanel(undefined)
    return panel !== 'end' || by === 1
  },
  onEnd: (): void => (panel === 'end' ? following.goOn() : setPanel('end')),
})

const directionOf = ({ map, isRightToLeft }: OpenEbook, { text }: EbookAppearance) =>
  text.textFlow === 'scrolled' && !map.fixed ? 'webtoon' : isRightToLeft ? 'rtl' : 'ltr'

/** Around text the ground is its paper, around pages it is that of comics. */
const stageOf = ({ map }: OpenEbook, { paper, pages }: EbookAppearance) => {
  if (map.fixed) {
    const ground = groundOf({ background: pages.background, isPdf: false, isChosen: true, edge: undefined })
    const style = { '--stage': ground } as CSSProperties
    return { ground, props: { className: `${pageStyles.reader} ${styles.reader}`, style } }
  }
  const props = { className: `${styles.reader} ${styles.paper}`, style: {}, 'data-is-dark': paper.isDark }
  return { ground: paper.page, props }
}

/** The colours of the paper are those of the whole document, for as long as the book is open. */
const usePaper = ({ page, text, quiet, line, accent, onAccent, isDark }: Paper, isUsed: boolean): void => {
  useLayoutEffect(() => {
    if (!isUsed) return undefined
    const { style } = document.documentElement
    const set = {
      '--stage': page,
      '--paper': page,
      '--ink': text,
      '--ink-quiet': quiet,
      '--ink-line': line,
      '--ink-accent': accent,
      '--ink-on-accent': onAccent,
      'color-scheme': isDark ? 'dark' : 'light',
    }
    for (const [name, value] of Object.entries(set)) style.setProperty(name, value)
    return () => {
      for (const name of Object.keys(set)) style.removeProperty(name)
    }
  }, [isUsed, page, text, quiet, line, accent, onAccent, isDark])
}

/** It keeps where one is: on the server, in the address, and against what other devices say. */
const useSavedReading = ({ book, map, isByAddress }: OpenEbook, reading: EbookReading, view: BookView) => {
  const readList = useReadList()
  const { otherPage, stay, answered } = useElsewhere(book.id, reading.position, isByAddress)
  const of = { userId: useMe().id, bookId: book.id, pageCount: map.total, page: reading.position }
  const sent = useMeasured({ ...of, locator: reading.locator, onAnswer: answered })
  const at = reading.totalProgression.toFixed(4)
  useEbookAddress(at, (requested) => view.jump(sectionAt(map, requested)))
  const onGo = (position: number): void => view.jump(sectionAt(map, startOfPosition(map, position)))
  const path = paths.read(book.id, { ...(readList && { readList }) })
  return { sent, elsewhere: { otherPage, onGo, onStay: stay }, here: `${path}${readList ? '&' : '?'}at=${at}` }
}

interface PanelsProps extends Omit<Parameters<typeof BookDrawer>[0], 'tab'> {
  readonly panel: Panel | undefined
  readonly settings: ReaderSettingsInUse
  readonly appearance: EbookAppearance
  readonly following: NextBook
  readonly isRightToLeft: boolean
}

/** One of them at a time. */
const Panels = ({ panel, settings, appearance, following, isRightToLeft, ...rest }: PanelsProps): ReactNode => {
  const { book, map, reading, onClose } = rest
  // Of two columns one stays as it is; below half a column no line would be whole.
  const endSide = reading.visiblePart?.isInColumns === true ? (isRightToLeft ? 'left' : 'right') : 'bottom'
  const sheet = { onClose, book, settings }
  return (
    <>
      {panel === 'settings' ? (
        <Suspense>
          {map.fixed ? (
            <ReadingSheet {...sheet} layout={appearance.pages} isLaidOut />
          ) : (
            <TextSheet {...sheet} appearance={appearance} />
          )}
        </Suspense>
      ) : null}
      <BookDrawer {...rest} tab={drawerTab(panel)} />
      {panel === 'end' ? <EndOfBook book={book} following={following} side={endSide} /> : null}
    </>
  )
}

const drawerTab = (panel: Panel | undefined): DrawerTab | undefined =>
  panel === 'settings' || panel === 'end' ? undefined : panel
