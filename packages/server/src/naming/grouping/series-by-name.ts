import { BoundedMap } from '../../platform/memory/bounded-map.ts'
import { foldWithoutSpelling } from '../../platform/text/sort-key.ts'
import { type BookName, bookTitle, parseBookName } from '../book-name.ts'
import { parseSeriesName } from '../series-name.ts'
import type { GroupedSeries } from './grouping-policy.ts'

/**
 * The series that the name of a file says; a book that says none is a series of its own. This follows from its name
 * alone, so that what lies beside it, and when it came, changes nothing: like names meet, and any other stays alone.
 */
export const seriesByName = (name: string, folder?: string): GroupedSeries => {
  const parsed = readBook(name, folder)
  const { seriesTitle, seriesYear, title } = parsed
  const ofFolder = folder === undefined ? undefined : parseSeriesName(folder).title
  const series = namedSeries(seriesTitle ?? title ?? ofFolder ?? bookTitle(name), seriesYear)
  if (!isNumbered(parsed)) return seriesTitle === null ? { ...series, isOneShot: true } : series
  return seriesTitle === null && title === null && folder === undefined ? { ...series, isNameless: true } : series
}

/** The same, among the books of these folders, none of which is a series: books are named by their own names alone, as they are grouped. */
export const seriesByNameIn = (folders: readonly string[], name: string): GroupedSeries => {
  if (folders.length === 0) return seriesByName(name)
  const { key, isNameless: _, ...series } = seriesByName(name)
  return { ...series, key: keyIn(folders, key), namedAfter: '' }
}

/** The series of books in a root whose names are numbers. Books there that say the name of the root themselves are in it too. */
export const seriesOfRoot = (rootName: string): GroupedSeries | undefined => {
  if (rootName === '') return undefined
  const { title, year } = parseSeriesName(rootName)
  return { ...namedSeries(title, year), ...(year !== null && { claims: { year } }) }
}

/** What is called alike in different folders is not the same. */
export const keyIn = (folders: readonly string[], key: string): string =>
  `${folders.map((folder) => `/${foldWithoutSpelling(folder) || folder.toLowerCase()}`).join('')}${key}`

/** A name with other case, accents or punctuation is the same series; with another year it is another one. */
export const namedSeries = (title: string, year: number | null = null): GroupedSeries => {
  const spelled = year === null ? title : `${title} ${year}`
  return { key: `/${foldWithoutSpelling(spelled) || spelled.toLowerCase()}`, title, path: null }
}

export const isNumbered = ({ volume, chapter, number, part, season }: BookName): boolean =>
  [volume, chapter, number, part, season].some((each) => each !== null)

/** Several policies may ask for the same name, one after the other, some of them without its folder; then books are named after it. */
export const readBook = (name: string, folder: string | undefined): BookName => {
  const key = `${folder ?? ''}/${name}`
  const cached = lately.get(key)
  if (cached) return cached
  const parsed = parseBookName(name, { folder })
  lately.set(key, parsed)
  return parsed
}

/** A scan groups some hundred books, and then names them. */
const lately = new BoundedMap<BookName>(1000)
