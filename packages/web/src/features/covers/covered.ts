import {
  coverOfBookFromPage,
  coverOfSeriesFromPage,
  deleteBookCover,
  deleteSeriesCover,
  type Endpoint,
  listBookCovers,
  listSeriesCovers,
  readBook,
  readBookCoverImage,
  readSeries,
  readSeriesCoverImage,
  selectBookCover,
  selectSeriesCover,
  unselectBookCover,
  unselectSeriesCover,
  uploadBookCover,
  uploadSeriesCover,
} from '@carrel/api'

export type CoveredKind = 'series' | 'book'

/** The same can be done with the covers of a series and of a book. */
export const covered = {
  series: {
    kind: 'series',
    list: listSeriesCovers,
    image: readSeriesCoverImage,
    upload: uploadSeriesCover,
    fromPage: coverOfSeriesFromPage,
    select: selectSeriesCover,
    unselect: unselectSeriesCover,
    remove: deleteSeriesCover,
  },
  book: {
    kind: 'book',
    list: listBookCovers,
    image: readBookCoverImage,
    upload: uploadBookCover,
    fromPage: coverOfBookFromPage,
    select: selectBookCover,
    unselect: unselectBookCover,
    remove: deleteBookCover,
  },
} as const

export type Covered = (typeof covered)[CoveredKind]

/** Locked: somebody has chosen its cover, else the book decides. */
type Titled = Endpoint<
  { readonly params: { readonly id: string } },
  { readonly title: string; readonly metadata: { readonly coverLock: boolean } }
>

export const titled: Readonly<Record<CoveredKind, Titled>> = { series: readSeries, book: readBook }
