import { bookFields, type FieldKind, seriesFields } from '@carrel/api'
import { fold, plainText } from '../../src/platform/text/sort-key.ts'

/** It holds the known values of one series or book, by the names of fields; lists are arrays, unknown values null. */
export type PlainValues = Readonly<Record<string, string | number | boolean | null | readonly string[]>>

type Json = Readonly<Record<string, unknown>>

/** Conditions as plain as they can be said: the other side of the comparison with what SQL makes of them. */
export const plainly = (condition: Json, shownValues: PlainValues, target: 'series' | 'books'): boolean => {
  const [name = ''] = Object.keys(condition)
  const value = condition[name]
  if (name === 'allOf') return (value as Json[]).every((each) => plainly(each, shownValues, target))
  if (name === 'anyOf') return (value as Json[]).some((each) => plainly(each, shownValues, target))
  if (name === 'not') return !plainly(value as Json, shownValues, target)
  const kinds: Readonly<Record<string, FieldKind>> = target === 'series' ? seriesFields : bookFields
  const kind = kinds[name] ?? 'text'
  const own = shownValues[name] ?? null
  const test = value as Test
  if (kind === 'flag') return own === (test.operator === 'isTrue')
  const negative = negatives[test.operator]
  const positive = { ...test, operator: negative ?? test.operator }
  const values = Array.isArray(own) ? (own as string[]) : own === null ? [] : [own]
  const folding = name === 'genre' || name === 'tag' || name === 'author' ? fold : plainText
  const holds = values.some((each) => compare(kind, positive, each as string | number, folding))
  return negative === undefined ? holds : !holds
}

interface Test {
  readonly operator: string
  readonly value?: string | number
  readonly values?: readonly string[]
  readonly min?: number | null
  readonly max?: number | null
  readonly start?: string | null
  readonly end?: string | null
}

const negatives: Readonly<Record<string, string>> = {
  isNot: 'is',
  doesNotContain: 'contains',
  isNull: 'isNotNull',
  ne: 'eq',
  notIn: 'in',
}

const compare = (kind: FieldKind, test: Test, own: string | number, folding: (text: string) => string): boolean => {
  if (test.operator === 'isNotNull') return true
  if (kind === 'number') return compareNumbers(test, own as number)
  if (kind === 'date') return compareDates(test, own as string)
  if (kind === 'id') return (test.values ?? [test.value as string]).some((id) => id.toLowerCase() === own)
  const part = folding(String(test.value))
  if (part === '' && test.value !== '') return false
  const text = folding(String(own))
  if (test.operator === 'contains') return text.includes(part)
  if (test.operator === 'beginsWith') return text.startsWith(part)
  if (test.operator === 'endsWith') return text.endsWith(part)
  return text === part
}

const compareNumbers = ({ operator, value, min, max }: Test, own: number): boolean => {
  const other = value as number
  if (operator === 'eq') return own === other
  if (operator === 'gt') return own > other
  if (operator === 'gte') return own >= other
  if (operator === 'lt') return own < other
  if (operator === 'lte') return own <= other
  return own >= (min ?? -Infinity) && own <= (max ?? Infinity)
}

const compareDates = ({ operator, value, start, end }: Test, own: string): boolean => {
  const at = Date.parse(own)
  const other = Date.parse(String(value))
  if (operator === 'after') return at > other
  if (operator === 'before') return at < other
  if (operator === 'onOrAfter') return at >= other
  if (operator === 'onOrBefore') return at <= other
  const [from, to] = [start, end].map((each) => (typeof each === 'string' ? Date.parse(each) : undefined))
  return at >= (from ?? -Infinity) && at <= (to ?? Infinity)
}
