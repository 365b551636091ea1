import type { Generated } from 'kysely'
import type { Flag } from '../../database/flag.ts'
import type { FaultCode } from '../../formats/book-format.ts'

export interface ScanTables {
  /** The bytes of a book, where they were last seen. */
  file: {
    id: string
    book_id: string
    library_id: string
    root_id: string
    /** Relative to the root, with a slash at its end; empty for the root itself. */
    folder: string
    name: string
    size: number
    modified_us: number
    changed_us: number
    inode: number
    device: number
    is_folder: Flag
    state: 'present' | 'missing'
    analysis: 'pending' | 'done' | 'failed' | 'quarantined'
    /** When somebody wanted to see it before it was analysed; empty: nobody did. */
    wanted_at: string
    fault_code: FaultCode | null
    fault_message: string | null
    fault_at: string | null
    /** How many decoders it has ended. */
    crashes: number
    /** JSON. */
    warnings: string | null
    file_hash: string | null
    content_hash: string | null
    pages_hash: string | null
    koreader_hash: string | null
    /** MD5 of the name in hex, by which KOReader may know it. */
    name_hash: string | null
    created_at: string
    updated_at: string
    /** People want this one of the files of its book to be read, whatever would be chosen by itself. */
    is_chosen: Generated<Flag>
  }
  /** Every fingerprint a book ever had, for ever. */
  book_fingerprint: { kind: 'file' | 'content' | 'pages' | 'koreader'; value: string; book_id: string; at: string }
  /** A file beside books that says something of them. */
  sidecar: {
    id: string
    root_id: string
    folder: string
    name: string
    size: number
    modified_us: number
    changed_us: number
    inode: number
    device: number
  }
  scan: {
    id: string
    library_id: string
    /** Scans of a library are numbered in the order in which they were asked for, whatever the clock said. */
    number: number
    task_id: string | null
    mode: 'changes' | 'full'
    /** JSON. */
    paths: string | null
    status: 'pending' | 'processing' | 'held' | 'completed' | 'completed_with_errors' | 'failed' | 'cancelled'
    phase: 'walking' | 'applying' | 'analysing' | 'covers' | null
    files_total: number
    files_processed: number
    books_added: number
    books_updated: number
    books_moved: number
    books_missing: number
    books_restored: number
    series_added: number
    error_count: number
    /** JSON, at most 100. */
    errors: string
    /** JSON: series that have left books behind which are not placed yet; null: none. */
    divided: string | null
    started_at: string | null
    completed_at: string | null
    created_at: string
  }
  /** Removals that wait for somebody's word; one set for each library. */
  held_change: {
    id: string
    library_id: string
    scan_id: string
    reason: 'root_unavailable' | 'root_empty' | 'root_changed' | 'walk_error' | 'threshold' | 'folder_emptied'
    held_at: string
    vanishing: number
    of_books: number
    /** JSON, at most 100. */
    folders: string
  }
  held_book: { held_id: string; book_id: string }
  /** What another grouping would move has been shown. */
  scan_preview: { id: string; library_id: string; grouping: string; created_at: string }
  /** A missing book and a present one with the same content, both with a history. */
  relink: {
    id: string
    library_id: string
    missing_book_id: string
    present_book_id: string
    status: 'offered' | 'refused'
    at: string
  }
}
