import { type CSSProperties, lazy, type ReactNode, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useBookTitle } from '../../text/book-name.tsx'
import { useMe } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { toned } from '../../ui/cover/toned.ts'
import { announce } from '../../ui/state/live-region.tsx'
import { Bars } from './bars/bars.tsx'
import { Elsewhere, useElsewhere } from './progress/elsewhere.tsx'
import { EndOfBook, type NextBook, useNext } from './bars/end-of-book.tsx'
import { FirstHint, type Hint, useHint } from './bars/first-hint.tsx'
import { useFullScreen } from './controls/full-screen.ts'
import { useKeyBindings } from './controls/key-bindings.ts'
import { useThemeColour } from './controls/theme-colour.ts'
import { type Chrome, useChrome } from './controls/use-chrome.ts'
import { useScreenAwake } from './controls/wake-lock.ts'
import { PageSheet } from './bars/page-sheet.tsx'
import { useEdgeColour } from './pages/edge-colour.ts'
import { type OverPage, PagedView, type PageView } from './pages/paged-view.tsx'
import { isDrawer, type Stage, stageOf } from './pages/stage.ts'
import { usePageBookmark } from './progress/use-page-bookmark.ts'
import { StateNotice } from './progress/state-notice.tsx'
import { StripView } from './pages/strip-view.tsx'
import { useKeys } from './controls/use-keys.ts'
import { useMeasured } from './progress/use-measured.ts'
import { filterOf } from '../../reader/page-layout.ts'
import { type OpenBook, type Reading, useReading } from './pages/use-reading.ts'
import type { DrawerTab } from './pdf/document-drawer.tsx'
import { type Find, useDocument, useFindKey } from './pdf/use-document.tsx'
import { groundOf } from './settings/grounds.ts'
import { type ReaderSettingsInUse, useReaderSettings } from './settings/use-reader-settings.ts'
import styles from './reader.module.css'

type Panel = DrawerTab | 'settings' | 'pages' | 'end'

/** Both are fetched when somebody asks for them. */
const DocumentDrawer = lazy(async () => ({ default: (await import('./pdf/document-drawer.tsx')).DocumentDrawer }))
const ReadingSheet = lazy(async () => ({ default: (await import('./settings/reading-sheet.tsx')).ReadingSheet }))

/** An open book: its pages, what lies over them, and what is remembered of the reading. */
export const Reader = (open: OpenBook): ReactNode => {
  const { book, pages } = open
  const { t, i18n } = useTranslation('reader')
  const settings = useReaderSettings(book)
  const reading = useReading(open, settings)
  const { layout, page, pageInView, go, spread, readList } = reading
  const [panel, setPanel] = useState<Panel>()
  const titleIn = useBookTitle()
  const chrome = useChrome()
  const hint = useHint()
  const bindings = useKeyBindings()
  const view = useRef<PageView>(null)
  const fullScreen = useFullScreen()
  const bookmark = usePageBookmark(book, pages, spread)
  const elsewhere = useElsewhere(book.id, pageInView, open.isByAddress)
  const following = useNext(book.id, readList, page >= pages.length - 1 || panel === 'end')
  const of = { userId: useMe().id, bookId: book.id, pageCount: pages.length, page: pageInView }
  const inView = spread.includes(pageInView) ? spread : [pageInView]
  const sent = useMeasured({ ...of, inView, onAnswer: elsewhere.answered })
  useScreenAwake()
  const goTo = (to: number): void => {
    if (panel === 'end') setPanel(undefined)
    go(to)
  }
  const { isDocument, find, overPage } = useDocument(book, panel === 'search', view)
  const shown = { book, pageCount: pages.length, layout, panel, bookmark, isDocument, onGo: goTo, onPanel: setPanel }
  useFindKey(isDocument ? () => setPanel('search') : undefined)
  const full = { isFull: fullScreen.isFull, onFullScreen: fullScreen.toggle }
  const actions = { ...full, onBars: chrome.toggle, onShift: reading.shiftHere, onBookmark: bookmark.toggle }
  useKeys({ ...shown, ...actions, view, settings, bindings })
  const close = (): void => setPanel(undefined)
  const reactions = reactionsOf({ chrome, hint, panel, following, setPanel })
  const where = t('pageOf', { page, count: pages.length })
  useEffect(() => announce(where), [where])
  const ground = useGround(reading, open, settings.effective.background !== undefined)
  const stage = stageOf(reading.window, panel, { direction: layout.direction, isMirrored: i18n.dir() === 'rtl' })
  const isCovering = stage.isCovered && panel !== 'end'
  // Beside a sheet the bars stay: what is chosen there is seen on pages that nothing cuts.
  const areBarsShown = (chrome.isShown || isCovering || stage.isBeside) && panel !== 'end'
  return (
    <main {...rootOf({ open, layout, ground, panel })} aria-label={where}>
      <title>{`${titleIn('page', book).text} · Carrel`}</title>
      <Pages
        reading={reading}
        view={view}
        stage={stage}
        overPage={overPage}
        hasBars={chrome.isAsked || isCovering || stage.isBeside}
        isAtEnd={panel === 'end'}
        {...reactions}
      />
      <Bars {...shown} {...full} {...barsOf({ reading, settings, isShown: areBarsShown })} />
      <StateNotice sent={sent} here={paths.read(book.id, { page, ...(readList && { readList }) })} />
      {panel === undefined ? <FirstHint hint={hint} direction={layout.direction} zooms /> : null}
      {panel === 'end' ? <EndOfBook book={book} following={following} side={stage.endSide} /> : null}
      <Beside {...{ book, panel, page, find, settings, layout, bindings }} onTab={setPanel} onGo={go} onClose={close} />
      <PageSheet {...shown} isOpen={panel === 'pages'} onClose={close} page={page} marked={bookmark.pages} />
      <Elsewhere otherPage={elsewhere.otherPage} page={page} onGo={goTo} onStay={elsewhere.stay} />
    </main>
  )
}

interface BarsState {
  readonly reading: Reading
  readonly settings: ReaderSettingsInUse
  readonly isShown: boolean
}

const barsOf = ({ reading: { sizes, spread }, settings, isShown }: BarsState) => ({
  sizes,
  spread,
  isShown,
  // Comics of the same device are read otherwise.
  onFit: (fit: Reading['layout']['fit']): void => settings.choose('series', { fit }),
})

interface BesideProps extends Omit<Parameters<typeof ReadingSheet>[0], 'isLaidOut'> {
  readonly panel: Panel | undefined
  readonly page: number
  readonly find: Find
  readonly onTab: (tab: DrawerTab) => void
  readonly onGo: (page: number) => void
}

/** What stands beside the pages, or below them on a phone. */
const Beside = ({ panel, page, find, onTab, onGo, ...sheet }: BesideProps): ReactNode => {
  const { book, onClose } = sheet
  if (panel === 'settings')
    return (
      <Suspense>
        <ReadingSheet {...sheet} />
      </Suspense>
    )
  if (panel !== 'contents' && panel !== 'search') return null
  return (
    <Suspense>
      <DocumentDrawer {...{ book, page, find, onTab, onGo, onClose }} tab={panel} />
    </Suspense>
  )
}

interface Root {
  readonly open: OpenBook
  readonly layout: Reading['layout']
  readonly ground: string
  readonly panel: Panel | undefined
}

const rootOf = ({ open: { book }, layout, ground, panel }: Root) => ({
  className: styles.reader,
  'data-background': layout.background,
  'data-sheet': panel === 'settings',
  'data-drawer': isDrawer(panel),
  'data-is-paper': book.fileFormat === 'pdf',
  style: { ...toned(book.tone).style, '--stage': ground } as CSSProperties,
})

interface Acting {
  readonly chrome: Chrome
  readonly hint: Hint
  readonly panel: Panel | undefined
  readonly following: NextBook
  readonly setPanel: (panel: Panel | undefined) => void
}

/** What turning, scrolling and tapping do besides: the bars come and go, and the end of the book. */
const reactionsOf = ({ chrome, hint, panel, following, setPanel }: Acting) => ({
  onRead: (): void => {
    chrome.hide()
    hint.putAway()
  },
  onScroll: (towards: 1 | -1): void => {
    if (towards === -1) return chrome.show()
    chrome.hide()
    hint.putAway()
    return undefined
  },
  onMenu: chrome.toggle,
  onEnd: (): void => (panel === 'end' ? following.goOn() : setPanel('end')),
  onBackFromEnd: (): void => setPanel(undefined),
})

/** The ground around the pages, which the system's own bars take on too. */
const useGround = ({ layout, spread, pictureOf }: Reading, { book }: OpenBook, isChosen: boolean): string => {
  const edge = useEdgeColour(layout.background === 'page', pictureOf(spread[0]))
  const { background } = layout
  const ground = groundOf({ background, isPdf: book.fileFormat === 'pdf', isChosen, edge })
  useThemeColour(ground.startsWith('var') ? '#000000' : ground)
  return ground
}

interface PagesProps {
  readonly reading: Reading
  readonly view: RefObject<PageView | null>
  readonly stage: Stage
  readonly overPage: OverPage | undefined
  readonly hasBars: boolean
  readonly isAtEnd: boolean
  readonly onRead: () => void
  readonly onScroll: (towards: 1 | -1) => void
  readonly onMenu: () => void
  readonly onEnd: () => void
  /** One turns back from what comes after the last page. */
  readonly onBackFromEnd: () => void
}

const barHeights = { top: 56, bottom: 84 }

const Pages = ({
  reading,
  stage,
  overPage,
  hasBars,
  isAtEnd,
  onRead,
  onEnd,
  onBackFromEnd,
  ...rest
}: PagesProps): ReactNode => {
  const { layout, page, jump, step, sizes, spread, part, pictureOf, smallOf, learnSize, scrolled } = reading
  const turn = (by: 1 | -1): void => {
    if (isAtEnd) return by === 1 ? onEnd() : onBackFromEnd()
    if (reading.turn(by)) onRead()
    else if (by === 1) onEnd()
    return undefined
  }
  const { view, onMenu, onScroll } = rest
  const pictures = { sizes, pictureOf, smallOf, overPage, onSize: learnSize, onReached: reading.reach }
  const shared = { layout, window: stage.size, ...pictures, onMenu, ref: view }
  const bottom = stage.isCovered ? 0 : barHeights.bottom
  const covered = hasBars && !isAtEnd ? { top: barHeights.top, bottom } : { top: 0, bottom: 0 }
  const { width, height } = stage.size
  const style = { width, height, [stage.from]: 0, filter: filterOf(layout) }
  return (
    <div className={styles.pages} style={style}>
      {reading.isStrip ? (
        <StripView
          {...shared}
          page={page}
          jump={jump}
          onPage={scrolled}
          onScroll={(towards) => {
            if (isAtEnd && towards === -1) onBackFromEnd()
            onScroll(towards)
          }}
          onEnd={() => (isAtEnd ? undefined : onEnd())}
          onBeyond={onEnd}
        />
      ) : (
        <PagedView {...shared} {...{ spread, part, covered, onScroll }} isFromBehind={step === -1} onTurn={turn} />
      )}
    </div>
  )
}
