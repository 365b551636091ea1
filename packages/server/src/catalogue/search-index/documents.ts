import type { ReadDb, WriteDb } from '../../database/database.ts'
import { dialectOf } from '../../database/transaction.ts'
import type { BookFields, SeriesFields } from '../../formats/book-format.ts'
import {
  type Document,
  insertSpellings,
  saveDocuments,
  type SearchTarget,
  selectBookTexts,
  selectIndexedWords,
  selectNames,
  selectSeriesTexts,
  type Spelling,
  type StoredDocument,
} from './queries.ts'
import { insertWordEndings, selectUnknownTextWords, type WordEnding } from './by-words/queries.ts'
import { endingsOf, spelledWordsIn, wordsOfTexts } from './by-words/words.ts'
import { indexedWords, isForgiven, joinedWords, searchText, withoutOneLetter } from './words.ts'

/**
 * Brings what these are found by up to date, in the transaction that has changed them; answers how many were not. What
 * is deleted needs no word: it goes with its row.
 */
export const indexDocuments = async (db: WriteDb, target: SearchTarget, ids: readonly string[]): Promise<number> => {
  const { stale } = await compareDocuments(db, target, ids)
  if (stale.length === 0) return 0
  // What is known now stays known until these are there to use it.
  await dialectOf(db).turns.inCompany(db)
  await insertSpellings(db, await newSpellings(db, stale))
  await insertWordEndings(db, await newWordEndings(db, stale))
  await saveDocuments(db, target, stale)
  return stale.length
}

/** It returns the documents that are not as they should be, and those that are. */
export const compareDocuments = async (
  db: ReadDb,
  target: SearchTarget,
  ids: readonly string[],
): Promise<{ stale: readonly Document[]; good: readonly Document[] }> => {
  const all = ids.length === 0 ? [] : await documentsOf(db, target, ids)
  const isGood = ({ now, before }: Compared): boolean =>
    now.title === before.found_title &&
    now.words === before.found_words &&
    (now.textWords === undefined || now.textWords === before.found_text_words)
  const nowOf = (each: readonly Compared[]): readonly Document[] => each.map(({ now }) => now)
  return { stale: nowOf(all.filter((each) => !isGood(each))), good: nowOf(all.filter(isGood)) }
}

interface Compared {
  readonly now: Document
  readonly before: StoredDocument
}

const documentsOf = async (db: ReadDb, target: SearchTarget, ids: readonly string[]): Promise<readonly Compared[]> => {
  switch (target) {
    case 'series':
      return (await selectSeriesTexts(db, ids)).map((row) => ({ now: seriesDocument(row), before: row }))
    case 'book':
      return (await selectBookTexts(db, ids)).map((row) => ({ now: bookDocument(row), before: row }))
    case 'term':
    case 'collection':
    case 'read_list':
      return (await selectNames(db, target, ids)).map((row) => ({ now: nameDocument(row), before: row }))
  }
}

type SeriesTexts = Omit<Awaited<ReturnType<typeof selectSeriesTexts>>[number], keyof StoredDocument>
type BookTexts = Omit<Awaited<ReturnType<typeof selectBookTexts>>[number], keyof StoredDocument>

type PartTexts = 'part_metadata' | 'part_publisher' | 'part_title' | 'part_title_sort'

export const seriesDocument = (row: Omit<SeriesTexts, PartTexts> & Partial<Pick<SeriesTexts, PartTexts>>): Document => {
  const {
    authors = [],
    alternateTitles = [],
    originalTitle,
  } = JSON.parse(row.part_metadata ?? row.metadata) as SeriesFields
  const isInPart = row.part_metadata != null
  const publisher = isInPart ? row.part_publisher : row.publisher
  const title = row.part_title ?? row.title
  const titles = [
    title,
    isInPart ? row.part_title_sort : row.title_sort,
    originalTitle,
    ...alternateTitles.map(({ title }) => title),
    row.name,
  ]
  return documentOf({ id: row.id, title }, { titles, others: [publisher, ...authors.map(({ name }) => name)] })
}

export const bookDocument = (row: BookTexts): Document => {
  const { authors = [], subtitle, originalTitle, publisher, isbns = [] } = JSON.parse(row.metadata) as BookFields
  const titles = [row.title, row.title_sort, subtitle, originalTitle, row.series_title]
  const fileName = row.file_name?.replace(/\.[^.]{1,8}$/, '')
  const others = [...isbns, ...authors.map(({ name }) => name), publisher, fileName]
  const texts = { title: row.title_text, path: row.path_text, summary: row.summary_text }
  return { ...documentOf(row, { titles, others }), textWords: wordsOfTexts(texts) }
}

export const nameDocument = (row: { readonly id: string; readonly title: string }): Document =>
  documentOf(row, { titles: [row.title], others: [] })

type Text = string | null | undefined

const documentOf = (
  row: { readonly id: string; readonly title: string },
  { titles, others }: { readonly titles: readonly Text[]; readonly others: readonly Text[] },
): Document => {
  const givenTitles = titles.filter(isGiven)
  const words = indexedWords([...givenTitles, ...givenTitles.flatMap(joinedWords), ...others.filter(isGiven)])
  return { id: row.id, title: searchText(row.title), words: [...words].join(' ') }
}

const isGiven = (text: Text): text is string => typeof text === 'string' && text !== ''

/** A word of so many letters may have been meant by one of five. */
const spelledOutFrom = 4
/** A statement takes no list of any length. */
const wordsAtOnce = 10_000

/** It returns the words of these documents that are not known yet. */
export const newSpellings = async (db: ReadDb, documents: readonly Document[]): Promise<readonly Spelling[]> => {
  const words = spelledOutIn(documents)
  const seen = new Set<string>()
  for (let from = 0; from < words.length; from += wordsAtOnce)
    for (const word of await selectIndexedWords(db, words.slice(from, from + wordsAtOnce))) seen.add(word)
  return words.filter((word) => !seen.has(word)).flatMap(spellingsOf)
}

export const spelledOutIn = (documents: readonly Pick<Document, 'words'>[]): string[] =>
  [...new Set(documents.flatMap(({ words }) => words.split(' ')))].filter((word) => word.length >= spelledOutFrom)

export const spellingsOf = (word: string): Spelling[] =>
  [word, ...(isForgiven(word) ? withoutOneLetter(word) : [])].map((spelling) => ({ spelling, word }))

/** It returns the endings of words in the texts of these documents that are not known yet. */
export const newWordEndings = async (db: ReadDb, documents: readonly Document[]): Promise<readonly WordEnding[]> => {
  const words = textWordsIn(documents)
  const unknown: string[] = []
  for (let from = 0; from < words.length; from += wordsAtOnce)
    unknown.push(...(await selectUnknownTextWords(db, words.slice(from, from + wordsAtOnce))))
  return unknown.flatMap(wordEndingsOf)
}

export const textWordsIn = (documents: readonly Pick<Document, 'textWords'>[]): string[] => [
  ...new Set(documents.flatMap(({ textWords = '' }) => spelledWordsIn(textWords))),
]

export const wordEndingsOf = (word: string): WordEnding[] => endingsOf(word).map((ending) => ({ ending, word }))
