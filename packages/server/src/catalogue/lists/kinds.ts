import type { Selectable } from 'kysely'
import type { Schema } from '../../database/schema.ts'

type BookRow = Selectable<Schema['book']>
type SeriesRow = Selectable<Schema['series']>
type Bare<Name extends string> = Name extends `${string}.${infer Column}` ? Column : never

/** What a list shows of a book's own row. */
export const bookColumns = [
  'book.id',
  'book.library_id',
  'book.series_id',
  'book.state',
  'book.title',
  'book.title_sort',
  'book.sort_key',
  'book.position_key',
  'book.number',
  'book.volume',
  'book.chapter',
  'book.format',
  'book.size',
  'book.page_count',
  'book.analysed',
  'book.reading_direction',
  'book.summary',
  'book.writers',
  'book.cover_version',
  'book.placeholder',
  'book.tone',
  'book.created_at',
  'book.updated_at',
] as const

export type ListedBook = Pick<BookRow, Bare<(typeof bookColumns)[number]> & keyof BookRow>

/** What a list shows of a series' own row. */
export const seriesColumns = [
  'series.id',
  'series.library_id',
  'series.title',
  'series.title_sort',
  'series.sort_key',
  'series.summary',
  'series.writers',
  'series.publisher',
  'series.year',
  'series.path',
  'series.strictest_rating',
  'series.book_count',
  'series.max_volume',
  'series.max_chapter',
  'series.volumes_owned',
  'series.cover_version',
  'series.created_at',
  'series.updated_at',
] as const

export type ListedSeries = Pick<SeriesRow, Bare<(typeof seriesColumns)[number]> & keyof SeriesRow>
