import { type Selectable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { contains, type Dialect, escapedLike } from '../../../database/dialects/dialect.ts'
import { insertMany } from '../../../database/many.ts'
import type { WordsMatch } from '../../../filtering/filtering.ts'
import { absentOf, afterAll } from '../queries.ts'
import type { SearchIndexTables } from '../table.ts'
import { endingLength, textSigns, type WordTest } from './words.ts'

type PartTest = Extract<WordTest, { readonly part: string }>

export type WordEnding = Selectable<SearchIndexTables['text_word']>

/** It returns words that are not known yet: nearly all are, so that little comes back. */
export const selectUnknownTextWords = async (db: ReadDb, words: readonly string[]): Promise<string[]> => {
  // The keys of an object, because both databases have a `json_each` for those and only one of them for lists.
  // Made as a text, because an object of thousands of names takes longer than the statement. No word has a sign that JSON escapes.
  const keys = words.length === 0 ? '{}' : `{"${words.join('":1,"')}":1}`
  const { rows } = await sql<{ word: string }>`select json_each.key as word from json_each(${keys})
    where not exists (select 1 from text_word where text_word.word = json_each.key
      and text_word.ending = substr(json_each.key, 1, ${sql.lit(endingLength)}))`.execute(db)
  return rows.map(({ word }) => word)
}

/** Each word is in one row from its first letter on. */
const isWhole = sql<boolean>`ending = substr(word, 1, ${sql.lit(endingLength)})`

export const selectTextWordsAfter = async (db: ReadDb, after: string, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('text_word')
    .select('word')
    .where('ending', '>=', after.slice(0, endingLength))
    .where('word', '>', after)
    .where(isWhole)
    .orderBy('ending')
    .orderBy('word')
    .limit(limit)
    .execute()
  return rows.map(({ word }) => word)
}

/** It returns those that are known, and that no text holds any more. */
export const selectUnusedTextWords = async (
  db: ReadDb,
  { wordIndex }: Pick<Dialect, 'wordIndex'>,
  words: readonly string[],
): Promise<string[]> => {
  if (words.length === 0) return []
  const rows = await db
    .selectFrom('text_word')
    .select('word')
    .where(
      'ending',
      'in',
      words.map((word) => word.slice(0, endingLength)),
    )
    .where('word', 'in', words)
    .where(isWhole)
    .where(sql<boolean>`not ${wordIndex.holds(wordsOfBooks, sql.ref('text_word.word'), textSigns)}`)
    .execute()
  return rows.map(({ word }) => word)
}

const wordsOfBooks = { table: 'book_search', column: 'text_words' }

/** All endings must be named: they are what the table is in order of. */
export const deleteWordEndings = async (db: WriteDb, endings: readonly WordEnding[]): Promise<void> => {
  if (endings.length === 0) return
  await db
    .deleteFrom('text_word')
    .where(
      'ending',
      'in',
      endings.map(({ ending }) => ending),
    )
    .where(
      'word',
      'in',
      endings.map(({ word }) => word),
    )
    .execute()
}

export const insertWordEndings = (db: WriteDb, endings: readonly WordEnding[]): Promise<void> =>
  insertMany(db, 'text_word', endings, 'is left as it is')

/** It says whether some book is not found by its texts yet. */
export const selectAreWordsMissing = async (db: ReadDb): Promise<boolean> => {
  const { rows } = await sql`select 1 from book_search where text_words is null limit 1`.execute(db)
  return rows.length > 0
}

/** Whether the path of some root holds this: then all its books do. */
export const selectIsInRoot = async (db: ReadDb, part: string): Promise<boolean> => {
  const { rows } =
    await sql`select 1 from library_root where ${escapedLike(sql.ref('path_text'), contains(part))} limit 1`.execute(db)
  return rows.length > 0
}

/** Words of texts for which this holds, `max` of them and one more at most. */
export const selectTextWords = async (db: ReadDb, { kind, part }: PartTest, max: number): Promise<string[]> => {
  const isThere =
    kind === 'ends' ? sql<boolean>`ending = ${part}` : sql<boolean>`ending >= ${part} and ending < ${afterAll(part)}`
  const begins = sql<boolean>`word >= ${part} and word < ${afterAll(part)}`
  const rows = await db
    .selectFrom('text_word')
    .select('word')
    .distinct()
    .where(isThere)
    .$if(kind === 'begins', (query) => query.where(begins))
    .limit(max + 1)
    .execute()
  return rows.map(({ word }) => word)
}

/** It finds the books that hold a word of each group in their texts (`words.ts`). */
export const booksByWords = (
  { wordIndex }: Pick<Dialect, 'wordIndex'>,
  groups: readonly (readonly string[])[],
): Omit<WordsMatch, 'isExact'> => {
  const hits = wordIndex.numbers(wordsOfBooks, groups)
  const { areFew, numbers } = absentOf('book')
  return {
    where: wordIndex.isAmong(sql.ref('book.id'), { words: wordsOfBooks, column: 'book_id', groups }),
    count: sql<number | null>`case when ${areFew} then (
      select count(*) from ${hits} as hit where hit.number not in (${numbers})) end`,
    countUpTo: (max) => sql<number>`(select count(*) from (select 1 from ${hits} as hit limit ${max}) as counted)`,
  }
}

/** The match of words that nothing has. */
export const noBooks: WordsMatch = {
  where: sql<boolean>`false`,
  isExact: true,
  count: sql<number>`0`,
  countUpTo: () => sql<number>`0`,
}
