import { Type } from 'typebox'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import type { Dialect } from '../../database/dialects/dialect.ts'
import { dialectOf } from '../../database/transaction.ts'
import { defineCleanUp } from '../../tasks/clean-up.ts'
import { defineTask, type TaskContext } from '../../tasks/define-task.ts'
import {
  deleteWordEndings,
  insertWordEndings,
  selectTextWordsAfter,
  selectUnusedTextWords,
} from './by-words/queries.ts'
import {
  compareDocuments,
  indexDocuments,
  newSpellings,
  newWordEndings,
  spellingsOf,
  wordEndingsOf,
} from './documents.ts'
import {
  deleteSpellings,
  insertSpellings,
  searchTargets,
  type SearchTarget,
  selectBookIdsOfSeries,
  selectIdsAfter,
  selectUnusedWords,
  selectWordsAfter,
} from './queries.ts'

/** Looked at together, and written in parts: others wait for each. */
const checkedAtOnce = 500
const documentsAtOnce = 100
const spellingsAtOnce = 2000
const wordsAtOnce = 50
const hour = 60 * 60 * 1000

/** The title of a series is one of the things its books are found by. */
export const indexBooksOfSeries = defineTask(Type.Object({ seriesId: Type.String() }), {
  type: 'index_books_of_series',
  priority: 300,
  endsWithinMs: hour,
  key: ({ seriesId }) => seriesId,
  runsAgain: true,
  subject: ({ seriesId }) => ({ seriesId }),
  quiet: true,
  run: async ({ seriesId }, context) => {
    const books = await repair(context, 'book', (after) =>
      selectBookIdsOfSeries(context.db.readSlowly, [seriesId], { after, limit: checkedAtOnce }),
    )
    return { result: { books }, items: books }
  },
})

/** Compares what everything is found by with what it should be found by, and puts right what differs. */
export const rebuildSearch = defineTask(Type.Object({}), {
  type: 'rebuild_search',
  priority: 50,
  endsWithinMs: 6 * hour,
  key: () => '',
  startable: {},
  run: async (_, context) => {
    const repaired: Partial<Record<SearchTarget, number>> = {}
    for (const target of searchTargets)
      repaired[target] = await repair(context, target, (after) =>
        selectIdsAfter(context.db.readSlowly, target, after, checkedAtOnce),
      )
    return { result: { repaired }, items: Object.values(repaired).reduce((sum, count) => sum + count, 0) }
  },
})

/** What words are known of, and how those are forgotten that nothing is found by any more. */
interface KnownWords {
  readonly after: (db: ReadDb, after: string, limit: number) => Promise<string[]>
  readonly unused: (db: ReadDb, dialect: Dialect, words: readonly string[]) => Promise<string[]>
  readonly forget: (db: WriteDb, words: readonly string[]) => Promise<void>
}

const searchWords: KnownWords = {
  after: selectWordsAfter,
  unused: selectUnusedWords,
  forget: (db, words) => deleteSpellings(db, words.flatMap(spellingsOf)),
}

const textWords: KnownWords = {
  after: selectTextWordsAfter,
  unused: selectUnusedTextWords,
  forget: (db, words) => deleteWordEndings(db, words.flatMap(wordEndingsOf)),
}

/** Forgets words that nothing is found by any more; what was typed is not taken for one of them. */
export const cleanUpSearchWords = defineCleanUp('cleanup_search_words', async (context) => ({
  words: await forgetUnused(context, searchWords),
  textWords: await forgetUnused(context, textWords),
}))

const forgetUnused = async (
  { db, write, signal }: Pick<TaskContext, 'db' | 'write' | 'signal'>,
  known: KnownWords,
): Promise<number> => {
  let words = 0
  for (let after = ''; ;) {
    signal.throwIfAborted()
    const some = await known.after(db.readSlowly, after, checkedAtOnce)
    for (const part of inParts(await known.unused(db.readSlowly, db.dialect, some), wordsAtOnce))
      words += await write((db) => forgetTogether(db, known, part))
    after = some.at(-1) ?? ''
    if (some.length < checkedAtOnce) return words
  }
}

/** Somebody may be using one of them by now. Beside those who write more, it is left for another night. */
const forgetTogether = async (db: WriteDb, known: KnownWords, words: readonly string[]): Promise<number> => {
  const dialect = dialectOf(db)
  if (!(await dialect.turns.alone(db))) return 0
  const unused = await known.unused(db, dialect, words)
  await known.forget(db, unused)
  return unused.length
}

const repair = async (
  { db, write, signal }: TaskContext,
  target: SearchTarget,
  idsAfter: (after: string) => Promise<string[]>,
): Promise<number> => {
  let repaired = 0
  for (let after = ''; ;) {
    signal.throwIfAborted()
    const ids = await idsAfter(after)
    const { stale, good } = await compareDocuments(db.readSlowly, target, ids)
    for (const part of inParts(stale, documentsAtOnce))
      repaired += await write((db) =>
        indexDocuments(
          db,
          target,
          part.map(({ id }) => id),
        ),
      )
    const unknown = await newSpellings(db.readSlowly, good)
    for (const part of inParts(unknown, spellingsAtOnce)) await write((db) => insertSpellings(db, part))
    const endings = await newWordEndings(db.readSlowly, good)
    for (const part of inParts(endings, spellingsAtOnce)) await write((db) => insertWordEndings(db, part))
    after = ids.at(-1) ?? ''
    if (ids.length < checkedAtOnce) return repaired
  }
}

const inParts = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))
