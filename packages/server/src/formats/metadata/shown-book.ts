/** What is shown of a book, to be written into its file. What only its series says stands for the book too. */
export interface ShownBook {
  readonly title: string | null
  readonly titleSort: string | null
  readonly subtitle: string | null
  readonly seriesTitle: string
  readonly seriesTitleSort: string | null
  /** Its series is more than the name of this one book. */
  readonly isOneOfSeries: boolean
  readonly number: string | null
  readonly volume: number | null
  readonly chapter: number | null
  /** There are so many of what its number counts. */
  readonly count: number | null
  readonly summary: string | null
  readonly year: number | null
  readonly month: number | null
  readonly day: number | null
  readonly publisher: string | null
  readonly imprint: string | null
  readonly language: string | null
  readonly ageRating: number | null
  readonly genres: readonly string[]
  readonly tags: readonly string[]
  readonly authors: readonly ShownAuthor[]
  readonly isbns: readonly string[]
  readonly links: readonly string[]
  readonly characters: readonly string[]
  readonly storyArc: string | null
  readonly storyArcs: readonly { readonly name: string; readonly number: string | null }[]
  readonly seriesGroups: readonly string[]
  readonly format: string | null
  readonly isBlackAndWhite: boolean | null
  readonly isManga: boolean | null
  readonly isRightToLeft: boolean
  /** 1 to 100. */
  readonly rating: number | null
  readonly pageCount: number
}

export interface ShownAuthor {
  readonly name: string
  readonly role: string | null
  readonly sortName: string | null
}
