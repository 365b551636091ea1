import type { BookDto, SeriesDto } from '@carrel/api'

/** What lists are lists of. */
export type Kind = 'series' | 'books'

export interface ItemOf {
  readonly series: SeriesDto
  readonly books: BookDto
}
