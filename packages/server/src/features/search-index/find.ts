import type { Database, ReadDb } from '../../database/database.ts'
import type { WordGroup } from '../../database/dialects/dialect.ts'
import { seesWholeLibraries, type Viewer } from '../visibility/visibility.ts'
import {
  candidatesMax,
  type SearchTarget,
  selectFound,
  selectShown,
  selectWordsBeginning,
  selectWordsSpelled,
} from './queries.ts'
import { isOneMistakeAway, searchText, type Sought, soughtIn, withoutOneLetter } from './words.ts'

/** One text, looked for in several places: what is worked out about its words is worked out once. */
export interface Query {
  readonly text: string
  readonly exact: readonly WordGroup[]
  /** The same with words that differ by one mistake; undefined where none does. */
  readonly forgiving: () => Promise<readonly WordGroup[] | undefined>
  readonly patterns: readonly string[]
}

/** Undefined: there is no word in it. */
export const prepareQuery = async (
  db: Pick<Database, 'read'>,
  text: string,
  isForgiving: boolean,
): Promise<Query | undefined> => {
  const sought = soughtIn(text)
  if (sought.length === 0) return undefined
  const exact = (await Promise.all(sought.map((each) => groupsOf(db.read, each)))).flat()
  let forgiving: Promise<readonly WordGroup[] | undefined> | undefined
  return {
    text: searchText(text),
    exact,
    forgiving: () => (forgiving ??= isForgiving ? forgivingGroups(db.read, sought, exact) : Promise.resolve(undefined)),
    patterns: sought.map(patternOf),
  }
}

interface Wanted {
  readonly target: SearchTarget
  readonly query: Query
  readonly limit: number
}

/** Ids of what the viewer may see, the best first; what holds every word as it is goes before what holds a similar one. */
export const find = async (
  db: Pick<Database, 'readSlowly' | 'dialect'>,
  viewer: Viewer,
  { target, query, limit }: Wanted,
): Promise<string[]> => {
  const exact = await findGroups(db, viewer, query.exact, { target, query, limit })
  if (exact.length >= limit) return exact
  const groups = await query.forgiving()
  if (!groups) return exact
  const similar = await findGroups(db, viewer, groups, { target, query, limit: limit + exact.length })
  return [...new Set([...exact, ...similar])].slice(0, limit)
}

/** The best that hold one word of each group. */
export const findGroups = async (
  { readSlowly: db, dialect: { textIndex } }: Pick<Database, 'readSlowly' | 'dialect'>,
  viewer: Viewer,
  groups: readonly WordGroup[],
  { target, query: { text, patterns }, limit }: Wanted,
): Promise<string[]> => {
  const table = `${target}_search`
  const search = { target, text, patterns }
  if (seesAlmostAll(viewer)) {
    // Little is hidden: cheaper to look at the best alone than at all that is found.
    const asked = 2 * limit + fewHidden
    const found = textIndex.someFound(table, groups, candidatesMax.byWords)
    const ids = await selectFound(db, { ...search, found }, undefined, asked)
    const shown = await selectShown(db, target, viewer, ids)
    if (shown.size >= limit || ids.length < asked) return ids.filter((id) => shown.has(id)).slice(0, limit)
  }
  return selectFound(db, { ...search, found: textIndex.found(table, groups) }, viewer, limit)
}

const fewHidden = 10

const seesAlmostAll = (viewer: Viewer): boolean =>
  viewer.rule.libraries === 'all' && viewer.deletedLibraries.length === 0 && seesWholeLibraries(viewer)

/** A beginning that many words have is looked up as such; the words of a rarer one by themselves, which costs less. */
const beginningFrom = 7
const wordsOfBeginningMax = 16
const similarMax = 64

const groupsOf = async (db: ReadDb, sought: Sought): Promise<WordGroup[]> => {
  if (sought.kind === 'run') return sought.words.map((word) => [{ word }])
  const { word, mayGoOn } = sought
  if (!mayGoOn) return [[{ word }]]
  if (word.length < beginningFrom) return [[{ word, isBeginning: true }]]
  const words = await selectWordsBeginning(db, word, wordsOfBeginningMax)
  if (words.length > wordsOfBeginningMax) return [[{ word, isBeginning: true }]]
  return [[...new Set([word, ...words])].map((each) => ({ word: each }))]
}

const forgivingGroups = async (
  db: ReadDb,
  sought: readonly Sought[],
  exact: readonly WordGroup[],
): Promise<readonly WordGroup[] | undefined> => {
  const words = sought.flatMap((each) => (each.kind === 'word' && mayBeMistaken(each.word) ? [each.word] : []))
  if (words.length === 0) return undefined
  const spellings = new Map(words.map((word) => [word, [word, ...withoutOneLetter(word)]]))
  const known = await selectWordsSpelled(db, [...new Set([...spellings.values()].flat())], similarMax * words.length)
  const similar = words.map((word) => known.filter((each) => isOneMistakeAway(word, each)))
  if (similar.every((each) => each.length === 0)) return undefined
  return exact.map((group) => {
    const at = words.findIndex((word) => group[0]?.word === word)
    return [...group, ...(similar[at] ?? []).map((word) => ({ word }))]
  })
}

/** A word of five letters of which one was left out. */
const mayBeMistaken = (word: string): boolean => Array.from(word).length >= 4 && !/\d/.test(word)

const patternOf = (sought: Sought): string =>
  sought.kind === 'run' ? `%${literal(sought.run)}%` : `% ${literal(sought.word)}%`
const literal = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
