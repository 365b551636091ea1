import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseSearch } from '../../navigation/search-params.ts'
import {
  type Choice,
  choicesOf,
  conditionOf,
  type Filters,
  filtersFrom,
  filtersOfKind,
  noFilters,
  toggled,
} from '../filter/filters.ts'
import { type ListSearch, orders, parseListSearch, searchText, wordsOfSearch } from './list-search.ts'
import type { Kind } from '../kinds.ts'

const values = fc.oneof(
  fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
  fc.constantFrom('-', '--x', '\\', '\\-y', 'a&b=c', 'A,B', 'Größe', '進撃', '<script>', '%00', '+', ' '),
)
const choices = fc.uniqueArray(fc.record({ value: values, not: fc.boolean() }), {
  selector: ({ value }) => value,
  maxLength: 4,
})
const year = fc.option(fc.integer({ min: 1, max: 9999 }), { nil: undefined })

const searchOf = (kind: Kind): fc.Arbitrary<ListSearch> => {
  const names = filtersOfKind(kind)
  const filters = fc
    .record({
      chosen: fc.array(choices, { minLength: names.length, maxLength: names.length }),
      every: fc.uniqueArray(fc.constantFrom(...names)),
      years: fc.record({ from: year, to: year }),
      text: fc.option(values, { nil: undefined }),
    })
    .map(({ chosen, every, years, text }): Filters => {
      const entries = names.map((name, index) => [name, chosen[index] ?? []] as const)
      const hasYears = kind === 'series' && (years.from !== undefined || years.to !== undefined)
      return {
        choices: Object.fromEntries(entries.filter(([, each]) => each.length > 0)),
        every,
        years: hasYears ? years : undefined,
        text,
      }
    })
  return fc.record({
    filters,
    sorting: fc.option(
      fc.record({ order: fc.constantFrom(...(Object.keys(orders[kind]) as 'name'[])), isDown: fc.boolean() }),
      { nil: undefined },
    ),
    layout: fc.constantFrom('grid', 'table'),
  })
}

const kinds = ['series', 'books'] as const

test.each(kinds)('whatever %s are narrowed by comes back from its address', (kind) => {
  fc.assert(
    fc.property(searchOf(kind), (search) => {
      expect(parseListSearch(kind, parseSearch(searchText(wordsOfSearch(kind, search))))).toEqual(search)
    }),
  )
})

test('an address is read by people too', () => {
  const filters = toggled(
    toggled(toggled(noFilters, 'genre', { value: 'Science Fiction', not: false }), 'genre', {
      value: 'Horror',
      not: true,
    }),
    'read',
    { value: 'unread', not: false },
  )
  const words = wordsOfSearch('series', {
    filters: { ...filters, years: { from: 2000 } },
    sorting: { order: 'added', isDown: true },
    layout: 'grid',
  })
  expect(searchText(words)).toBe('?genre=Science+Fiction&genre=-Horror&read=unread&year=2000..&sort=-added')
})

test('what nobody understands is left out, and nothing breaks', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('genre', 'every', 'year', 'sort', 'view', 'q'), fc.anything()),
      (words) => {
        const read = parseListSearch('series', words)
        expect(parseListSearch('series', parseSearch(searchText(wordsOfSearch('series', read))))).toEqual(read)
      },
    ),
  )
  expect(parseListSearch('books', { sort: 'nonsense', year: '1..2', status: 'ended' })).toEqual({
    filters: { ...noFilters, years: undefined, text: undefined },
    sorting: undefined,
    layout: 'grid',
  })
})

/** What is wanted comes before what is refused, and "all of one" is the same as "any of one". */
const plain = (kind: Kind, filters: Filters) => {
  const sorted = (list: readonly Choice[]) => list.toSorted((a, b) => Number(a.not) - Number(b.not))
  const names = filtersOfKind(kind).filter((name) => choicesOf(filters, name).length > 0)
  return {
    choices: Object.fromEntries(names.map((name) => [name, sorted(choicesOf(filters, name))])),
    every: filters.every.filter((name) => choicesOf(filters, name).filter(({ not }) => !not).length > 1).toSorted(),
    years: filters.years && { ...filters.years },
  }
}

test.each(kinds)('whatever %s are narrowed by comes back from its condition, as from a preset', (kind) => {
  fc.assert(
    fc.property(searchOf(kind), ({ filters }) => {
      const condition = conditionOf(kind, filters) ?? { allOf: [] }
      const read = filtersFrom(kind, condition)
      expect(read && plain(kind, read)).toEqual(plain(kind, filters))
    }),
  )
})

test('a condition that chips cannot say is no filter', () => {
  const is = (value: string) => ({ genre: { operator: 'is', value } })
  for (const condition of [
    { not: is('A') },
    { allOf: [{ anyOf: [is('A'), { tag: { operator: 'is', value: 'B' } }] }] },
    { allOf: [is('C'), { anyOf: [is('A'), is('B')] }] },
    { allOf: [{ anyOf: [is('A'), is('B')] }, is('C')] },
    { allOf: [{ genre: { operator: 'contains', value: 'x' } }] },
    { allOf: [{ userRating: { operator: 'gte', value: 80 } }] },
    { allOf: [{ anyOf: [] }] },
  ]) {
    expect(filtersFrom('series', condition)).toBeUndefined()
  }
  expect(filtersFrom('series', is('A'))).toEqual({ choices: { genre: [{ value: 'A', not: false }] }, every: [] })
})
