import type { BookDto, ListAnswer, SeriesDto } from '@carrel/api'
import type { opdsPagingQuery } from '@carrel/api/doors'
import type { Static } from 'typebox'
import type { Context } from '../../../context.ts'
import type { listsOfBooks } from '../../../features/books/books.ts'
import type { homesOf } from '../../../features/home/home.ts'
import type { listsOfSeries } from '../../../features/series/series.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { type Paging, pagingOf } from '../../../platform/paging.ts'
import type { Texts } from '../../../texts/texts.ts'
import { seriesEntryIn } from '../entries/entries.ts'
import { type Entry, type Feed, idOf, newestOf, pageSizeUsual, type Publication, type Target } from '../feed.ts'
import { publicationsOf } from '../entries/publications.ts'

/** All feeds find their entries with these. */
export interface Lists {
  readonly context: Context
  readonly books: ReturnType<typeof listsOfBooks>
  readonly series: ReturnType<typeof listsOfSeries>
  readonly readHome: ReturnType<typeof homesOf>
  /** When something was changed last in what somebody sees, or in one library of it. */
  readonly latestChange: (viewer: Viewer, library?: string) => string | Promise<string>
  /** They are in the language of the user. */
  readonly texts: Texts
}

export type Paged = Static<typeof opdsPagingQuery>

const start: Target = { path: '' }
/** Describing more books takes longer than a request may hold the thread. */
const quickBooksMax = 100

export interface Head {
  readonly id?: string
  readonly path: string
  readonly title: string
  readonly self: Target
  readonly up?: Target
  readonly isStart?: true
}

const headOf = ({ id, path, title, self, up = start, isStart }: Head) => ({
  id: id ?? idOf(path),
  title,
  self,
  ...(!isStart && { up }),
})

export const navigation = (head: Head, entries: readonly Entry[], total?: number, paging?: Paging): Feed => ({
  ...headOf(head),
  updated: newestOf(entries),
  content: { kind: 'navigation', entries },
  ...(paging && { paging: { page: paging.page, pageSize: paging.pageSize, total: total ?? entries.length } }),
})

const acquisition = (
  head: Head,
  publications: readonly Publication[],
  total: number,
  paging: Paging | undefined,
): Feed => ({
  ...headOf(head),
  updated: newestOf(publications.map(({ book }) => ({ updated: book.updatedAt }))),
  content: { kind: 'acquisition', publications },
  ...(paging && { paging: { page: paging.page, pageSize: paging.pageSize, total } }),
})

export const seriesFeed = (
  { texts }: Lists,
  head: Head,
  { data, total, paging }: ListAnswer<SeriesDto> & { readonly paging: Paging },
): Feed => navigation(head, data.map(seriesEntryIn(texts)), total, paging)

export const pagingFrom = ({ page = 1, pageSize = pageSizeUsual }: Paged): Paging => pagingOf(page, pageSize)

/** One feed is one feed, whichever of its pages is shown. */
export const keyOf = ({ path, query = {} }: Target): string => {
  const { page: _page, pageSize: _pageSize, ...rest } = query
  return `${path} ${JSON.stringify(rest)}`
}

/** One page of books; `paging` is absent where there is only the one. */
export const bookFeed = async (
  { context: { db }, texts }: Lists,
  viewer: Viewer,
  { inSeries = false, ...head }: Head & { readonly inSeries?: boolean },
  { data, total, paging }: ListAnswer<BookDto> & { readonly paging?: Paging },
): Promise<Feed> => {
  const reader = data.length <= quickBooksMax ? db.read : db.readSlowly
  return acquisition(head, await publicationsOf(reader, viewer, data, { texts, inSeries }), total, paging)
}
