import { type RawBuilder, sql } from 'kysely'
import { type Sight, visibleTo } from '../visibility/visibility.ts'

const hasNumber = sql<number>`case when book.number_text is null and book.volume is null and book.chapter is null
  then 0 else 1 end`

/** Said to be a one-shot, or called like its series without a number. */
const isWhole = sql<number>`case when lower(book.book_type) = 'oneshot' or (${hasNumber} = 0
  and (book.sort_key = series.sort_key or book.title_text = series.title_text)) then 1 else 0 end`

/** Only such a series can have been made for one book by its grouping; of others nobody need look. */
const isMaybeMadeForOne = sql`(series.path is null or library.grouping like '%"policy":"calibre"%')`

/** The only book of its series that is seen, as far as it may be a one-shot. */
const isOnlyBook = (sight: Sight | undefined): RawBuilder<number> => {
  const bookCount = sight
    ? sql`(select count(*) from book where book.series_id = series.id and book.state = 'present'
        and ${visibleTo(sight, 'book')})`
    : sql`series.book_count`
  return sql`case when (${isWhole} = 1 or ${isMaybeMadeForOne}) and book.state = 'present' and ${bookCount} = 1
    then 1 else 0 end`
}

/** A statement over `book`, its `series`, `file` and `library` selects these to know which books are one-shots. */
export const oneShotColumns = (sight: Sight | undefined) =>
  [
    sql<string | null>`library.grouping`.as('grouping'),
    sql<string | null>`series.key`.as('series_key'),
    sql<string | null>`file.folder`.as('folder'),
    sql<string | null>`file.name`.as('file_name'),
    hasNumber.as('has_number'),
    isWhole.as('is_whole'),
    isOnlyBook(sight).as('is_only'),
  ] as const

export interface MaybeOneShot {
  readonly grouping: string | null
  readonly series_key: string | null
  readonly folder: string | null
  readonly file_name: string | null
  readonly has_number: number
  readonly is_whole: number
  readonly is_only: number
}
