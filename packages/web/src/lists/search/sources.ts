import { listBooksByCondition, listSeriesByCondition } from '@carrel/api'
import { conditionOf } from '../filter/filters.ts'
import type { ItemOf, Kind } from '../kinds.ts'
import { type ListSearch, searchText, usualSorting, wordsOfSearch } from './list-search.ts'
import { sortWord } from './preset-sort.ts'
import { type ListSource, type PageQuery, pageQuery, pageSize } from '../pages/use-pages.ts'

/** It is the list before filters: the books of a series, the series of a library. */
export interface Scope {
  readonly libraryId?: string
  readonly seriesId?: string
  /** What carries one name: all that somebody made, all of a genre. */
  readonly term?: { readonly kind: keyof typeof termFields; readonly name: string; readonly role?: string }
}

const termFields = { person: 'author', genre: 'genre', tag: 'tag' } as const

const leafOf = ({ libraryId, seriesId, term }: Scope) =>
  term !== undefined
    ? { [termFields[term.kind]]: { operator: 'is', value: term.name, role: term.role } }
    : scopeOf(libraryId, seriesId)

const scopeOf = (libraryId: string | undefined, seriesId: string | undefined) =>
  seriesId === undefined
    ? libraryId === undefined
      ? undefined
      : { libraryId: { operator: 'is', value: libraryId } }
    : { seriesId: { operator: 'is', value: seriesId } }

/** Condition and text of a list, as lists, facets and letters take them. */
export const listQueryOf = <K extends Kind>(kind: K, { filters }: ListSearch<K>, scope: Scope) => {
  const condition = conditionOf(kind, filters, leafOf(scope))
  return { ...(condition && { condition }), ...(filters.text && { fullTextSearch: filters.text }) }
}

/** A list as the server has it. Series and books differ in the words of their conditions and orders alone. */
export const sourceOf = <K extends Kind>(kind: K, search: ListSearch<K>, scope: Scope = {}): ListSource<ItemOf[K]> => {
  const body = listQueryOf(kind, search, scope) as never
  const sorting = search.sorting ?? usualSorting<K>(search.filters, scope)
  const sort = sorting && { sort: sortWord(kind, sorting) as never }
  const endpoint = kind === 'series' ? listSeriesByCondition : listBooksByCondition
  return {
    key: `${kind}${JSON.stringify(scope)}${searchText({ ...wordsOfSearch(kind, search), view: undefined })}`,
    page: (page) => {
      const input = { query: { page, pageSize, ...sort }, body }
      return pageQuery(endpoint as typeof listSeriesByCondition, input) as unknown as PageQuery<ItemOf[K]>
    },
  }
}
