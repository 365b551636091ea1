export interface MergingTables {
  merge: {
    id: string
    entity: 'series' | 'book'
    library_id: string
    /** The one that stayed. */
    into_id: string
    at: string
    by_user_id: string | null
    undone_at: string | null
  }
  /** What a merge has changed, as it was before; in the order in which it was kept. */
  merge_row: {
    merge_id: string
    number: number
    kind: string
    /** Whose it was: it goes with them. */
    user_id: string | null
    /** JSON. */
    content: string
  }
  /** Books that came into a series with one that has become part of it. */
  merged_series_book: { merge_id: string; book_id: string; series_id: string }
  /** Books that have become part of another one. They are hidden; their files are known to every scan. */
  book_merge: { book_id: string; into_book_id: string; merge_id: string }
}
