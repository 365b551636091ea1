import type { BookDetail, PageDto } from '@carrel/api'
import { useCallback, useState } from 'react'
import { pageLayoutOf } from '../../../reader/page-layout.ts'
import { indexesToHold } from '../../../reader/preload.ts'
import { type PageSize, type Spread, shiftedAt, spreadAt, spreadsOf } from '../../../reader/spreads.ts'
import { picturesOf, useHeldReady } from './pictures.ts'
import { useAddress, useReaderSearch } from '../progress/use-reader-search.ts'
import type { ReaderSettingsInUse } from '../settings/use-reader-settings.ts'
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
  const [sizes, learnSize] = useSizes(pages)
  const position = usePosition(pages.length, startPage)
  const { page, shift, step } = position
  const spreads = spreadsOf(sizes, { isDouble: layout.isDouble, coverAlone: layout.coverAlone, shifts: shift })
  const index = spreadAt(spreads, page)
  const spread: Spread = spreads[index] ?? [1]
  const isStrip = layout.direction === 'webtoon'
  const pictureOf = picturesOf(book, pages, Math.max(window.width, window.height) * globalThis.devicePixelRatio)
  const pixelsOf = (each: number): number => (spreads[each] ?? []).reduce((sum, one) => sum + pixels(sizes[one - 1]), 0)
  const held = isStrip ? [] : indexesToHold({ index, step, count: spreads.length, pixelsOf })
  useHeldReady(held.flatMap((each) => (spreads[each] ?? []).map(pictureOf)))
  return {
    ...position,
    window,
    layout,
    sizes,
    learnSize,
    spread: isStrip ? ([page] as const) : spread,
    isStrip,
    pictureOf,
    /** The last page in view counts: whoever sees the end of a book has come to its end. */
    pageInView: !isStrip && index === spreads.length - 1 ? (spread.at(-1) ?? page) : page,
    /** It returns whether there was a page to turn to. */
    turn: (by: 1 | -1): boolean => {
      const next = spreads[index + by]
      if (next) position.go(next[0], by)
      return next !== undefined
    },
    shiftHere: () => position.setShift(shiftedAt(shift, spread)),
  }
}

const pixels = (size: PageSize | undefined): number => (size?.width ?? 1500) * (size?.height ?? 2200)

/** Sizes the server could not measure are known once the picture has loaded. */
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

interface ReadingPage {
  readonly page: number
  /** It grows when one goes to a page, rather than having scrolled there. */
  readonly jump: number
  /** It is the direction in which the user came here. */
  readonly step: 1 | -1
}

/** It holds the position, which the address contains too. */
const usePosition = (pageCount: number, startPage: number) => {
  const { shift: requestedShift, readList } = useReaderSearch()
  const [shift, setShift] = useState(requestedShift)
  const [position, setPosition] = useState<ReadingPage>({ page: startPage, jump: 0, step: 1 })
  const go = (to: number, step: 1 | -1 = 1): void => {
    const page = Math.min(pageCount, Math.max(1, to))
    setPosition(({ jump }) => ({ page, jump: jump + 1, step }))
  }
  const scrolled = useCallback((page: number): void => setPosition((before) => ({ ...before, page })), [])
  useAddress(position.page, shift, go)
  return { ...position, go, scrolled, shift, setShift, readList }
}
