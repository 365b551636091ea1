import type { Database, ReadDb } from '../../../database/database.ts'
import type { SoughtText, WordsMatch } from '../../../filtering/filtering.ts'
import { booksByWords, noBooks, selectAreWordsMissing, selectIsInRoot, selectTextWords } from './queries.ts'
import { signedWord, type WordTest, wordTestsOf } from './words.ts'

/** Where more words have a part, most texts do: they are found sooner by reading one text after the other. */
const wordsMax = 200

/** It finds the books whose texts may hold all of these by their words. Undefined where words say too little. */
export const matchWords = async (
  { dialect, readSlowly: db }: Pick<Database, 'dialect' | 'readSlowly'>,
  sought: readonly SoughtText[],
): Promise<WordsMatch | undefined> => {
  const asked = sought.map((each) => ({ ...each, ...wordTestsOf(each) })).filter(({ tests }) => tests.length > 0)
  if (asked.length === 0 || (await selectAreWordsMissing(db))) return undefined
  const groups: string[][] = []
  let isExact = asked.length === sought.length
  for (const { text, part, tests, isExact: isOneExact } of asked) {
    const isElsewhere = text === 'path' && (await selectIsInRoot(db, part))
    const some = isElsewhere ? [] : await wordsOf(db, tests)
    groups.push(...some.map((words) => words.map((word) => signedWord(text, word))))
    isExact &&= isOneExact && some.length === tests.length
  }
  if (groups.some((words) => words.length === 0)) return noBooks
  return groups.length === 0 ? undefined : { ...booksByWords(dialect, groups), isExact }
}

/** For each test the words that pass it, where they are few. */
const wordsOf = async (db: ReadDb, tests: readonly WordTest[]): Promise<string[][]> => {
  const all: string[][] = []
  for (const test of tests) {
    const words = test.kind === 'is' ? [test.word] : await selectTextWords(db, test, wordsMax)
    if (words.length <= wordsMax) all.push(words)
  }
  return all
}
