import type { Flag } from '../../database/flag.ts'

export interface KoreaderTables {
  /** What each device said last of a document, as it said it. */
  koreader_document: {
    user_id: string
    /** What KOReader knows it by: a digest of its bytes, or of its file name. */
    document: string
    device_id: string
    device: string
    progress: string
    percentage: number
    /** JSON: file name, title and authors, where the device told them. */
    metadata: string | null
    at: string
    /** Where it stands in the log of its book; null: no book the user sees is known by it yet. */
    fact_id: string | null
  }
  /** Rows of the statistics of KOReader: how long one page was looked at. */
  koreader_page_time: {
    user_id: string
    document: string
    /** In seconds, as KOReader counts. */
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
  /** What became of the statistics that came last. */
  koreader_intake: {
    user_id: string
    etag: string
    at: string
    /** Null: it was read. */
    fault: string | null
    page_times: number
  }
}
