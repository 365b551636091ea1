import type { FileFormat } from '@carrel/api'
import type { Flag } from '../../database/flag.ts'

export interface ReadingTables {
  /**
   * The log: what devices said, as they said it. Rows are added, and go with their user; everything below but
   * `removed_completion` and `device` can be made from it again (decision 018).
   */
  reading_session: {
    user_id: string
    /** The client's where it gave one: unique for its user, not beyond. */
    id: string
    book_id: string
    /** As they were: statistics still name what is gone. */
    series_id: string
    series_name: string
    library_id: string
    format: FileFormat
    kind: 'progress' | 'completed' | 'reset'
    source: 'put' | 'session' | 'progression' | 'mark' | 'restore' | 'import' | 'opds' | 'compatibility' | 'koreader'
    started_at: string
    /** When it counts as said; with the id, the order of the fold. */
    at: string
    /** What the client's clock said, where that is another time. */
    said_at: string | null
    recorded_at: string
    device_id: string
    /** Measured by the client. */
    active_ms: number | null
    pages_read: number | null
    page: number | null
    /** 0 to 1. */
    percentage: number | null
    /** Of the book as it was then; null when that was not known. */
    page_count: number | null
    /** It ends the book: said so, or by its position. */
    finishes: Flag
    /** The user chose this very state: nothing is held against it. */
    outright: Flag
    /** JSON: a Readium locator. */
    locator: string | null
  }
  /** How far the log of one user and book is folded. */
  reading_head: {
    user_id: string
    book_id: string
    at: string
    fact_id: string
    /** Facts since the last snapshot. */
    unsaved: number
    /** JSON. */
    state: string
  }
  /** The fold in between, so that a fact that comes late needs no fold from the beginning. */
  reading_snapshot: { user_id: string; book_id: string; at: string; fact_id: string; state: string }
  /** Where a user stands in a book. */
  read_progress: {
    user_id: string
    book_id: string
    fact_id: string
    device_id: string
    /** As said, in a book of `page_count` pages. */
    page: number | null
    percentage: number | null
    page_count: number | null
    completed: Flag
    /** Completed, and opened again past its first pages. */
    rereading: Flag
    started_at: string
    updated_at: string
    completed_at: string | null
  }
  /** One for each time a book was read to its end. */
  read_completion: { user_id: string; id: string; book_id: string; started_at: string; completed_at: string }
  /** Those a user does not want to see any more. */
  removed_completion: { user_id: string; id: string; book_id: string }
  /** Facts that were said of `book_id`, before it became part of the book they stand with now. */
  refiled_fact: { merge_id: string; user_id: string; id: string; book_id: string }
  /** Counts over the present books of a series. */
  series_progress: {
    user_id: string
    series_id: string
    read_count: number
    in_progress_count: number
    last_read_at: string
    /** The first that has not been opened, where one has been finished and none is open. */
    next_book_id: string | null
  }
  /** What a user reads with. */
  device: {
    user_id: string
    id: string
    /** As it calls itself. */
    name: string | null
    last_used_at: string
    /** As its user calls it. */
    given_name: string | null
    /** The device that stands for this one: what comes from this comes from that. */
    merged_into: string | null
  }
}
