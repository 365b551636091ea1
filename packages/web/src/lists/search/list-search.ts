import { wholeNumber, word, wordOf } from '../../navigation/search-params.ts'
import { type Choice, choicesOf, type FilterName, type Filters, filtersOfKind, type Years } from '../filter/filters.ts'
import type { Kind } from '../kinds.ts'

/** Each order has a word in the address, the server's order, and the direction it has at first. */
export const orders = {
  series: {
    name: { field: 'name', first: 'asc' },
    added: { field: 'date_added', first: 'desc' },
    updated: { field: 'date_updated', first: 'desc' },
    year: { field: 'year', first: 'desc' },
    read: { field: 'date_read', first: 'desc' },
    books: { field: 'book_count', first: 'desc' },
    rating: { field: 'user_rating', first: 'desc' },
    community: { field: 'community_rating', first: 'desc' },
  },
  books: {
    name: { field: 'name', first: 'asc' },
    series: { field: 'series', first: 'asc' },
    number: { field: 'number', first: 'asc' },
    added: { field: 'date_added', first: 'desc' },
    updated: { field: 'date_updated', first: 'desc' },
    released: { field: 'release_date', first: 'desc' },
    read: { field: 'last_read', first: 'desc' },
    pages: { field: 'page_count', first: 'desc' },
    size: { field: 'file_size', first: 'desc' },
  },
} as const

export type Order<K extends Kind = Kind> = K extends Kind ? keyof (typeof orders)[K] & string : never

export interface Sorting<K extends Kind = Kind> {
  readonly order: Order<K>
  readonly isDown: boolean
}

/** The order a list has by itself: its books' numbers within a series, what fits best for a text (pins W10). */
export const usualSorting = <K extends Kind>(
  { text }: Filters,
  { seriesId }: { readonly seriesId?: string },
): Sorting<K> | undefined =>
  text === undefined ? ({ order: seriesId === undefined ? 'name' : 'number', isDown: false } as Sorting<K>) : undefined

/** It is the list's part of the address. */
export interface ListSearch<K extends Kind = Kind> {
  readonly filters: Filters
  /** Absent: as the list is by itself. */
  readonly sorting?: Sorting<K> | undefined
  readonly layout: 'grid' | 'table'
}

export type SearchWords = Readonly<Record<string, string | readonly string[] | undefined>>

/** `-` before a value leaves it out; a value that begins so itself has a `\` before it. */
const written = ({ value, not }: Choice): string => (not ? '-' : /^[-\\]/.test(value) ? '\\' : '') + value
const readChoice = (text: string): Choice =>
  text.startsWith('-')
    ? { value: text.slice(1), not: true }
    : { value: text.startsWith('\\') ? text.slice(1) : text, not: false }

const wordsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((each): each is string => typeof each === 'string' && each !== '')

const yearsFrom = (value: unknown): Years | undefined => {
  const [, from = '', to = ''] = /^(\d{0,4})\.\.(\d{0,4})$/.exec(word(value) ?? '') ?? []
  const years = { from: wholeNumber(from || undefined, 0, 9999), to: wholeNumber(to || undefined, 0, 9999) }
  return years.from === undefined && years.to === undefined ? undefined : years
}

/** The address may be typed by hand or old: whatever is not understood is ignored. */
export const parseListSearch = <K extends Kind>(kind: K, words: Readonly<Record<string, unknown>>): ListSearch<K> => {
  const names = filtersOfKind(kind)
  const choices: Partial<Record<FilterName, readonly Choice[]>> = {}
  for (const name of names) {
    const all = wordsOf(words[name]).map(readChoice)
    const distinct = all.filter(
      ({ value }, index) => value !== '' && all.findIndex((each) => each.value === value) === index,
    )
    if (distinct.length > 0) choices[name] = distinct
  }
  const every = wordsOf(words.every).flatMap((each) => wordOf(names, each) ?? [])
  const sort = word(words.sort)
  const order = wordOf(Object.keys(orders[kind]) as Order<K>[], sort?.replace(/^-/, ''))
  return {
    filters: {
      choices,
      every: [...new Set(every)],
      years: kind === 'series' ? yearsFrom(words.year) : undefined,
      text: word(words.q),
    },
    sorting: order && { order, isDown: sort?.startsWith('-') === true },
    layout: wordOf(['grid', 'table'], words.view) ?? 'grid',
  }
}

/** The words of the address that say it: nothing that is as it would be anyway. */
export const wordsOfSearch = <K extends Kind>(kind: K, { filters, sorting, layout }: ListSearch<K>): SearchWords => {
  const chosen = filtersOfKind(kind).map((name) => [name, choicesOf(filters, name).map(written)] as const)
  const { years } = filters
  return {
    q: filters.text,
    ...Object.fromEntries(chosen.map(([name, values]) => [name, values.length > 0 ? values : undefined])),
    every: filters.every.length > 0 ? filters.every : undefined,
    year: years && `${years.from ?? ''}..${years.to ?? ''}`,
    sort: sorting && `${sorting.isDown ? '-' : ''}${sorting.order}`,
    view: layout === 'table' ? 'table' : undefined,
  }
}

/** An address with such a search behind it: of a genre that is linked to, for example. */
export const searchText = (words: SearchWords): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(words)) {
    for (const each of value === undefined ? [] : [value].flat()) parameters.append(name, each)
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`
}

/** The list then shows what carries this genre, tag or name. */
export const searchFor = (name: FilterName, value: string): string =>
  searchText({ [name]: written({ value, not: false }) })
