/** The address of the page says which metadata is searched. */
export interface MatchSearch {
  readonly plugin?: string | undefined
  readonly q?: string | undefined
  readonly candidate?: string | undefined
  readonly match?: string | undefined
}

export interface QueueSearch {
  readonly page?: number | undefined
  readonly library?: string | undefined
  /** Absent: of series. */
  readonly of?: 'book' | undefined
}
