import { type BookCondition, bookFields, type SeriesCondition, seriesFields } from '@carrel/api'
import type { Kind } from '../kinds.ts'

/** Each filter has a word in the address and a field in the language of conditions. */
export const filterFields = {
  genre: 'genre',
  tag: 'tag',
  person: 'author',
  publisher: 'publisher',
  language: 'language',
  status: 'status',
  read: 'readStatus',
  library: 'libraryId',
  format: 'format',
  type: 'bookType',
} as const
export type FilterName = keyof typeof filterFields
const filterNames = Object.keys(filterFields) as FilterName[]

export const filtersOfKind = (kind: Kind): readonly FilterName[] =>
  filterNames.filter((name) => filterFields[name] in (kind === 'series' ? seriesFields : bookFields))

export interface Choice {
  readonly value: string
  /** Entries that have it are left out. */
  readonly not: boolean
}

export interface Years {
  readonly from?: number | undefined
  readonly to?: number | undefined
}

export interface Filters {
  readonly choices: Readonly<Partial<Record<FilterName, readonly Choice[]>>>
  /** All choices in these filters must hold; in the others any one is enough. */
  readonly every: readonly FilterName[]
  readonly years?: Years | undefined
  readonly text?: string | undefined
}

export const noFilters: Filters = { choices: {}, every: [] }

export const choicesOf = ({ choices }: Filters, name: FilterName): readonly Choice[] => choices[name] ?? []

export const isFiltered = (filters: Filters): boolean => countFilters(filters) > 0

export const countFilters = (filters: Filters): number =>
  (filters.years === undefined ? 0 : 1) +
  (filters.text === undefined ? 0 : 1) +
  filterNames.reduce((sum, name) => sum + choicesOf(filters, name).length, 0)

/** The choice is added, or removed when it was there already. */
export const toggled = (filters: Filters, name: FilterName, choice: Choice): Filters => {
  const before = choicesOf(filters, name)
  const others = before.filter(({ value }) => value !== choice.value)
  const isOff = before.some(({ value, not }) => value === choice.value && not === choice.not)
  return { ...filters, choices: { ...filters.choices, [name]: isOff ? others : [...others, choice] } }
}

export const without = (filters: Filters, name: FilterName): Filters => ({
  ...filters,
  choices: { ...filters.choices, [name]: [] },
})

type Leaf = Readonly<Record<string, unknown>>
type Condition = Leaf | { readonly allOf: readonly Condition[] } | { readonly anyOf: readonly Condition[] }

const leaf = (name: FilterName, { value, not }: Choice): Leaf => ({
  [filterFields[name]]: { operator: not ? 'isNot' : 'is', value },
})

const partsOf = (filters: Filters, name: FilterName): Condition[] => {
  const choices = choicesOf(filters, name)
  const included = choices.filter(({ not }) => !not).map((choice) => leaf(name, choice))
  const refused = choices.filter(({ not }) => not).map((choice) => leaf(name, choice))
  const isAny = included.length > 1 && !filters.every.includes(name)
  return [...(isAny ? [{ anyOf: included }] : included), ...refused]
}

/** The server accepts this form. It is built from the fields that the kind has, so it is one of its conditions. */
export const conditionOf = <K extends Kind>(
  kind: K,
  filters: Filters,
  scope?: Leaf,
): (K extends 'series' ? SeriesCondition : BookCondition) | undefined => {
  const { years } = filters
  const parts = [
    ...(scope ? [scope] : []),
    ...filtersOfKind(kind).flatMap((name) => partsOf(filters, name)),
    ...(years && kind === 'series'
      ? [{ year: { operator: 'between', min: years.from ?? null, max: years.to ?? null } }]
      : []),
  ]
  const condition: Condition | undefined = parts.length === 0 ? undefined : { allOf: parts }
  return condition as (K extends 'series' ? SeriesCondition : BookCondition) | undefined
}

/** It turns a condition into chips; undefined when the condition says more than chips can, as a preset may. */
export const filtersFrom = (kind: Kind, condition: object): Filters | undefined => {
  const parts = 'allOf' in condition && Array.isArray(condition.allOf) ? (condition.allOf as object[]) : [condition]
  const read: Reading = { choices: {}, every: new Set(), years: undefined }
  const isRead = parts.every((part) => readPart(kind, part, read))
  return isRead
    ? { choices: read.choices, every: [...read.every], ...(read.years && { years: read.years }) }
    : undefined
}

interface Reading {
  readonly choices: Partial<Record<FilterName, Choice[]>>
  readonly every: Set<FilterName>
  years: Years | undefined
}

const readPart = (kind: Kind, part: object, read: Reading): boolean => {
  if ('year' in part) {
    const { operator, min, max } = part.year as { operator?: unknown; min?: unknown; max?: unknown }
    if (operator !== 'between' || kind !== 'series' || read.years) return false
    read.years = { ...(typeof min === 'number' && { from: min }), ...(typeof max === 'number' && { to: max }) }
    return true
  }
  const leaves = 'anyOf' in part && Array.isArray(part.anyOf) ? (part.anyOf as object[]) : [part]
  const leafChoices = leaves.map((each) => choiceIn(kind, each))
  const [first] = leafChoices
  if (!first || leafChoices.some((each) => each?.name !== first.name || (each.choice.not && leaves.length > 1)))
    return false
  const existing = read.choices[first.name] ?? []
  const includedBefore = existing.filter(({ not }) => !not).length
  if (!first.choice.not && includedBefore > 0) {
    if (leaves.length > 1 || (includedBefore > 1 && !read.every.has(first.name))) return false
    read.every.add(first.name)
  }
  read.choices[first.name] = [...existing, ...leafChoices.flatMap((each) => (each ? [each.choice] : []))]
  return true
}

const choiceIn = (kind: Kind, part: object): { name: FilterName; choice: Choice } | undefined => {
  const [[field, test] = ['', undefined], ...more] = Object.entries(part)
  const name = filtersOfKind(kind).find((each) => filterFields[each] === field)
  const { operator, value } = (typeof test === 'object' && test !== null ? test : {}) as Record<string, unknown>
  if (!name || more.length > 0 || typeof value !== 'string') return undefined
  return operator === 'is' || operator === 'isNot' ? { name, choice: { value, not: operator === 'isNot' } } : undefined
}
