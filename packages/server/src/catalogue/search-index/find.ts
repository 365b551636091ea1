import type { Database, ReadDb } from '../../database/database.ts'
import type { WordGroup } from '../../database/dialects/dialect.ts'
import { seesEverything, type Viewer } from '../visibility/visibility.ts'
import {
  candidatesMax,
  type SearchHit,
  searchTargets,
  type SearchTarget,
  selectMatches,
  selectMatchesAnyway,
  selectWordsBeginning,
  selectWordsSpelled,
} from './queries.ts'
import { hasLetters, isOneMistakeAway, type Sought, soughtIn, soughtTitle, withoutOneLetter } from './words.ts'

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
    text: soughtTitle(text),
    exact,
    forgiving: () => (forgiving ??= isForgiving ? forgivingGroups(db.read, sought, exact) : Promise.resolve(undefined)),
    patterns: sought.map(patternOf),
  }
}

/** Where to look, and how much is wanted of each. */
export type Limits = Readonly<Partial<Record<SearchTarget, number>>>
export type IdsByTarget = ReadonlyMap<SearchTarget, readonly string[]>

/** Ids of what the viewer may see, the best first; what holds every word as it is goes before what holds a similar one. */
export const find = async (
  db: Pick<Database, 'readSlowly' | 'dialect'>,
  viewer: Viewer,
  query: Query,
  limits: Limits,
): Promise<IdsByTarget> => {
  const exact = await findGroups(db, viewer, { query, groups: query.exact }, limits)
  const idsOf = (target: SearchTarget): readonly string[] => exact.get(target) ?? []
  const short = portionsOf(limits).filter(({ target, limit }) => idsOf(target).length < limit)
  const groups = short.length === 0 ? undefined : await query.forgiving()
  if (!groups) return exact
  const more = Object.fromEntries(short.map(({ target, limit }) => [target, limit + idsOf(target).length]))
  const similar = await findGroups(db, viewer, { query, groups }, more)
  const both = short.map(({ target, limit }) => {
    const ids = new Set([...idsOf(target), ...(similar.get(target) ?? [])])
    return [target, [...ids].slice(0, limit)] as const
  })
  return new Map([...exact, ...both])
}

interface SearchPortion {
  readonly target: SearchTarget
  readonly limit: number
}

const portionsOf = (limits: Limits): SearchPortion[] =>
  searchTargets.flatMap((target) => (limits[target] === undefined ? [] : { target, limit: limits[target] }))

interface WordsToFind {
  readonly query: Pick<Query, 'text' | 'patterns'>
  readonly groups: readonly WordGroup[]
}

/** The best that hold one word of each group. */
export const findGroups = async (
  { readSlowly: db, dialect: { textIndex } }: Pick<Database, 'readSlowly' | 'dialect'>,
  viewer: Viewer,
  { query: { text, patterns }, groups }: WordsToFind,
  limits: Limits,
): Promise<IdsByTarget> => {
  const idsByTarget = new Map<SearchTarget, readonly string[]>()
  if (seesEverything(viewer)) {
    // Little is hidden: cheaper to look at the best alone than at all that is found.
    const some = portionsOf(limits).map(({ target, limit }) => ({
      target,
      text,
      patterns,
      limit: limitWithHidden(limit),
      matches: textIndex.someMatching(`${target}_search`, groups, candidatesMax.byWords),
    }))
    const best = Map.groupBy(await selectMatchesAnyway(db, some, viewer), ({ target }) => target)
    for (const { target, limit } of portionsOf(limits)) {
      const there = best.get(target) ?? []
      const shown = there.filter(({ isShown }) => isShown)
      if (shown.length >= limit || there.length < limitWithHidden(limit))
        idsByTarget.set(target, idsOf(shown).slice(0, limit))
    }
  }
  const left = portionsOf(limits).filter(({ target }) => !idsByTarget.has(target))
  if (left.length === 0) return idsByTarget
  const all = left.map(({ target, limit }) => ({
    target,
    text,
    patterns,
    limit,
    matches: textIndex.matching(`${target}_search`, groups),
  }))
  const seen = Map.groupBy(await selectMatches(db, all, viewer), ({ target }) => target)
  return new Map([...idsByTarget, ...left.map(({ target }) => [target, idsOf(seen.get(target) ?? [])] as const)])
}

const idsOf = (rows: readonly SearchHit[]): string[] => rows.map(({ id }) => id)

const limitWithHidden = (limit: number): number => 2 * limit + fewHidden
const fewHidden = 10

/** A beginning that many words have is looked up as such; the words of a rarer one by themselves, which costs less. */
const beginningFrom = 7
const wordsOfBeginningMax = 16
const similarMax = 64

const groupsOf = async (db: ReadDb, sought: Sought): Promise<WordGroup[]> => {
  if (sought.kind === 'run') return sought.words.map((word) => [{ word, isOfRun: true }])
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
  const indexedWords = await selectWordsSpelled(
    db,
    [...new Set([...spellings.values()].flat())],
    similarMax * words.length,
  )
  const similar = words.map((word) => indexedWords.filter((each) => isOneMistakeAway(word, each)))
  if (similar.every((each) => each.length === 0)) return undefined
  return exact.map((group) => {
    const index = words.findIndex((word) => group[0]?.word === word)
    return [...group, ...(similar[index] ?? []).map((word) => ({ word }))]
  })
}

/** A word of five letters of which one was left out. */
const mayBeMistaken = (word: string): boolean => hasLetters(word, 4)

const patternOf = (sought: Sought): string => {
  if (sought.kind === 'run') return `%${literal(sought.run)}%`
  return `% ${literal(sought.word)}${sought.mayGoOn ? '%' : ' %'}`
}
const literal = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
