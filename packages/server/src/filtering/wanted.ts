import type { ConditionTarget, FieldTests } from '@carrel/api'
import type { RawBuilder } from 'kysely'
import { fold } from '../platform/sort-key.ts'
import { randomLabel, sha256 } from '../platform/tokens.ts'
import { type Condition, fieldsIn, partOf, requireCondition } from './check.ts'
import { gathered, holds, isAlwaysTrue, walked } from './compile.ts'
import type { Eyes } from './eyes.ts'
import type { Way } from './tests.ts'

/** What a list is narrowed by, as a client says it. */
export interface Narrowing {
  /** Not checked yet. */
  readonly condition?: unknown
  /** Names of genres and of tags, separated by commas. */
  readonly genres?: string | undefined
  readonly tags?: string | undefined
}

/** Undefined where it would hold for all. */
export const narrow = (
  { condition, genres, tags }: Narrowing,
  look: { readonly target: ConditionTarget; readonly viewer: Eyes },
): Narrowed | undefined => {
  const conditions = [
    ...(condition === undefined ? [] : [requireCondition(look.target, condition, '/condition')]),
    ...namesIn(genres).map((value): Condition => ({ genre: { operator: 'is', value } })),
    ...namesIn(tags).map((value): Condition => ({ tag: { operator: 'is', value } })),
  ]
  const all = { allOf: conditions } as Condition
  const written = (way: Way): RawBuilder<boolean> => holds(all, { ...look, way })
  if (isAlwaysTrue(written(gathered))) return undefined
  const parts = partsOf(all)
  const [only, ...others] = parts
  return {
    gathered: written(gathered),
    walked: written(walked),
    written,
    looksIntoRows: looksIntoRows(all),
    isOnePart: others.length === 0,
    term: only && others.length === 0 ? termIn(only) : undefined,
    termsBesideText: parts.some(asksForText) ? parts.flatMap((part) => positiveTermIn(part) ?? []) : [],
  }
}

/** What others say of rows in their own words, of which nothing more is known. */
export const byItself = (truth: RawBuilder<boolean>): Narrowed => ({
  gathered: truth,
  walked: truth,
  written: () => truth,
  looksIntoRows: true,
  isOnePart: true,
  termsBesideText: [],
})

/** A condition, in the words of the database. */
export interface Narrowed {
  /** To look for all for which it holds. */
  readonly gathered: RawBuilder<boolean>
  /** To look at one row after the other, until there are enough. */
  readonly walked: RawBuilder<boolean>
  readonly written: (way: Way) => RawBuilder<boolean>
  /** It asks for what stands in no index beside what everybody asks about. */
  readonly looksIntoRows: boolean
  /** It asks for one thing alone. */
  readonly isOnePart: boolean
  /** It is that there is this genre, tag or person, or that there is not, and nothing else. */
  readonly term?: Term | undefined
  /** Terms that all must have which have a certain text as well. */
  readonly termsBesideText: readonly Term[]
}

export interface Term {
  readonly kind: 'genre' | 'tag' | 'person'
  readonly key: string
  readonly isNegative: boolean
}

const kinds: Readonly<Record<string, Term['kind']>> = { genre: 'genre', tag: 'tag', author: 'person' }

/** What must all be true, one beside the other. */
const partsOf = (condition: Condition): Condition[] => {
  const { name, value } = partOf(condition)
  const items = value as readonly Condition[]
  if (name === 'allOf') return items.flatMap(partsOf)
  return name === 'anyOf' && items.length === 1 ? items.flatMap(partsOf) : [condition]
}

const texts = ['title', 'titleSort', 'path', 'summary']
const asksForText = (condition: Condition): boolean => texts.includes(partOf(condition).name)

const positiveTermIn = (condition: Condition): Term | undefined => {
  const term = termIn(condition)
  return term?.isNegative ? undefined : term
}

const termIn = (condition: Condition): Term | undefined => {
  const { name, value } = partOf(condition)
  const kind = kinds[name]
  if (!kind) return undefined
  const test = value as FieldTests['text']
  if (test.operator !== 'is' && test.operator !== 'isNot') return undefined
  const key = fold(test.value)
  return key === '' ? undefined : { kind, key, isNegative: test.operator === 'isNot' }
}

/** What no index has beside what everybody asks about. */
const inRowsOnly = ['path', 'summary', 'titleSort', 'publisher', 'language']
const narrowing = ['libraryId', 'seriesId']

/** Whether every row has to be looked at, one after the other, for a condition that was checked. */
const looksIntoRows = (condition: Condition): boolean => {
  const fields = fieldsIn(condition)
  return inRowsOnly.some((field) => fields.has(field)) && !narrowing.some((field) => fields.has(field))
}

const namesIn = (list: string | undefined): string[] =>
  (list ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

/** A list, as a client asks for it. */
export interface Wanted extends Narrowing {
  readonly fullTextSearch?: string | undefined
  readonly sort?: string | undefined
  readonly seed?: string | undefined
}

const keyCharsMax = 2000

/**
 * What a list was asked for, in words that mean the same each time. Undefined: what is by chance is another list each
 * time, a search depends on how it is set, and a long condition is not asked twice.
 */
export const keyOf = (
  wanted: Narrowing & {
    readonly fullTextSearch?: unknown
    readonly sort?: string | undefined
    readonly seed?: unknown
  },
): string | undefined => {
  const isByChance = wanted.sort?.startsWith('random') === true && wanted.seed === undefined
  if (isByChance || wanted.fullTextSearch !== undefined) return undefined
  // A query that was checked still holds which page it is.
  const key = JSON.stringify({ ...wanted, page: undefined, pageSize: undefined })
  return key.length > keyCharsMax ? undefined : key
}

/** Where in the order of chance a seed begins; without a seed each time somewhere else. */
export const startOf = (seed: string | undefined): string => sha256(seed ?? randomLabel(12)).slice(0, 12)
