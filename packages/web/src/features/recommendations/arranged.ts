import type { RecommendationDto, RecommendationSource } from '@carrel/api'

/** Recommendations can be selected by origin: several plugins may use the same ids. */
export interface Origin {
  readonly source: string
  readonly names: readonly string[]
}

export const originsOf = (sources: readonly RecommendationSource[]): Origin[] =>
  [...Map.groupBy(sources, ({ source }) => source)].map(([source, several]) => ({
    source,
    names: several.map(({ pluginName }) => pluginName),
  }))

type RecommendationOrigin = Pick<RecommendationDto, 'source' | 'sourcePlugin'>

interface Group<Item> {
  /** It is the name of the plugin; undefined when all plugins are shown together. */
  readonly name: string | undefined
  readonly items: readonly Item[]
}

interface ArrangeOptions {
  readonly source?: string | undefined
  readonly sort?: 'source' | undefined
  /** The rest is shown on demand. */
  readonly atMost: number
}

/** The best first, as the server has them; or each plugin by itself, the one with the best first. */
export const arranged = <Item extends RecommendationOrigin>(
  recommendations: readonly Item[],
  { source, sort, atMost }: ArrangeOptions,
): { readonly groups: readonly Group<Item>[]; readonly total: number } => {
  const selected = recommendations.filter((each) => source === undefined || each.source === source)
  if (selected.length === 0) return { groups: [], total: 0 }
  const groups =
    sort === 'source'
      ? [...Map.groupBy(selected, ({ sourcePlugin }) => sourcePlugin)].map(([name, items]) => ({ name, items }))
      : [{ name: undefined, items: selected }]
  let left = atMost
  const shown = groups.map(({ name, items }) => {
    const some = items.slice(0, Math.max(0, left))
    left -= some.length
    return { name, items: some }
  })
  return { groups: shown.filter(({ items }) => items.length > 0), total: selected.length }
}
