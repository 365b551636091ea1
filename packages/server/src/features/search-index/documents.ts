import type { ReadDb, WriteDb } from '../../database/database.ts'
import type { BookFields, SeriesFields } from '../../formats/book-format.ts'
import {
  type Document,
  insertWords,
  saveDocuments,
  type SearchTarget,
  selectBookTexts,
  selectNames,
  selectSeriesTexts,
  type StoredDocument,
} from './queries.ts'
import { indexedWords, isForgiven, joinedWords, searchText, withoutOneLetter } from './words.ts'

/**
 * Brings what these are found by up to date, in the transaction that has changed them; answers how many were not. What
 * is deleted needs no word: it goes with its row.
 */
export const indexDocuments = async (db: WriteDb, target: SearchTarget, ids: readonly string[]): Promise<number> => {
  const stale = await staleDocuments(db, target, ids)
  if (stale.length === 0) return 0
  await insertWords(db, spellingsOf(stale))
  await saveDocuments(db, target, stale)
  return stale.length
}

/** As they should be, where they are not. */
export const staleDocuments = async (
  db: ReadDb,
  target: SearchTarget,
  ids: readonly string[],
): Promise<readonly Document[]> =>
  (ids.length === 0 ? [] : await documentsOf(db, target, ids)).flatMap(({ now, before }) =>
    now.title === before.found_title && now.words === before.found_words ? [] : [now],
  )

interface Compared {
  readonly now: Document
  readonly before: StoredDocument
}

const documentsOf = async (db: ReadDb, target: SearchTarget, ids: readonly string[]): Promise<readonly Compared[]> => {
  switch (target) {
    case 'series':
      return (await selectSeriesTexts(db, ids)).map((row) => {
        const { authors = [], alternateTitles = [] } = JSON.parse(row.metadata) as SeriesFields
        const titles = [row.title, row.title_sort, ...alternateTitles.map(({ title }) => title), row.name]
        return compared(row, { titles, others: [row.publisher, ...authors.map(({ name }) => name)] })
      })
    case 'book':
      return (await selectBookTexts(db, ids)).map((row) => {
        const { authors = [], subtitle, publisher } = JSON.parse(row.metadata) as BookFields
        const titles = [row.title, row.title_sort, subtitle, row.series_title]
        const fileName = row.file_name?.replace(/\.[^.]{1,8}$/, '')
        return compared(row, { titles, others: [...authors.map(({ name }) => name), publisher, fileName] })
      })
    case 'term':
    case 'collection':
    case 'read_list':
      return (await selectNames(db, target, ids)).map((row) => compared(row, { titles: [row.title], others: [] }))
  }
}

type Text = string | null | undefined

const compared = (
  row: StoredDocument & { readonly id: string; readonly title: string },
  { titles, others }: { readonly titles: readonly Text[]; readonly others: readonly Text[] },
): Compared => {
  const known = titles.filter(isGiven)
  const words = indexedWords([...known, ...known.flatMap(joinedWords), ...others.filter(isGiven)])
  return { now: { id: row.id, title: searchText(row.title), words: [...words].join(' ') }, before: row }
}

const isGiven = (text: Text): text is string => typeof text === 'string' && text !== ''

/** Shorter ones are found by their beginning without being asked for. */
const spelledOutFrom = 7

const spellingsOf = (documents: readonly Document[]): ReadonlyMap<string, readonly string[]> => {
  const words = new Set(documents.flatMap((document) => document.words.split(' ')))
  return new Map(
    [...words]
      .filter((word) => word.length >= spelledOutFrom || isForgiven(word))
      .map((word) => [word, isForgiven(word) ? [word, ...withoutOneLetter(word)] : [word]]),
  )
}
