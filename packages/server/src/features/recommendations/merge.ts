import type { RecommendationDto } from '@carrel/api'

/** It holds the recommendations of one plugin, in its order. */
export interface Contribution {
  readonly source: string
  readonly pluginName: string
  readonly items: readonly Contributed[]
}

/** It is a recommendation of one plugin alone; `inService` is worked out afterwards. */
export type Contributed = Omit<RecommendationDto, 'inService' | 'source' | 'sourcePlugin'>

export type Merged = Omit<RecommendationDto, 'inService'> & {
  /** These sources recommend it. */
  readonly sources: readonly string[]
}

/**
 * One list of all: what several recommend stands there once, with what the highest score says of it and the reasons of all.
 * The best first, those alike by their titles.
 */
export const merge = (contributions: readonly Contribution[]): Merged[] => {
  const byId = new Map<string, { readonly item: Contributed; readonly by: Contribution }[]>()
  for (const by of contributions)
    for (const item of by.items) {
      const existing = byId.get(item.externalId)
      if (existing) existing.push({ item, by })
      else byId.set(item.externalId, [{ item, by }])
    }
  return [...byId.values()]
    .flatMap((several) => mergedOf(several.toSorted((a, b) => b.item.score - a.item.score)) ?? [])
    .toSorted((a, b) => b.score - a.score || compare(a.title, b.title) || compare(a.externalId, b.externalId))
}

const mergedOf = (
  several: readonly { readonly item: Contributed; readonly by: Contribution }[],
): Merged | undefined => {
  const [best] = several
  return (
    best && {
      ...best.item,
      reason: [...new Set(several.map(({ item }) => item.reason))].join(' · '),
      basedOn: [...new Set(several.flatMap(({ item }) => item.basedOn))],
      serviceSeriesId: several.map(({ item }) => item.serviceSeriesId).find((id) => id !== null) ?? null,
      inLibrary: several.some(({ item }) => item.inLibrary),
      source: best.by.source,
      sourcePlugin: best.by.pluginName,
      sources: [...new Set(several.map(({ by }) => by.source))],
    }
  )
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
