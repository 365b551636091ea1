import type { ReadDb } from '../../../database/database.ts'
import type { ListedEntry } from '../../../formats/read-list.ts'
import { seriesNameKey } from '../../../platform/text/name-keys.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { chooseBook, type Match, numberOf } from './match.ts'
import { type CandidateBook, selectCandidates } from './queries.ts'

/** The book of each entry, in one statement for all of them. */
export const findBooks = async (
  db: ReadDb,
  viewer: Viewer | 'everybody',
  entries: readonly ListedEntry[],
): Promise<readonly Match<CandidateBook>[]> => {
  const searches = entries.map((entry) => ({ entry, key: seriesNameKey(entry.series), number: numberOf(entry.number) }))
  const values = searches.flatMap(({ number }) => number.value ?? [])
  const texts = searches.flatMap(({ number }) => number.text ?? [])
  const unnumbered = entries.some(({ number }) => number === null)
  const books = await selectCandidates(db, viewer, {
    keys: [...new Set(searches.map(({ key }) => key))],
    // An entry without a number means the only book there is.
    values: [...new Set(unnumbered ? [...values, 1] : values)],
    texts: [...new Set(texts)],
    unnumbered,
  })
  const byKey = Map.groupBy(books, ({ key }) => key)
  return searches.map(({ entry, key, number }) => {
    const hasNumber = (book: CandidateBook): boolean =>
      number.text !== null ? book.numberText === number.text : isNumber(book, number.value)
    return chooseBook(entry, (byKey.get(key) ?? []).filter(hasNumber))
  })
}

const isNumber = ({ number }: CandidateBook, value: number | null): boolean =>
  value === null ? number === null || number === 1 : number === value
