import { type ConditionTarget, fieldsOfBooks, fieldsOfSeries, type FieldTests, type MetadataFields } from '@carrel/api'
import type { RawBuilder } from 'kysely'
import { isFoldedText } from '../database/field-columns.ts'
import { fold } from '../platform/text/sort-key.ts'
import { randomLabel, sha256 } from '../platform/secrets/tokens.ts'
import { type Condition, fieldsIn, nodeOf, requireCondition } from './check.ts'
import { forAllRows, compileCondition, isAlwaysTrue, forEachRow } from './compile.ts'
import { type FilterViewer, fieldsOfReaders } from './filter-viewer.ts'
import { type SoughtText, soughtTextIn } from './sought-texts.ts'
import { termKinds, type EvaluationMode } from './tests.ts'

/** It narrows a list, in the client's format. */
export interface Narrowing {
  /** It is not checked yet. */
  readonly condition?: unknown
  /** Names of genres and of tags, separated by commas. */
  readonly genres?: string | undefined
  readonly tags?: string | undefined
}

interface CompileContext {
  readonly target: ConditionTarget
  readonly viewer: FilterViewer
}

/** Undefined where it would hold for all. */
export const narrow = ({ condition, genres, tags }: Narrowing, context: CompileContext): Narrowed | undefined => {
  const conditions = [
    ...(condition === undefined ? [] : [requireCondition(context.target, condition, '/condition')]),
    ...namesIn(genres).map((value): Condition => ({ genre: { operator: 'is', value } })),
    ...namesIn(tags).map((value): Condition => ({ tag: { operator: 'is', value } })),
  ]
  const all = { allOf: conditions } as Condition
  const compileFor = (way: EvaluationMode): RawBuilder<boolean> => compileCondition(all, { ...context, way })
  if (isAlwaysTrue(compileFor(forAllRows))) return undefined
  const parts = partsOf(all)
  const [only, ...others] = parts
  return {
    forAllRows: compileFor(forAllRows),
    forEachRow: compileFor(forEachRow),
    compileFor,
    readsEveryRow: readsEveryRow(all),
    isOfReader: [...fieldsIn(all)].some((field) => fieldsOfReaders.has(field)),
    isOnePart: others.length === 0,
    term: only && others.length === 0 ? termIn(only) : undefined,
    termsBesideText: parts.some(asksForText) ? parts.flatMap((part) => positiveTermIn(part) ?? []) : [],
    ...(context.target === 'books' && soughtIn(parts, context)),
  }
}

/** What it asks of texts, and the rest. */
const soughtIn = (parts: readonly Condition[], context: CompileContext): Pick<Narrowed, 'sought'> => {
  const each = parts.map((part) => ({ part, text: soughtTextIn(part, context.viewer.seesPaths) }))
  const texts = each.flatMap(({ text }) => text ?? [])
  if (texts.length === 0) return {}
  const others = each.filter(({ text }) => text === undefined).map(({ part }) => part)
  return { sought: { texts, isAll: others.length === 0, beside: compileCondition({ allOf: others }, context) } }
}

/** It wraps a condition that others have built, of which nothing more is known. */
export const wrapCondition = (truth: RawBuilder<boolean>): Narrowed => ({
  forAllRows: truth,
  forEachRow: truth,
  compileFor: () => truth,
  readsEveryRow: true,
  isOfReader: true,
  isOnePart: true,
  termsBesideText: [],
})

/** A condition, in the words of the database. */
export interface Narrowed {
  /** This form serves to find all rows for which it holds. */
  readonly forAllRows: RawBuilder<boolean>
  /** This form serves to test one row after the other, until there are enough. */
  readonly forEachRow: RawBuilder<boolean>
  readonly compileFor: (way: EvaluationMode) => RawBuilder<boolean>
  /** No index covers its fields, so that every row must be read. */
  readonly readsEveryRow: boolean
  /** It depends on what the viewer has read or rated, or it is not known on what. */
  readonly isOfReader: boolean
  /** It has one test only. */
  readonly isOnePart: boolean
  /** The genre, tag or person that it tests for, when it tests for nothing else. */
  readonly term?: Term | undefined
  /** The terms it requires beside a text. */
  readonly termsBesideText: readonly Term[]
  readonly sought?: SoughtTexts
}

export interface Term {
  readonly kind: 'genre' | 'tag' | 'person'
  readonly key: string
  readonly isNegative: boolean
}

/** Parts of texts that all must have for which a condition holds. */
interface SoughtTexts {
  readonly texts: readonly SoughtText[]
  /** It asks for nothing else. */
  readonly isAll: boolean
  /** What else it asks for. */
  readonly beside: RawBuilder<boolean>
}

/** All of these parts must be true. */
const partsOf = (condition: Condition): Condition[] => {
  const { name, value } = nodeOf(condition)
  const items = value as readonly Condition[]
  if (name === 'allOf') return items.flatMap(partsOf)
  return name === 'anyOf' && items.length === 1 ? items.flatMap(partsOf) : [condition]
}

const texts = ['title', 'titleSort', 'path', 'summary']
const asksForText = (condition: Condition): boolean => texts.includes(nodeOf(condition).name)

const positiveTermIn = (condition: Condition): Term | undefined => {
  const term = termIn(condition)
  return term?.isNegative ? undefined : term
}

const termIn = (condition: Condition): Term | undefined => {
  const { name, value } = nodeOf(condition)
  const kind = termKinds[name]
  if (!kind) return undefined
  const test = value as FieldTests['text']
  if (test.operator !== 'is' && test.operator !== 'isNot') return undefined
  const key = fold(test.value)
  // What is counted of a term is counted whatever was done.
  return key === '' || test.role !== undefined ? undefined : { kind, key, isNegative: test.operator === 'isNot' }
}

/**
 * The one series that a condition on books asks for beside whatever else it asks for, apart from the rest: its books are
 * listed as those of a series are, however they were asked for.
 */
export const seriesApart = (condition: unknown): { readonly seriesId?: string; readonly rest: unknown } => {
  if (condition === undefined || condition === null) return { rest: condition }
  const parts = partsOf(requireCondition('books', condition, '/condition'))
  const index = parts.findIndex((part) => seriesIn(part) !== undefined)
  const part = parts[index]
  const seriesId = part && seriesIn(part)
  return seriesId === undefined ? { rest: condition } : { seriesId, rest: { allOf: parts.toSpliced(index, 1) } }
}

const seriesIn = (part: Condition): string | undefined => {
  const { name, value } = nodeOf(part)
  if (name !== 'seriesId') return undefined
  const test = value as FieldTests['id']
  const ids = test.operator === 'is' ? [test.value] : test.operator === 'in' ? test.values : []
  return ids.length === 1 ? ids[0]?.toLowerCase() : undefined
}

/** No index has these beside the columns that everybody asks about. */
const inRowsOnly = new Set([
  'path',
  ...[fieldsOfSeries, fieldsOfBooks].flatMap((fields: MetadataFields) =>
    Object.entries(fields).flatMap(([name, field]) => (field.column && isFoldedText(field) ? [name] : [])),
  ),
])
const narrowing = ['libraryId', 'seriesId']

/** It returns whether every row has to be read, one after the other, for a condition that was checked. */
const readsEveryRow = (condition: Condition): boolean => {
  const fields = fieldsIn(condition)
  return [...fields].some((field) => inRowsOnly.has(field)) && !narrowing.some((field) => fields.has(field))
}

const namesIn = (list: string | undefined): string[] =>
  (list ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

/** A list, as a client asks for it. */
export interface ListRequest extends Narrowing {
  readonly fullTextSearch?: string | undefined
  readonly sort?: string | undefined
  readonly seed?: string | undefined
}

const keyCharsMax = 2000

/**
 * It is a cache key for what was asked for. Undefined in three cases: a random order is another list each time, a
 * search depends on settings, and a long condition is not asked twice.
 */
export const keyOf = (
  request: Narrowing & {
    readonly fullTextSearch?: unknown
    readonly sort?: string | undefined
    readonly seed?: unknown
  },
): string | undefined => {
  const isByChance = request.sort?.startsWith('random') === true && request.seed === undefined
  if (isByChance || request.fullTextSearch !== undefined) return undefined
  // A query that was checked still holds which page it is.
  const key = JSON.stringify({ ...request, page: undefined, pageSize: undefined })
  return key.length > keyCharsMax ? undefined : key
}

/** It is the position in the random order at which a seed begins; without a seed it differs each time. */
export const randomStartOf = (seed: string | undefined): string => sha256(seed ?? randomLabel(12)).slice(0, 12)
