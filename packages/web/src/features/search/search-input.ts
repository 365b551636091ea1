import type { SearchKind } from '../../navigation/paths.ts'

export interface SearchOfPage {
  readonly q?: string | undefined
  readonly kind?: SearchKind | undefined
}

export const fewOfEach = 12
const manyOfOne = 50

/** The query asks for a few of each kind, or many of one. */
export const searchInput = ({ q, kind }: SearchOfPage) => ({
  query: { q: q ?? '', limit: kind === undefined ? fewOfEach : manyOfOne },
})
