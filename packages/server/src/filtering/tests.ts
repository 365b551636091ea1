import type { DateTest, FieldKind, FieldTests, FlagTest, IdTest, NumberTest, TextTest } from '@carrel/api'
import { type RawBuilder, sql } from 'kysely'
import { contains, escapedLike } from '../database/dialects/dialect.ts'
import { instant } from './instant.ts'

/** True or false, never null: a condition and its opposite share out all rows between them (pins W10). */
export type Truth = RawBuilder<boolean>
export type Value = RawBuilder<unknown>

export const always: Truth = sql<boolean>`true`
export const never: Truth = sql<boolean>`false`
export const not = (truth: Truth): Truth => (truth === always ? never : truth === never ? always : sql`(not ${truth})`)

export const flagged = ({ operator }: FlagTest, holds: Truth): Truth => (operator === 'isTrue' ? holds : not(holds))

export const both = (one: Truth, other: Truth): Truth => sql`(${one} and ${other})`

/** It says how a condition is evaluated. */
export interface EvaluationMode {
  /** Either all rows that have the terms are collected, or rows are tested one after the other. */
  readonly terms: 'forAllRows' | 'forEachRow'
  /** Long texts of books are read with the rest, or through an index that has nothing else. */
  readonly texts: 'with the rest' | 'apart'
}

/** It tests whether one of the genres, tags or people of a row matches. */
export const hasTerm =
  (target: 'series' | 'book', kind: 'genre' | 'tag' | 'person', way: EvaluationMode['terms'], isSeen: Truth = always) =>
  (where: (value: Value) => Truth): Truth => {
    const [link, id] = [sql.table(`${target}_term`), sql.ref(`${target}.id`)]
    const owner = sql.ref(`${target}_term.${target}_id`)
    const ofKind = sql`term inner join ${link} on ${sql.ref(`${target}_term.term_id`)} = term.id`
    const isSuch = whereSeen(sql`term.kind = ${sql.lit(kind)} and ${where(sql`term.key`)}`, isSeen)
    // Gathering a common genre takes longer than a page of books of which many have it.
    return way === 'forEachRow'
      ? sql`exists (select 1 from ${ofKind} where ${owner} = ${id} and ${isSuch})`
      : sql`${id} in (select ${owner} from ${ofKind} where ${isSuch})`
  }

/** A series has some terms only from books which not everybody sees. */
const whereSeen = (where: Truth, isSeen: Truth): Truth => (isSeen === always ? where : sql`${where} and ${isSeen}`)

/** The same for a term that is known by its key: it is looked up once, and not for each row. */
export const hasThisTerm = (
  target: 'series' | 'book',
  kind: 'genre' | 'tag' | 'person',
  { key, role, way, isSeen = always }: ThisTerm,
): Truth => {
  const [link, id] = [sql.table(`${target}_term`), sql.ref(`${target}.id`)]
  const owner = sql.ref(`${target}_term.${target}_id`)
  const isIt: Truth = sql`${sql.ref(`${target}_term.term_id`)} =
    (select term.id from term where term.kind = ${sql.lit(kind)} and term.key = ${key})`
  const inRole = whereSeen(role === undefined ? isIt : both(isIt, inThisRole(target, role)), isSeen)
  return way === 'forEachRow'
    ? sql`exists (select 1 from ${link} where ${owner} = ${id} and ${inRole})`
    : sql`${id} in (select ${owner} from ${link} where ${inRole})`
}

interface ThisTerm {
  readonly key: string
  readonly role?: string | undefined
  readonly way: EvaluationMode['terms']
  readonly isSeen?: Truth
}

/** A role that is written in two ways is one. */
export const inThisRole = (target: 'series' | 'book', role: string): Truth =>
  sql`lower(${sql.ref(`${target}_term.role`)}) = ${role.toLowerCase()}`

/** Each field turns a test of its kind into a condition. */
export type Tests<Fields extends Record<string, FieldKind>> = {
  readonly [Field in keyof Fields]: (test: FieldTests[Fields[Field]]) => Truth
}

/** Fields whose values are terms, by their names in conditions. */
export const termKinds: Readonly<Record<string, 'genre' | 'tag' | 'person'>> = {
  genre: 'genre',
  tag: 'tag',
  author: 'person',
}

/** A test becomes a comparison that holds or must not hold; null is no comparison. */
export interface Comparison {
  readonly isNegative: boolean
  /** Undefined: that there is a value at all. */
  readonly compare: ((value: Value) => Truth) | undefined
}

export const textComparison = (test: TextTest, fold: (text: string) => string): Comparison => {
  if (!('value' in test)) return { isNegative: test.operator === 'isNull', compare: undefined }
  const { operator } = test
  const part = fold(test.value)
  const isNegative = operator === 'isNot' || operator === 'doesNotContain'
  // Some text folds to nothing; then it is contained in nothing either.
  if (part === '' && test.value !== '') return { isNegative, compare: () => never }
  if (operator === 'is' || operator === 'isNot') return { isNegative, compare: (value) => sql`${value} = ${part}` }
  const anywhere = contains(part)
  const pattern =
    operator === 'beginsWith' ? anywhere.slice(1) : operator === 'endsWith' ? anywhere.slice(0, -1) : anywhere
  return { isNegative, compare: (value) => escapedLike(value, pattern) }
}

const signs = { eq: '=', ne: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

export const numberComparison = (test: NumberTest): Comparison => {
  if ('value' in test) {
    const sign = sql.raw(signs[test.operator])
    return { isNegative: test.operator === 'ne', compare: (value) => sql`${value} ${sign} ${numeral(test.value)}` }
  }
  if (test.operator !== 'between') return { isNegative: test.operator === 'isNull', compare: undefined }
  return { isNegative: false, compare: within(test.min, test.max, numeral) }
}

const dateSigns = { after: '>', before: '<', onOrAfter: '>=', onOrBefore: '<=' } as const

export const dateComparison = (test: DateTest): Comparison => {
  if ('value' in test) {
    const sign = sql.raw(dateSigns[test.operator])
    return { isNegative: false, compare: (value) => sql`${value} ${sign} ${instant(test.value)}` }
  }
  if (test.operator !== 'between') return { isNegative: test.operator === 'isNull', compare: undefined }
  return { isNegative: false, compare: within(test.start, test.end, (text) => sql`${instant(text)}`) }
}

const within =
  <Bound>(from: Bound | null | undefined, to: Bound | null | undefined, written: (bound: Bound) => Value) =>
  (value: Value): Truth => {
    const parts = [
      ...(from === undefined || from === null ? [] : [sql`${value} >= ${written(from)}`]),
      ...(to === undefined || to === null ? [] : [sql`${value} <= ${written(to)}`]),
    ]
    return parts.length === 0 ? always : sql`(${sql.join(parts, sql` and `)})`
  }

/** PostgreSQL would read the number as of the column's kind, and refuse 1.5 for a whole one. */
const numeral = (number: number): Value =>
  Number.isSafeInteger(number) ? sql`cast(${number} as bigint)` : sql`cast(${number} as double precision)`

/** More values are sent as one: a statement may not have any number of parameters. */
const plainMax = 50

export const idComparison = (test: IdTest): Comparison => {
  const isNegative = test.operator === 'isNot' || test.operator === 'notIn'
  const ids = ('values' in test ? test.values : [test.value]).map((id) => id.toLowerCase())
  return { isNegative, compare: (value) => isOneOf(value, ids) }
}

export const isOneOf = (value: Value, ids: readonly string[]): Truth => {
  if (ids.length === 0) return never
  if (ids.length <= plainMax) return sql`${value} in (${sql.join(ids)})`
  // The keys of an object, because both databases have a `json_each` for those and only one of them for lists.
  const keys = JSON.stringify(Object.fromEntries(ids.map((id) => [id, 1])))
  return sql`${value} in (select json_each.key from json_each(${keys}))`
}

/** It tests one value of each row, which may be null. */
export const ofColumn = (column: Value, { isNegative, compare }: Comparison): Truth => {
  const holds: Truth = compare ? sql`(${column} is not null and ${compare(column)})` : sql`(${column} is not null)`
  return isNegative ? not(holds) : holds
}

/** It tests a list of values: any of them, or none. `has` says that there is a value for which a comparison holds. */
export const ofAny = (has: (where: (value: Value) => Truth) => Truth, { isNegative, compare }: Comparison): Truth => {
  const holds = has(compare ?? (() => always))
  return isNegative ? not(holds) : holds
}
