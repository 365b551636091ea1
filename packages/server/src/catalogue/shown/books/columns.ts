import { fieldsOfBooks } from '@carrel/api'
import { fieldColumns } from '../../../database/field-columns.ts'
import type { GroupedSeries } from '../../../naming/grouping/grouping-policy.ts'
import type { Slot } from '../../../naming/book-order.ts'
import type { BookShown } from '../../metadata/metadata.ts'
import { writersOf } from '../../terms/terms.ts'
import type { DecidedNames } from './layers.ts'
import { bookNamesOf, type FilePath, type NamingRules } from './names.ts'
import type { BookTables } from '../table.ts'

export const bookFieldColumns = fieldColumns(fieldsOfBooks)

type BookRow = BookTables['book']

/** A book with all that is said of it, before it is worked out what is shown. */
export interface BookToDescribe {
  readonly file: Pick<BookRow, 'series_id' | 'analysed' | 'format' | 'page_count'> & { readonly book_id: string }
  readonly fields: Partial<BookShown>
  /** What people say of its age. */
  readonly ageRatingByPeople: number | null
  readonly decided: DecidedNames
  readonly path: FilePath
  readonly series: GroupedSeries
}

/** What opening a book has told of its content. */
export type ReadContent = Readonly<{ format: BookRow['format']; pageCount: number }>

interface Standing {
  readonly seriesId: string
  readonly slot?: Slot | undefined
  readonly analysis: ReadContent | undefined
  readonly now: Date
}

/** The columns of a book that follow from its layers, its path and its content. */
export const describedColumns = (
  rules: NamingRules,
  { file, fields, ageRatingByPeople, decided, path, series }: BookToDescribe,
  { seriesId, slot, analysis, now }: Standing,
) => {
  const isNamedAsBefore = file.analysed === 0 && analysis && seriesId === file.series_id && !saysHowItIsCalled(fields)
  return {
    id: file.book_id,
    ...(!isNamedAsBefore && {
      series_id: seriesId,
      ...bookNamesOf(rules, path, { ...fields, decided }, { series, slot }),
    }),
    ...bookFieldColumns.of(fields),
    own_age_rating: fields.ageRating ?? null,
    said_age_rating: ageRatingByPeople,
    released: releaseDateOf(fields),
    format: analysis?.format ?? file.format,
    page_count: analysis?.pageCount ?? file.page_count,
    analysed: analysis ? (1 as const) : file.analysed,
    metadata: JSON.stringify(fields),
    writers: writersOf(fields.authors),
    updated_at: now.toISOString(),
  }
}

/** It returns the date as far as it is known: a year, a month or a day. */
export const releaseDateOf = ({ year, month, day }: Partial<BookShown>): string | null => {
  if (year === undefined) return null
  const parts = [String(year).padStart(4, '0')]
  if (month !== undefined) parts.push(String(month).padStart(2, '0'))
  if (month !== undefined && day !== undefined) parts.push(String(day).padStart(2, '0'))
  return parts.join('-')
}

/** Without any of these the name of the file decides, as it did when the book was listed. */
const saysHowItIsCalled = (fields: Partial<BookShown>): boolean =>
  [
    fields.title,
    fields.titleSort,
    fields.volume,
    fields.chapter,
    fields.number,
    fields.numberSort,
    fields.isSpecial,
  ].some((each) => each !== undefined)
