import type { BookMatchType, SeriesMatchType } from '@carrel/api'
import type { Flag } from '../../database/flag.ts'

interface MemberColumns {
  group_id: string
  /** A user who saw the group has said that its members are no duplicates. */
  dismissed: Flag
  joined_at: string
}

export interface DuplicateTables {
  /** It holds the keys by which series were compared in the last search. */
  series_match_key: {
    series_id: string
    match_type: SeriesMatchType
    /** Keys are compared within this scope: a library for titles, everywhere (empty) for the ids of other services. */
    scope: string
    key: string
    /** The title it is shown by, none of its other ones. */
    is_title: Flag
    /** `updated_at` of the series as it was then. */
    seen_at: string
  }
  duplicate_group: {
    id: string
    match_type: SeriesMatchType | BookMatchType
    scope: string
    key: string
    created_at: string
  }
  duplicate_series: MemberColumns & { series_id: string }
  duplicate_book: MemberColumns & { book_id: string }
}
