interface Rating {
  user_id: string
  id: string
  /** 1 to 100. */
  rating: number
  notes: string | null
  created_at: string
  updated_at: string
}

export interface RatingTables {
  series_rating: Rating & { series_id: string }
  book_rating: Rating & { book_id: string }
}
