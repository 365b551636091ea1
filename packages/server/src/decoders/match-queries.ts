import { runInNewContext } from 'node:vm'
import { BookFault } from '../formats/book-format.ts'
import { renderTemplate } from './render-template.ts'

interface MatchQueriesJob {
  /** Null: the title. */
  readonly template: string | null
  /** Rules and conditions are as an administrator has written them: what cannot be understood is skipped. */
  readonly rules: unknown
  readonly conditions: unknown
  readonly contexts: readonly Context[]
}

type Context = { readonly title: string } & Readonly<Record<string, unknown>>

export type MatchQueries = readonly {
  readonly query: string
  readonly isMeant: boolean
  /** This many of the rules have changed it. */
  readonly rulesApplied: number
}[]

const rulesMsMax = 1000
const rulesMax = 100
const queryLengthMax = 500

/**
 * It works out for each series what a plugin is asked for, and whether it is asked at all. A pattern may run for ever:
 * a time limit ends the work, and everything that was to be worked out with it.
 */
export const matchQueries = async ({
  template,
  rules,
  conditions,
  contexts,
}: MatchQueriesJob): Promise<MatchQueries> => {
  const queries: MatchQueries[number][] = []
  for (const context of contexts) {
    const words = template === null ? context.title : (await renderTemplate({ template, context })).text
    const { text: query, rulesApplied } = inTime(() => prepared(words, rules)) ?? { text: words, rulesApplied: 0 }
    const trimmed = query.trim().slice(0, queryLengthMax).toWellFormed()
    queries.push({
      query: trimmed === '' ? context.title : trimmed,
      rulesApplied,
      isMeant: inTime(() => holds(conditions, context)) ?? false,
    })
  }
  return queries
}

const inTime = <Result>(work: () => Result): Result | undefined => {
  try {
    return runInNewContext('work()', { work }, { timeout: rulesMsMax }) as Result
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw new BookFault('timeout', 'A pattern takes longer than a second.', { cause: error })
    return undefined
  }
}

interface Rule {
  readonly pattern?: unknown
  readonly replacement?: unknown
  readonly enabled?: unknown
}

const prepared = (words: string, rules: unknown): { text: string; rulesApplied: number } => {
  let text = words
  let rulesApplied = 0
  for (const { pattern, replacement, enabled } of listOf(rules).slice(0, rulesMax) as readonly Rule[]) {
    if (typeof pattern !== 'string' || typeof replacement !== 'string' || enabled === false) continue
    const next = text.replace(new RegExp(pattern, 'gu'), replacement).slice(0, 10 * queryLengthMax)
    if (next !== text) rulesApplied += 1
    text = next
  }
  return { text, rulesApplied }
}

const listOf = (value: unknown): readonly object[] =>
  Array.isArray(value) ? (value as unknown[]).filter((each) => typeof each === 'object' && each !== null) : []

interface Condition {
  readonly field?: unknown
  readonly operator?: unknown
  readonly value?: unknown
}

const holds = (conditions: unknown, context: Context): boolean => {
  if (typeof conditions !== 'object' || conditions === null) return true
  const { mode, rules } = conditions as { mode?: unknown; rules?: unknown }
  const each = listOf(rules)
    .slice(0, rulesMax)
    .map((condition) => holdsOne(condition, context))
  if (each.length === 0) return true
  return mode === 'any' ? each.some(Boolean) : each.every(Boolean)
}

const holdsOne = ({ field, operator, value }: Condition, context: Context): boolean => {
  const fieldValue = typeof field === 'string' ? valueAt(context, field) : undefined
  const judge = typeof operator === 'string' ? operators.get(operator) : undefined
  return judge !== undefined && judge(fieldValue ?? null, value)
}

/** `book_count` and `bookCount` are the same. */
const valueAt = (context: Context, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null) return undefined
    const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    const key = [name, camel].find((each) => Object.hasOwn(value, each))
    return key === undefined ? undefined : (value as Readonly<Record<string, unknown>>)[key]
  }, context)

const isNothing = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.toLowerCase() : JSON.stringify(value ?? null).toLowerCase()
const isSame = (one: unknown, other: unknown): boolean => textOf(one) === textOf(other)
const contains = (value: unknown, expected: unknown): boolean =>
  Array.isArray(value) ? value.some((each) => isSame(each, expected)) : textOf(value).includes(textOf(expected))
const isIn = (value: unknown, list: unknown): boolean => Array.isArray(list) && list.some((each) => isSame(each, value))

/** A value that is not known passes no test but those for its absence (W10). */
const ofKnown =
  (judge: (value: unknown, expected: unknown) => boolean) =>
  (value: unknown, expected: unknown): boolean =>
    !isNothing(value) && judge(value, expected)
const containsKnown = ofKnown(contains)

const operators = new Map<string, (value: unknown, expected: unknown) => boolean>([
  ['is_null', isNothing],
  ['is_not_null', (value) => !isNothing(value)],
  ['equals', isSame],
  ['not_equals', (value, expected) => !isSame(value, expected)],
  ['gt', ofKnown((value, expected) => Number(value) > Number(expected))],
  ['gte', ofKnown((value, expected) => Number(value) >= Number(expected))],
  ['lt', ofKnown((value, expected) => Number(value) < Number(expected))],
  ['lte', ofKnown((value, expected) => Number(value) <= Number(expected))],
  ['contains', containsKnown],
  ['not_contains', (value, expected) => !containsKnown(value, expected)],
  ['starts_with', ofKnown((value, expected) => textOf(value).startsWith(textOf(expected)))],
  ['ends_with', ofKnown((value, expected) => textOf(value).endsWith(textOf(expected)))],
  ['matches', ofKnown((value, expected) => new RegExp(String(expected), 'iu').test(textOf(value)))],
  ['in', isIn],
  ['not_in', (value, expected) => !isIn(value, expected)],
])
