/** What decides about who sees a book, but for the tags of its series. */
export interface BookStanding {
  readonly libraryId: string
  readonly seriesId: string
  readonly ageRating: number | null
}

/** A known book, as it stood, and where it stands now. */
export interface BookMove {
  readonly id: string
  readonly before: BookStanding
  readonly libraryId: string
  readonly seriesId: string
  /** It goes back to where it was, or has only waited where its name alone had put it. */
  readonly isNoMove?: boolean
}

/** How a row of a book stands. */
export const standingOf = (row: {
  readonly library_id: string
  readonly series_id: string
  readonly age_rating: number | null
}): BookStanding => ({ libraryId: row.library_id, seriesId: row.series_id, ageRating: row.age_rating })
