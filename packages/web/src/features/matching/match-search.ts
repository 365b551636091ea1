import { word } from '../../search-params.ts'

/** What the address of a page says on which metadata is looked for. */
export interface MatchSearch {
  readonly plugin?: string | undefined
  readonly q?: string | undefined
  readonly candidate?: string | undefined
  readonly match?: string | undefined
}

const wordsMax = 500

export const parseMatchSearch = ({ plugin, q, candidate, match }: Record<string, unknown>): MatchSearch => ({
  plugin: word(plugin),
  q: word(q)?.slice(0, wordsMax),
  candidate: word(candidate)?.slice(0, wordsMax),
  match: word(match),
})
