import type { BookDetail, PageDto } from '@carrel/api'
import { useCallback, useState } from 'react'
import { lookOf } from '../../reader/look.ts'
import { placesToHold } from '../../reader/preload.ts'
import { type PageSize, type Spread, shiftedAt, spreadAt, spreadsOf } from '../../reader/spreads.ts'
import { picturesOf, useHeldReady } from './pictures.ts'
import { useAddress, useReaderSearch } from './use-reader-search.ts'
import type { ReaderSettingsInUse } from './use-reader-settings.ts'
import { useWindowSize } from './window-size.ts'

export interface OpenBook {
  readonly book: BookDetail
  readonly pages: readonly PageDto[]
  readonly startPage: number
  /** The address named the page. */
  readonly isByAddress: boolean
}

export type Reading = ReturnType<typeof useReading>

/** Where one is, how it is shown, and what is in view. */
export const useReading = ({ book, pages, startPage }: OpenBook, { effective }: ReaderSettingsInUse) => {
  const window = useWindowSize()
  const look = lookOf(effective, { bookDirection: book.readingDirection, window })
  const [sizes, learnSize] = useSizes(pages)
  const place = usePlace(pages.length, startPage)
  const { page, shift, step } = place
  const spreads = spreadsOf(sizes, { isDouble: look.isDouble, coverAlone: look.coverAlone, shifts: shift })
  const at = spreadAt(spreads, page)
  const spread: Spread = spreads[at] ?? [1]
  const isStrip = look.direction === 'webtoon'
  const pictureOf = picturesOf(book, pages, Math.max(window.width, window.height) * globalThis.devicePixelRatio)
  const pixelsOf = (each: number): number => (spreads[each] ?? []).reduce((sum, one) => sum + pixels(sizes[one - 1]), 0)
  const held = isStrip ? [] : placesToHold({ at, step, count: spreads.length, pixelsOf })
  useHeldReady(held.flatMap((each) => (spreads[each] ?? []).map(pictureOf)))
  return {
    ...place,
    window,
    look,
    sizes,
    learnSize,
    spread: isStrip ? ([page] as const) : spread,
    isStrip,
    pictureOf,
    /** The last page in view counts: whoever sees the end of a book has come to its end. */
    pageInView: !isStrip && at === spreads.length - 1 ? (spread.at(-1) ?? page) : page,
    /** Whether there was anywhere to turn to. */
    turn: (by: 1 | -1): boolean => {
      const next = spreads[at + by]
      if (next) place.go(next[0], by)
      return next !== undefined
    },
    shiftHere: () => place.setShift(shiftedAt(shift, spread)),
  }
}

const pixels = (size: PageSize | undefined): number => (size?.width ?? 1500) * (size?.height ?? 2200)

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

interface Place {
  readonly page: number
  /** Grows when one goes to a page, rather than having scrolled there. */
  readonly jump: number
  /** Which way one came. */
  readonly step: 1 | -1
}

/** Where one is; the address says it too. */
const usePlace = (pageCount: number, startPage: number) => {
  const { shift: askedShift, readList } = useReaderSearch()
  const [shift, setShift] = useState(askedShift)
  const [place, setPlace] = useState<Place>({ page: startPage, jump: 0, step: 1 })
  const go = (to: number, step: 1 | -1 = 1): void => {
    const page = Math.min(pageCount, Math.max(1, to))
    setPlace(({ jump }) => ({ page, jump: jump + 1, step }))
  }
  const scrolled = useCallback((page: number): void => setPlace((before) => ({ ...before, page })), [])
  useAddress(place.page, shift, go)
  return { ...place, go, scrolled, shift, setShift, readList }
}
