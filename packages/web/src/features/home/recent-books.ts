import { type BookDto, type Home, listBooks } from '@carrel/api'
import { useLater } from '../../api/queries.ts'
import { homeInput } from './shelves.ts'

/** It tells once that books were added to a series. */
export interface NewOfSeries {
  readonly id: string
  readonly newest: BookDto
  readonly count: number
}

/** One item for each series, where its newest book would stand; of a single book the book itself. */
export const newOfSeries = (books: readonly BookDto[]): readonly (BookDto | NewOfSeries)[] =>
  [...Map.groupBy(books, ({ seriesId }) => seriesId)].flatMap(([id, ofSeries]) => {
    const [newest, ...others] = ofSeries
    if (newest === undefined) return []
    return [others.length === 0 ? newest : { id, newest, count: ofSeries.length }]
  })

/** A shelf with fewer than this has room for what came before. */
const shelfMin = 8
const further = { query: { sort: 'date_added,desc', pageSize: 100 } } as const

/**
 * It loads more of the latest books when most of them belong to a few series, which stand on the shelf only once each.
 */
export const useRecentBooks = ({ recentlyAddedBooks: books }: Home): readonly BookDto[] => {
  const isCrowded = books.length >= homeInput.query.limit && newOfSeries(books).length < shelfMin
  const { data } = useLater(listBooks, further, { enabled: isCrowded })
  return isCrowded && data ? data.data : books
}
