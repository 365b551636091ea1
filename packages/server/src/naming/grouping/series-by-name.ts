import { foldWithoutSpelling } from '../../platform/sort-key.ts'
import { bookTitle, parseBookName } from '../book-name.ts'
import { parseSeriesName } from '../series-name.ts'
import type { SeriesPlace } from './grouping-policy.ts'

/** The series that the name of a file says; a book that says none is a series of its own. */
export const seriesByName = (name: string, folder?: string): SeriesPlace => {
  const { seriesTitle, seriesYear, title } = parseBookName(name, { folder })
  const ofFolder = folder === undefined ? undefined : parseSeriesName(folder).title
  return namedSeries(seriesTitle ?? title ?? ofFolder ?? bookTitle(name), seriesYear)
}

/** A name with other case, accents or punctuation is the same series; with another year it is another one. */
export const namedSeries = (title: string, year: number | null = null): SeriesPlace => {
  const spelled = year === null ? title : `${title} ${year}`
  return { key: `/${foldWithoutSpelling(spelled) || spelled.toLowerCase()}`, title, path: null }
}
