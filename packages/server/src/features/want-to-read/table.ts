export interface WantToReadTables {
  /** A row belongs to a user and names either a series or a book. */
  want_to_read: {
    id: string
    user_id: string
    series_id: string | null
    book_id: string | null
    position: number
    added_at: string
  }
}
