/** It decides which books of a library form one series. */
export interface GroupingPolicy {
  readonly name: string
  /** The path is that of a file below the root of its library, with slashes. */
  seriesOf(relativePath: string, hints?: GroupingHints): SeriesPlace
}

interface GroupingHints {
  /** The book itself states this as its series. */
  readonly metadataSeries?: string | undefined
}

/** The series a file belongs to. */
export interface SeriesPlace {
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
}

/** The names on a path, from the root down. */
export const namesOnPath = (relativePath: string): readonly string[] =>
  relativePath.split('/').filter((name) => name !== '' && name !== '.')
