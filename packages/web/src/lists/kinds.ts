import type { BookDto, SeriesDto } from '@carrel/api'

export type Kind = 'series' | 'books'

export interface ItemOf {
  readonly series: SeriesDto
  readonly books: BookDto
}
