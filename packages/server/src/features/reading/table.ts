import type { FileFormat } from '@carrel/api'
import type { Flag } from '../../database/flag.ts'

/** These are the figures that can be added up. */
export interface Figures {
  sessions: number
  measured_ms: number
  inferred_ms: number
  pages: number
  without_duration: number
  without_pages: number
  completions: number
  /** Only sessions with both a time and pages count here. */
  paced_ms: number
  paced_pages: number
  /** Books that were read for the first time. */
  begun: number
}

export interface ReadingTables {
  /**
   * The log: what devices said, as they said it. Rows are added, and go with their user; everything below but
   * `removed_completion`, `stated_completion` and `device` can be made from it again (decision 018).
   */
  reading_log: {
    user_id: string
    /** The client's where it gave one: unique for its user, not beyond. */
    id: string
    book_id: string
    /** The name is that of the time: statistics still name what is deleted. */
    series_id: string
    series_name: string
    library_id: string
    format: FileFormat
    kind: 'progress' | 'completed' | 'reset'
    source: 'put' | 'session' | 'progression' | 'mark' | 'restore' | 'import' | 'opds' | 'compatibility' | 'koreader'
    started_at: string
    /** When it counts as said; with the id, the order of the fold. */
    at: string
    /** It is the time on the client's clock, where that differs. */
    said_at: string | null
    recorded_at: string
    device_id: string
    /** The client measured it. */
    active_ms: number | null
    pages_read: number | null
    page: number | null
    /** 0 to 1. */
    percentage: number | null
    /** It is the page count the book had then; null when that was not known. */
    page_count: number | null
    /** It ends the book: said so, or by its position. */
    finishes: Flag
    /** The user chose this very state: nothing is held against it. */
    outright: Flag
    /** JSON: a Readium locator. */
    locator: string | null
  }
  /** It says how far the log of one user and book is folded. */
  reading_head: {
    user_id: string
    book_id: string
    at: string
    entry_id: string
    /** Entries since the last snapshot. */
    unsaved: number
    /** JSON. */
    state: string
    /** The stretch of time in which sessions and figures have still to be counted from the log; null when they are. */
    uncounted_from: string | null
    uncounted_to: string | null
    /** 1: what shows of it has changed meanwhile, and nobody who listens has been told. */
    untold: Flag | null
  }
  /** The fold in between, so that an entry that comes late needs no fold from the beginning. */
  reading_snapshot: { user_id: string; book_id: string; at: string; entry_id: string; state: string }
  /** It holds the position of a user in a book. */
  read_progress: {
    user_id: string
    book_id: string
    entry_id: string
    device_id: string
    /** It is the page the client sent, in a book of `page_count` pages. */
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
  /** It holds completions that a user has removed. */
  removed_completion: { user_id: string; id: string; book_id: string }
  /**
   * It holds completions for which a user has given the time: read elsewhere, long ago, or on another day than the log
   * says.
   */
  stated_completion: {
    user_id: string
    id: string
    book_id: string
    series_id: string
    series_name: string
    library_id: string
    format: FileFormat
    started_at: string
    completed_at: string
  }
  /**
   * It holds what the figures count, made from the log: sessions, and completions that belong to no session (decision
   * 024).
   */
  reading_session: {
    user_id: string
    id: string
    book_id: string
    series_id: string
    series_name: string
    format: FileFormat
    device_id: string
    started_at: string
    ended_at: string
    is_session: Flag
    finishes: Flag
    /** Nothing counts in the book before it. */
    begins: Flag
    measured_ms: number | null
    inferred_ms: number
    /** It is JSON: the pages a client reported; null when none. */
    claims: string | null
    /** It counts pages that had not been read before. */
    pages: number | null
    /** JSON: which pages of the book are read by then. */
    coverage: string
    completions: number
  }
  /** Sums of them over a day, week, month or year as `figure_zone` has them, and of series over all that was ever read. */
  reading_figure: Figures & {
    user_id: string
    subject: 'all' | 'format' | 'device' | 'series' | 'book'
    scale: 'day' | 'week' | 'month' | 'year' | 'ever'
    /** The first day; empty: ever. */
    start: string
    /** Format, device, series or book; empty: all. */
    subject_id: string
    /** For a book it is the series the book was in then; for a series it is itself; otherwise it is empty. */
    series_id: string
    /** It is the name the series had. */
    name: string | null
  }
  /** It holds the time zone in whose days the sums of a user are kept. */
  figure_zone: {
    user_id: string
    zone: string
    /** Only sessions up to this position are in the sums so far; null when all are. */
    built_start: string | null
    built_id: string | null
  }
  /** It holds what the nightly comparison with the log has found and repaired. */
  reading_repair: { id: string; at: string; user_id: string; books: number; figures: Flag }
  /** A history on its way in, or what became of it. */
  reading_import: {
    id: string
    user_id: string
    created_at: string
    completed_at: string | null
    task_id: string | null
    total: number
    /** JSON. */
    report: string
    /** Its entries up to here are in the log. */
    done: number
  }
  reading_import_part: { import_id: string; place: number; entries: string }
  /** Entries that were said of `book_id`, before it became part of the book they stand with now. */
  refiled_entry: { merge_id: string; user_id: string; id: string; book_id: string }
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
  /** It holds the devices a user reads with. */
  device: {
    user_id: string
    id: string
    /** The device gives itself this name. */
    name: string | null
    last_used_at: string
    /** Its user gives it this name. */
    given_name: string | null
    /** The device that stands for this one: what comes from this comes from that. */
    merged_into: string | null
  }
}
