import { type FacetValue, readBookFacets, readSeriesFacets } from '@carrel/api'
import { useLater } from '../../api/queries.ts'
import type { Kind } from '../kinds.ts'
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
  const input = { body: { ...listQueryOf(kind, search, scope), facets: [facet], limit: facetsAtMost } } as never
  // Both endpoints take and give the same; the fields of the kind say which facets there are.
  const endpoint = (kind === 'series' ? readSeriesFacets : readBookFacets) as typeof readSeriesFacets
  const { data } = useLater(endpoint, input, { keepPrevious: true })
  return data?.facets[facet]
}
