import type { BookDetail, PageDto } from '@carrel/api'
import { useViewportSize } from '@mantine/hooks'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMe } from '../../me.ts'
import { lookOf } from '../../reader/look.ts'
import { type PageSize, shiftedAt, spreadAt, spreadsOf } from '../../reader/spreads.ts'
import { announce } from '../../ui/live-region.tsx'
import { Bars } from './bars.tsx'
import { Elsewhere, useElsewhere } from './elsewhere.tsx'
import { EndOfBook } from './end-of-book.tsx'
import { FirstHint } from './first-hint.tsx'
import { useFullScreen } from './full-screen.ts'
import { PageSheet } from './page-sheet.tsx'
import { PagedView, type PageView } from './paged-view.tsx'
import { picturesOf, useHeldReady } from './pictures.ts'
import { placesToHold } from '../../reader/preload.ts'
import { SettingsDialog } from './settings-dialog.tsx'
import { StateNotice } from './state-notice.tsx'
import { StripView } from './strip-view.tsx'
import { useKeys } from './use-keys.ts'
import { useMeasured } from './use-measured.ts'
import { useReaderSettings } from './use-reader-settings.ts'
import { useAddress, useReaderSearch } from './use-reader-search.ts'
import styles from './reader.module.css'

interface ReaderProps {
  readonly book: BookDetail
  readonly pages: readonly PageDto[]
  readonly startPage: number
}

type Panel = 'settings' | 'pages' | 'end'

export const Reader = ({ book, pages, startPage }: ReaderProps): ReactNode => {
  const { t } = useTranslation('reader')
  const settings = useReaderSettings(book)
  const window = useWindowSize()
  const look = lookOf(settings.effective, { bookDirection: book.readingDirection, window })
  const [sizes, learnSize] = useSizes(pages)
  const place = usePlace(book, pages.length, startPage)
  const { page, shift } = place
  const rules = { isDouble: look.isDouble, coverAlone: look.coverAlone, shifts: shift }
  const spreads = spreadsOf(sizes, rules)
  const at = spreadAt(spreads, page)
  const spread = spreads[at] ?? [1]
  const [panel, setPanel] = useState<Panel>()
  const [hasBars, setBars] = useState(true)
  const view = useRef<PageView>(null)
  const screenPixels = Math.max(window.width, window.height) * globalThis.devicePixelRatio
  const pictureOf = picturesOf(book, pages, screenPixels)
  const isStrip = look.direction === 'webtoon'

  // The last page in view counts: whoever sees the end of a book has come to its end.
  const pageInView = !isStrip && at === spreads.length - 1 ? (spread.at(-1) ?? page) : page
  const elsewhere = useElsewhere(book.id, pageInView)
  const sent = useMeasured({
    userId: useMe().id,
    bookId: book.id,
    pageCount: pages.length,
    page: pageInView,
    onAnswer: elsewhere.answered,
  })
  const fullScreen = useFullScreen()
  const end = useCallback(() => setPanel('end'), [])

  const turn = (step: 1 | -1): void => {
    const next = spreads[at + step]
    if (next) {
      place.go(next[0], step)
      setBars(false)
    } else if (step === 1) end()
  }
  useHeldReady(
    isStrip
      ? []
      : placesToHold({
          at,
          step: place.step,
          count: spreads.length,
          pixelsOf: (each) => (spreads[each] ?? []).reduce((sum, one) => sum + pixelsOf(sizes[one - 1]), 0),
        }).flatMap((each) => (spreads[each] ?? []).map(pictureOf)),
  )
  const toggleBars = (): void => setBars(!hasBars)
  useKeys({
    look,
    view,
    settings,
    onPanel: setPanel,
    onBars: toggleBars,
    onFullScreen: fullScreen.toggle,
    onGo: place.go,
    pageCount: pages.length,
    onShift: () => place.setShift(shiftedAt(shift, spread)),
  })
  useEffect(() => {
    announce(t('pageOf', { page, count: pages.length }))
  }, [t, page, pages.length])

  const shared = { look, window, pictureOf, onSize: learnSize, onMenu: toggleBars, ref: view }
  return (
    <div className={styles.reader} data-background={look.background}>
      <title>{`${book.title} · Carrel`}</title>
      <main className={styles.main} aria-label={t('pageOf', { page, count: pages.length })}>
        {isStrip ? (
          <StripView {...shared} sizes={sizes} page={page} jump={place.jump} onPage={place.scrolled} onEnd={end} />
        ) : (
          <PagedView
            {...shared}
            key={pages.length}
            book={book}
            sizes={sizes}
            spread={spread}
            isFromBehind={place.step === -1}
            onTurn={turn}
          />
        )}
      </main>
      <Bars
        book={book}
        pageCount={pages.length}
        spread={isStrip ? [page] : spread}
        look={look}
        isShown={hasBars}
        isFull={fullScreen.isFull}
        onGo={place.go}
        onStep={(step) => (step === 1 ? view.current?.forward() : view.current?.back())}
        onPanel={setPanel}
        onFullScreen={fullScreen.toggle}
      />
      <StateNotice sent={sent} />
      <FirstHint look={look} />
      <SettingsDialog
        isOpen={panel === 'settings'}
        onClose={() => setPanel(undefined)}
        book={book}
        settings={settings}
        look={look}
      />
      <PageSheet
        isOpen={panel === 'pages'}
        onClose={() => setPanel(undefined)}
        book={book}
        sizes={sizes}
        page={page}
        onGo={place.go}
      />
      <EndOfBook isOpen={panel === 'end'} onClose={() => setPanel(undefined)} book={book} readList={place.readList} />
      <Elsewhere found={elsewhere.found} page={page} onGo={place.go} onStay={elsewhere.stay} />
    </div>
  )
}

const pixelsOf = (size: PageSize | undefined): number => (size?.width ?? 1500) * (size?.height ?? 2200)

const useWindowSize = (): { readonly width: number; readonly height: number } => {
  const { width, height } = useViewportSize()
  // Before the first measurement there is none: the window itself knows.
  return { width: width || globalThis.innerWidth, height: height || globalThis.innerHeight }
}

/** What the server could not measure is known once the picture is here. */
const useSizes = (pages: readonly PageDto[]) => {
  const [sizes, setSizes] = useState<readonly PageSize[]>(pages)
  const learn = useCallback((page: number, width: number, height: number): void => {
    setSizes((known) => {
      const size = known[page - 1]
      if (!size || (size.width !== null && size.height !== null)) return known
      return known.with(page - 1, { width, height })
    })
  }, [])
  return [sizes, learn] as const
}

/** Where one is; the address says it too. */
const usePlace = (book: BookDetail, pageCount: number, startPage: number) => {
  const { shift: askedShift, readList } = useReaderSearch()
  const [shift, setShift] = useState(askedShift)
  const [place, setPlace] = useState<{ page: number; jump: number; step: 1 | -1 }>({
    page: startPage,
    jump: 0,
    step: 1,
  })
  const go = (to: number, step: 1 | -1 = 1): void => {
    const page = Math.min(pageCount, Math.max(1, to))
    setPlace(({ jump }) => ({ page, jump: jump + 1, step }))
  }
  const scrolled = useCallback((page: number): void => setPlace((before) => ({ ...before, page })), [])
  useAddress(place.page, shift, go)
  return { ...place, go, scrolled, shift, setShift, readList, bookId: book.id }
}
