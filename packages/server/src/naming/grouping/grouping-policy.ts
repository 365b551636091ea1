/** It decides which books of a library form one series. */
export interface GroupingPolicy {
  /** The path is that of a file below the root of its library, with slashes. */
  seriesOf(relativePath: string, hints?: GroupingHints): GroupedSeries
}

export interface GroupingHints {
  /** The book itself states this as its series. */
  readonly metadataSeries?: string | undefined
  /** The book itself states this as the year in which that series began. */
  readonly metadataYear?: number | undefined
}

/** The series a file belongs to. */
export interface GroupedSeries {
  /**
   * The same for the same file at every scan, and one for each series of a root. A folder's is its path; that of a series
   * without a folder of its own begins with a slash, as no path below a root does.
   */
  readonly key: string
  readonly title: string
  /** The folder that is the series, if one is. */
  readonly path: string | null
  /** The volume that a folder inside the series says. */
  readonly volumeHint?: number
  /** The folder by whose name that of the book is read, where it is another than the one the book lies in. */
  readonly namedAfter?: string
  readonly claims?: PathClaims
  /** By its path alone the book belongs to no series. */
  readonly isOneShot?: true
  /** The book lies in the root, and its name is a number: only the root could say the series. */
  readonly isNameless?: true
}

/** What a path says besides the series. */
export interface PathClaims {
  readonly publisher?: string
  readonly imprint?: string
  readonly author?: string
  /** The names of the folders above the series, from the root down, where nobody has said what they are. */
  readonly above?: readonly string[]
  readonly year?: number
  readonly language?: string
  /** These are of the book, and go before what the name of its file says. */
  readonly volume?: number
  readonly chapter?: number
  readonly number?: string
  readonly title?: string
  /** The folder holds what stands beside the order of the series. */
  readonly isSpecial?: true
}

/** The names on a path, from the root down. */
export const namesOnPath = (relativePath: string): readonly string[] =>
  relativePath.split('/').filter((name) => name !== '' && name !== '.')
