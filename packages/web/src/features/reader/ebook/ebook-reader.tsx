import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react'
import { useBookTitle } from '../../../text/book-name.tsx'
import { useMe } from '../../../session/me.ts'
import { paths } from '../../../navigation/paths.ts'
import { startOfPosition, sectionAt } from '../../../reader/ebook/book-map.ts'
import { announce } from '../../../ui/state/live-region.tsx'
import { Elsewhere, useElsewhere } from '../progress/elsewhere.tsx'
import { EndOfBook } from '../bars/end-of-book.tsx'
import { FirstHint } from '../bars/first-hint.tsx'
import { useFullScreen } from '../controls/full-screen.ts'
import { SettingsDialog } from '../settings/settings-dialog.tsx'
import { StateNotice } from '../progress/state-notice.tsx'
import { useMeasured } from '../progress/use-measured.ts'
import { type ReaderSettingsInUse, useReaderSettings } from '../settings/use-reader-settings.ts'
import { BookDrawer } from './bars/book-drawer.tsx'
import { useEbookAddress, useReadList } from './ebook-address.ts'
import { EbookBars } from './bars/ebook-bars.tsx'
import { EbookSettings } from './settings/ebook-settings.tsx'
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
import pageStyles from '../reader.module.css'
import styles from './ebook-reader.module.css'

/** An open book of text: what lies over it, and what is remembered of the reading. */
export const EbookReader = (open: OpenEbook): ReactNode => {
  const { book, map, isRightToLeft } = open
  const settings = useReaderSettings(book)
  const appearance = useEbookAppearance(settings.effective, open)
  const reading = useEbookReading(open)
  const [panel, setPanel] = useState<Panel>()
  const titleIn = useBookTitle()
  const [hasBars, setBars] = useState(true)
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
    onBars: setBars,
    hasBars,
    onEnd: () => setPanel('end'),
  })
  const { sent, elsewhere, here } = useKept(open, reading, view)
  const narration = useNarration(open, reading, view)
  const shown = {
    map,
    reading,
    view,
    marks,
    bookmark,
    narration,
    isRightToLeft,
    settings,
    appearance,
    onPanel: setPanel,
    onFullScreen: fullScreen.toggle,
  }
  useEbookKeys({ ...shown, onBars: () => setBars(!hasBars) })
  const close = (): void => setPanel(undefined)
  const where = useWhere(open, reading)
  useEffect(() => announce(where), [where])
  return (
    <main {...stageOf(open, appearance)} aria-label={where} aria-busy={!view.isReady}>
      <title>{`${titleIn('page', book).text} · Carrel`}</title>
      <div ref={host} className={styles.host} data-testid="book" />
      <EbookBars {...shown} book={book} isShown={hasBars} isFull={fullScreen.isFull} />
      <StateNotice sent={sent} here={here} />
      <FirstHint direction={directionOf(open, appearance)} zooms={false} />
      <Panels {...shown} book={book} panel={panel} onClose={close} />
      <SelectionBar selection={selection} />
      <MarkDialog highlight={selection.opened} marks={marks} onClose={selection.close} />
      <PictureView picture={view.picture} onClose={view.closePicture} />
      <FootNote note={view.note} onClose={view.closeNote} onGo={view.goToNote} />
      <Elsewhere {...elsewhere} page={reading.position} />
    </main>
  )
}

const directionOf = ({ map, isRightToLeft }: OpenEbook, { text }: EbookAppearance) =>
  text.textFlow === 'scrolled' && !map.fixed ? 'webtoon' : isRightToLeft ? 'rtl' : 'ltr'

/** Around text the background is that of the text, around pages it is that of comics. */
const stageOf = ({ map }: OpenEbook, { colours, pages }: EbookAppearance) =>
  map.fixed
    ? { className: `${pageStyles.reader} ${styles.reader}`, 'data-background': pages.background }
    : {
        className: styles.reader,
        style: { '--stage': colours.page, '--stage-text': colours.text } as CSSProperties,
      }

/** It keeps where one is: on the server, in the address, and against what other devices say. */
const useKept = ({ book, map, isByAddress }: OpenEbook, reading: EbookReading, view: BookView) => {
  const readList = useReadList()
  const { found, stay, answered } = useElsewhere(book.id, reading.position, isByAddress)
  const of = { userId: useMe().id, bookId: book.id, pageCount: map.total, page: reading.position }
  const sent = useMeasured({ ...of, locator: reading.locator, onAnswer: answered })
  const at = reading.totalProgression.toFixed(4)
  useEbookAddress(at, (requested) => view.jump(sectionAt(map, requested)))
  const onGo = (position: number): void => view.jump(sectionAt(map, startOfPosition(map, position)))
  const path = paths.read(book.id, { ...(readList && { readList }) })
  return { sent, elsewhere: { found, onGo, onStay: stay }, here: `${path}${readList ? '&' : '?'}at=${at}` }
}

interface PanelsProps extends Omit<Parameters<typeof BookDrawer>[0], 'tab'> {
  readonly panel: Panel | undefined
  readonly settings: ReaderSettingsInUse
  readonly appearance: EbookAppearance
}

/** One of them at a time. */
const Panels = ({ panel, settings, appearance, ...rest }: PanelsProps): ReactNode => {
  const { book, map, onClose } = rest
  const readList = useReadList()
  const settingsProps = { isOpen: panel === 'settings', onClose, book, settings }
  return (
    <>
      {map.fixed ? (
        <SettingsDialog {...settingsProps} layout={appearance.pages} isLaidOut />
      ) : (
        <EbookSettings {...settingsProps} appearance={appearance} />
      )}
      <BookDrawer {...rest} tab={drawerTab(panel)} />
      <EndOfBook isOpen={panel === 'end'} onClose={onClose} book={book} readList={readList} />
    </>
  )
}

const drawerTab = (panel: Panel | undefined): DrawerTab | undefined =>
  panel === 'settings' || panel === 'end' ? undefined : panel
