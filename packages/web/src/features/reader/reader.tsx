import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useBookTitle } from '../../text/book-name.tsx'
import { useMe } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { announce } from '../../ui/state/live-region.tsx'
import { Bars } from './bars/bars.tsx'
import { Elsewhere, useElsewhere } from './progress/elsewhere.tsx'
import { EndOfBook } from './bars/end-of-book.tsx'
import { FirstHint } from './bars/first-hint.tsx'
import { useFullScreen } from './controls/full-screen.ts'
import { PageSheet } from './bars/page-sheet.tsx'
import { PagedView, type PageView } from './pages/paged-view.tsx'
import { SettingsDialog } from './settings/settings-dialog.tsx'
import { StateNotice } from './progress/state-notice.tsx'
import { StripView } from './pages/strip-view.tsx'
import { useKeys } from './controls/use-keys.ts'
import { useMeasured } from './progress/use-measured.ts'
import { type OpenBook, type Reading, useReading } from './pages/use-reading.ts'
import { useReaderSettings } from './settings/use-reader-settings.ts'
import styles from './reader.module.css'

type Panel = 'settings' | 'pages' | 'end'

/** An open book: its pages, what lies over them, and what is remembered of the reading. */
export const Reader = (open: OpenBook): ReactNode => {
  const { book, pages } = open
  const { t } = useTranslation('reader')
  const settings = useReaderSettings(book)
  const reading = useReading(open, settings)
  const { layout, page, pageInView, go, spread, readList } = reading
  const [panel, setPanel] = useState<Panel>()
  const titleIn = useBookTitle()
  const [hasBars, setBars] = useState(true)
  const view = useRef<PageView>(null)
  const fullScreen = useFullScreen()
  const elsewhere = useElsewhere(book.id, pageInView, open.isByAddress)
  const userId = useMe().id
  const of = { userId, bookId: book.id, pageCount: pages.length, page: pageInView }
  const sent = useMeasured({ ...of, onAnswer: elsewhere.answered })
  const toggleBars = (): void => setBars(!hasBars)
  const shown = { book, pageCount: pages.length, layout, onGo: go, onPanel: setPanel, onFullScreen: fullScreen.toggle }
  useKeys({ ...shown, view, settings, onBars: toggleBars, onShift: reading.shiftHere })
  const close = (): void => setPanel(undefined)
  const where = t('pageOf', { page, count: pages.length })
  useEffect(() => announce(where), [where])
  return (
    <main className={styles.reader} data-background={layout.background} aria-label={where}>
      <title>{`${titleIn('page', book).text} · Carrel`}</title>
      <Pages
        reading={reading}
        view={view}
        onRead={() => setBars(false)}
        onMenu={toggleBars}
        onEnd={() => setPanel('end')}
      />
      <Bars
        {...shown}
        spread={spread}
        isShown={hasBars}
        isFull={fullScreen.isFull}
        onStep={(step) => (step === 1 ? view.current?.forward() : view.current?.back())}
      />
      <StateNotice sent={sent} here={paths.read(book.id, { page, ...(readList && { readList }) })} />
      <FirstHint direction={layout.direction} zooms />
      <SettingsDialog isOpen={panel === 'settings'} onClose={close} book={book} settings={settings} layout={layout} />
      <PageSheet {...shown} isOpen={panel === 'pages'} onClose={close} page={page} />
      <EndOfBook isOpen={panel === 'end'} onClose={close} book={book} readList={readList} />
      <Elsewhere found={elsewhere.found} page={page} onGo={go} onStay={elsewhere.stay} />
    </main>
  )
}

interface PagesProps {
  readonly reading: Reading
  readonly view: RefObject<PageView | null>
  readonly onRead: () => void
  readonly onMenu: () => void
  readonly onEnd: () => void
}

const Pages = ({ reading, view, onRead, onMenu, onEnd }: PagesProps): ReactNode => {
  const { layout, window, page, jump, step, sizes, spread, pictureOf, learnSize, scrolled } = reading
  const turn = (by: 1 | -1): void => {
    if (reading.turn(by)) onRead()
    else if (by === 1) onEnd()
  }
  const shared = { layout, window, sizes, pictureOf, onSize: learnSize, onMenu, ref: view }
  return (
    <div className={styles.pages}>
      {reading.isStrip ? (
        <StripView {...shared} page={page} jump={jump} onPage={scrolled} onEnd={onEnd} />
      ) : (
        <PagedView {...shared} spread={spread} isFromBehind={step === -1} onTurn={turn} />
      )}
    </div>
  )
}
