import type { BookDetail, PageDto } from '@carrel/api'
import { useCallback, useState } from 'react'
import { pageLayoutOf } from '../../../reader/page-layout.ts'
import { indexesToHold } from '../../../reader/preload.ts'
import {
  type Half,
  openingAt,
  openingsOf,
  type PageSize,
  type Spread,
  shiftedAt,
  spreadsOf,
} from '../../../reader/spreads.ts'
import { drawnWidth, picturesOf, smallPictureOf, useHeldReady } from './pictures.ts'
import { useAddress, useReaderSearch } from '../progress/use-reader-search.ts'
import type { ReaderSettingsInUse } from '../settings/use-reader-settings.ts'
import { partOf } from './spread-content.ts'
import { useWindowSize } from './window-size.ts'

export interface OpenBook {
  readonly book: BookDetail
  readonly pages: readonly PageDto[]
  readonly startPage: number
  /** The address named the page. */
  readonly isByAddress: boolean
}

export type Reading = ReturnType<typeof useReading>

/** It holds the position, the view, and what is in view. */
export const useReading = ({ book, pages, startPage }: OpenBook, { effective }: ReaderSettingsInUse) => {
  const window = useWindowSize()
  const layout = pageLayoutOf(effective, { bookDirection: book.readingDirection, window })
  const isDrawn = book.fileFormat === 'pdf'
  const [sizes, learnSize] = useSizes(pages, isDrawn)
  const position = usePosition(pages.length, startPage)
  const { page, half, shift, step } = position
  const spreads = spreadsOf(sizes, { isDouble: layout.isDouble, coverAlone: layout.coverAlone, shifts: shift })
  const openings = openingsOf(spreads, sizes, layout.widePages === 'split' && layout.isUpright)
  const index = openingAt(openings, page, half)
  const opening = openings[index] ?? { pages: [1] as const }
  const isStrip = layout.direction === 'webtoon'
  const screenPixels = Math.max(window.width, window.height) * globalThis.devicePixelRatio
  const pictureOf = picturesOf(book, pages, screenPixels)
  const smallOf = smallPictureOf(book)
  const pagesAt = (each: number): readonly number[] => openings[each]?.pages ?? []
  const pixelsOf = (each: number): number =>
    pagesAt(each).reduce((sum, one) => sum + pixels(sizes[one - 1], isDrawn ? drawnWidth(screenPixels) : undefined), 0)
  const held = isStrip ? [] : indexesToHold({ index, step, count: openings.length, pixelsOf })
  const ahead = smallOf === undefined ? [] : pagesAround(page, pages.length).map(smallOf)
  useHeldReady([...held.flatMap((each) => pagesAt(each).map(pictureOf)), ...ahead])
  const spread: Spread = isStrip ? [page] : opening.pages
  // The last page in view counts: whoever sees the end of a book has come to its end.
  const inView = !isStrip && index === openings.length - 1 ? (spread.at(-1) ?? page) : page
  const [pageInView, reach] = useSeen(inView)
  return {
    ...position,
    window,
    layout,
    sizes,
    learnSize,
    spread,
    /** What is seen of a page, where that is not all of it as it stands. */
    part: partOf(opening, sizes, layout),
    isStrip,
    pictureOf,
    smallOf,
    pageInView,
    reach,
    /** It returns whether there was a page to turn to. */
    turn: (by: 1 | -1): boolean => {
      const next = openings[index + by]
      if (next) position.go(next.pages[0], by, next.half)
      return next !== undefined
    },
    shiftHere: () => position.setShift(shiftedAt(shift, spread)),
  }
}

const pixels = (size: PageSize | undefined, drawn: number | undefined): number => {
  const { width, height } = { width: size?.width ?? 1500, height: size?.height ?? 2200 }
  return drawn === undefined ? width * height : (drawn * drawn * height) / width
}

/** Small pictures of these are held, a few more than of the large ones: one may turn faster than pages are drawn. */
const pagesAround = (page: number, count: number): readonly number[] =>
  Array.from({ length: 12 }, (_, index) => page - 3 + index).filter((each) => each >= 1 && each <= count)

/** Pages of a PDF are announced at 150 dots an inch, of which a screen has 96. */
const asOnPaper = 96 / 150

const onPaper = ({ width, height }: PageSize): PageSize => ({
  width: width === null ? null : width * asOnPaper,
  height: height === null ? null : height * asOnPaper,
})

/** Sizes the server could not measure are known once the picture has loaded. */
const useSizes = (pages: readonly PageDto[], isDrawn: boolean) => {
  const [sizes, setSizes] = useState<readonly PageSize[]>(() => (isDrawn ? pages.map(onPaper) : pages))
  const learn = useCallback((page: number, width: number, height: number): void => {
    setSizes((current) => {
      const size = current[page - 1]
      if (!size || (size.width !== null && size.height !== null)) return current
      return current.with(page - 1, { width, height })
    })
  }, [])
  return [sizes, learn] as const
}

/** A page that the server could not be asked for was not read: the last one that was seen is where one is. */
const useSeen = (inView: number) => {
  const [reached, setReached] = useState<ReadonlyMap<number, boolean>>(() => new Map([[inView, true]]))
  const [seen, setSeen] = useState(inView)
  const isReached = reached.get(inView)
  if (isReached === true && seen !== inView) setSeen(inView)
  const reach = useCallback(
    (page: number, is: boolean): void =>
      setReached((before) => (before.get(page) === is ? before : new Map(before).set(page, is))),
    [],
  )
  // One that is still coming counts: whoever closes the book by then has turned to it.
  return [isReached === false ? seen : inView, reach] as const
}

interface ReadingPage {
  readonly page: number
  /** The half of it that is in view, where a wide page is split. */
  readonly half: Half | undefined
  /** It grows when one goes to a page, rather than having scrolled there. */
  readonly jump: number
  /** It is the direction in which the user came here. */
  readonly step: 1 | -1
}

/** It holds the position, which the address contains too. */
const usePosition = (pageCount: number, startPage: number) => {
  const { shift: requestedShift, readList } = useReaderSearch()
  const [shift, setShift] = useState(requestedShift)
  const [position, setPosition] = useState<ReadingPage>({ page: startPage, half: undefined, jump: 0, step: 1 })
  const go = (to: number, step: 1 | -1 = 1, half?: Half): void => {
    const page = Math.min(pageCount, Math.max(1, to))
    setPosition(({ jump }) => ({ page, half, jump: jump + 1, step }))
  }
  const scrolled = useCallback(
    (page: number): void => setPosition((before) => ({ ...before, page, half: undefined })),
    [],
  )
  useAddress(position.page, shift, go)
  return { ...position, go, scrolled, shift, setShift, readList }
}
