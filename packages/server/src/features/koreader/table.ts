import type { Flag } from '../../database/flag.ts'

export interface KoreaderTables {
  /** It holds the last position of each device in a document, as the device sent it. */
  koreader_document: {
    user_id: string
    /** KOReader knows the document by a digest of its bytes, or of its file name. */
    document: string
    device_id: string
    device: string
    progress: string
    percentage: number
    /** It is JSON: file name, title and authors, where the device sent them. */
    metadata: string | null
    at: string
    /** It is the entry in the log of the book; null while no book the user sees has this digest. */
    entry_id: string | null
  }
  /** Rows of the statistics of KOReader: how long one page was looked at. */
  koreader_page_time: {
    user_id: string
    document: string
    /** KOReader counts in seconds. */
    start_time: number
    page: number
    duration: number
    total_pages: number
    /** It is in the log of a book. */
    is_taken: Flag
  }
  /** Files that KOReader keeps here for itself. */
  koreader_file: {
    user_id: string
    path: string
    bytes: Buffer
    size: number
    etag: string
    modified_at: string
  }
  /** It holds the result of the statistics uploaded last. */
  koreader_intake: {
    user_id: string
    etag: string
    at: string
    /** Null: it was read. */
    fault: string | null
    page_times: number
  }
}
