import type { Position } from '../records.ts'

export const nowhere: Position = { page: null, fraction: null, locator: null }

export const onPage = (page: number | null): Position => ({ ...nowhere, page })

export const atFraction = (fraction: number | null): Position => ({ ...nowhere, fraction })

/** A CFI has a few steps; what is longer is none. */
const cfiMax = 2000

/**
 * A place in an EPUB that is known by its CFI. Which file of the book that is, only the book can say: `href` is empty, as it is
 * wherever a position was said in other words.
 */
export const atCfi = (cfi: string | null, fraction: number | null = null): Position => ({
  page: null,
  fraction,
  locator:
    cfi === null || cfi.length > cfiMax || !/^epubcfi\(.+\)$/.test(cfi)
      ? null
      : {
          href: '',
          type: 'application/xhtml+xml',
          locations: { fragments: [cfi], ...(fraction !== null && { totalProgression: fraction }) },
        },
})

/** The items of a spine are counted from 0; in a CFI they are the even steps of the sixth. */
export const atSpineItem = (index: number, items: number | null): Position =>
  atCfi(`epubcfi(/6/${2 * (index + 1)}!/4)`, items === null || items === 0 ? null : Math.min(1, index / items))
