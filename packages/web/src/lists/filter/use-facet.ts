import { type FacetValue, readBookFacets, readSeriesFacets } from '@carrel/api'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { query, useLater } from '../../api/queries.ts'
import type { Kind } from '../kinds.ts'
import { filterFields, type FilterName, without } from './filters.ts'
import type { ListSearch } from '../search/list-search.ts'
import { listQueryOf, type Scope } from '../search/sources.ts'

const facetsAtMost = 500

interface Counted<K extends Kind> {
  /** Without what is chosen of the facet itself, so that one sees what else there is to choose. */
  readonly search: ListSearch<K>
  readonly scope: Scope
}

/** The values of a facet with how many of such a list have them, the most frequent first. */
export const useFacet = <K extends Kind>(
  kind: K,
  facet: string,
  { search, scope }: Counted<K>,
): readonly FacetValue[] | undefined => {
  const { data } = useLater(...facetRead(kind, facet, { search, scope }), { keepPrevious: true })
  return data?.facets[facet]
}

const facetRead = <K extends Kind>(kind: K, facet: string, { search, scope }: Counted<K>) => {
  const input = { body: { ...listQueryOf(kind, search, scope), facets: [facet], limit: facetsAtMost } } as never
  // Both endpoints take and give the same; the fields of the kind say which facets there are.
  const endpoint = (kind === 'series' ? readSeriesFacets : readBookFacets) as typeof readSeriesFacets
  return [endpoint, input] as const
}

/** Whether these are all counted: what would come one after the other comes together, and nothing below it moves. */
export const useAreCounted = <K extends Kind>(
  kind: K,
  names: readonly (FilterName | 'years')[],
  { search, scope }: Counted<K>,
): boolean => {
  const { filters } = search
  const queries = names.map((name) => {
    const others = name === 'years' ? { ...filters, years: undefined } : without(filters, name)
    const facet = name === 'years' ? 'year' : filterFields[name]
    return query(...facetRead(kind, facet, { search: { ...search, filters: others }, scope }))
  })
  const [isReady, setReady] = useState(false)
  const isAll = useQueries({ queries }).every(({ data }) => data !== undefined)
  if (isAll && !isReady) setReady(true)
  return isReady || isAll
}
