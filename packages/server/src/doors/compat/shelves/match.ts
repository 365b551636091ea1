import type { CompatListMatch } from '@carrel/api/doors'
import type { ListMatches } from '../../../features/read-lists/read-lists.ts'
import { AppError, invalid } from '../../../platform/errors.ts'
import type { Spelling } from '../spelling.ts'

type Matched = ListMatches['entries'][number]

/**
 * It shows the entries of a `.cbl` file and the books found for them, as these applications offer them for choosing.
 */
export const toCompatMatch = (
  { name, nameIsTaken, entries }: ListMatches,
  { outId }: Pick<Spelling, 'outId'>,
): CompatListMatch => ({
  readListMatch: { name, errorCode: nameIsTaken ? 'ERR_1009' : '' },
  requests: entries.map(({ entry, books }) => ({
    request: { series: namesOf(entry), number: entry.number ?? '' },
    matches: [...Map.groupBy(books, ({ seriesId }) => seriesId).values()].map((books) => matchOf(books, outId)),
  })),
  errorCode: '',
})

/** They write the volume behind the name, where there is one. */
const namesOf = ({ series, volume }: Matched['entry']): string[] =>
  volume === null ? [series] : [`${series} (${volume})`, series]

const matchOf = (books: Matched['books'], outId: Spelling['outId']) => {
  const { seriesId = '', seriesName = '', year = null } = books[0] ?? {}
  return {
    series: { seriesId: outId(seriesId), title: seriesName, releaseDate: firstDayOf(year) },
    books: books.map(({ bookId, title, numberShown }) => ({ bookId: outId(bookId), number: numberShown ?? '', title })),
  }
}

const firstDayOf = (year: number | null): string | null =>
  year === null ? null : `${String(year).padStart(4, '0')}-01-01`

/** They know one answer to a file that is no list. */
export const withListRefusal = async <Result>(work: Promise<Result>): Promise<Result> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof AppError && error.code === 'damaged_file') throw invalid('file', error.message)
    throw error
  }
}
