import { foldWithoutSpelling } from '../../platform/sort-key.ts'
import { type BookName, bookTitle, parseBookName } from '../book-name.ts'
import { parseSeriesName } from '../series-name.ts'
import type { SeriesPlace } from './grouping-policy.ts'

/**
 * The series that the name of a file says; a book that says none is a series of its own. This follows from its name
 * alone, so that what lies beside it, and when it came, changes nothing: like names meet, and any other stays alone.
 */
export const seriesByName = (name: string, folder?: string): SeriesPlace => {
  const said = readBook(name, folder)
  const { seriesTitle, seriesYear, title } = said
  const ofFolder = folder === undefined ? undefined : parseSeriesName(folder).title
  const place = namedSeries(seriesTitle ?? title ?? ofFolder ?? bookTitle(name), seriesYear)
  return isNumbered(said) || seriesTitle !== null ? place : { ...place, isOneShot: true }
}

/** The same, among the books of these folders. */
export const seriesByNameIn = (folders: readonly string[], name: string): SeriesPlace => {
  const { key, ...place } = seriesByName(name)
  return { ...place, key: keyIn(folders, key) }
}

/** What is called alike in different folders is not the same. */
export const keyIn = (folders: readonly string[], key: string): string =>
  `${folders.map((folder) => `/${foldWithoutSpelling(folder) || folder.toLowerCase()}`).join('')}${key}`

/** A name with other case, accents or punctuation is the same series; with another year it is another one. */
export const namedSeries = (title: string, year: number | null = null): SeriesPlace => {
  const spelled = year === null ? title : `${title} ${year}`
  return { key: `/${foldWithoutSpelling(spelled) || spelled.toLowerCase()}`, title, path: null }
}

export const isNumbered = ({ volume, chapter, number, part, season }: BookName): boolean =>
  [volume, chapter, number, part, season].some((each) => each !== null)

/** Several policies may ask for the same name, one after the other, some of them without its folder. */
export const readBook = (name: string, folder: string | undefined): BookName => {
  const asked = `${folder ?? ''}/${name}`
  const known = lately.get(asked)
  if (known) return known
  if (lately.size >= latelyMax) lately.clear()
  const said = parseBookName(name, { folder })
  lately.set(asked, said)
  return said
}

const lately = new Map<string, BookName>()
const latelyMax = 8
