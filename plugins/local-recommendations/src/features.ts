import type { LibraryEntry } from '@carrel/plugin-sdk'

/** The weights say how much a common feature counts: a writer more than a tag, a tag more than a publisher. */
const kinds = { author: 2.2, tag: 1, genre: 0.8, publisher: 0.5 } as const
type Kind = keyof typeof kinds

/** The limit is per series: some catalogues give a series hundreds of tags. */
const featuresMax = 60

export interface Feature {
  readonly kind: Kind
  /** The spelling is that of the first series that has it. */
  readonly name: string
}

/** Unit length, sorted by feature: what two of them have in common is found in one pass. */
export interface Vector {
  readonly features: readonly number[]
  readonly weights: readonly number[]
}

export interface FeatureSpace {
  readonly features: readonly Feature[]
  /** It counts the series that have each feature. */
  readonly counts: readonly number[]
  /** The vectors stand in the order of the entries. */
  readonly vectors: readonly Vector[]
}

const storytellers = new Set(['author', 'co_author', 'writer', 'penciller', 'illustrator'])

/** Rare features of this library count more than common ones: a feature that everything has says nothing. */
export const featureSpaceOf = async (
  library: readonly LibraryEntry[],
  breathe: () => Promise<void>,
): Promise<FeatureSpace> => {
  const indexes = new Map<string, number>()
  const features: Feature[] = []
  const counts: number[] = []
  const sets: number[][] = []
  for (const entry of library) {
    await breathe()
    const own = new Set<number>()
    for (const feature of featuresOf(entry).slice(0, featuresMax)) {
      const key = `${feature.kind}:${plain(feature.name)}`
      const index = indexes.get(key) ?? features.push(feature) - 1
      indexes.set(key, index)
      if (!own.has(index)) counts[index] = (counts[index] ?? 0) + 1
      own.add(index)
    }
    sets.push([...own].toSorted((a, b) => a - b))
  }
  const weightOf = features.map(({ kind }, index) => kinds[kind] * Math.log(library.length / (counts[index] ?? 1)))
  return { features, counts, vectors: sets.map((own) => unit(own, weightOf)) }
}

const featuresOf = ({ genres, tags, metadata }: LibraryEntry): Feature[] => {
  const authors = (metadata?.authors ?? []).flatMap((person) => {
    if (typeof person === 'string') return [person]
    return storytellers.has(person.role ?? 'author') ? [person.name] : []
  })
  const named = (kind: Kind, names: readonly string[]): Feature[] =>
    names.filter((name) => plain(name) !== '').map((name) => ({ kind, name: name.trim() }))
  return [
    ...named('author', authors),
    ...named('publisher', metadata?.publisher == null ? [] : [metadata.publisher]),
    ...named('genre', genres ?? []),
    ...named('tag', tags ?? []),
  ]
}

/** "Sci-Fi" and "sci fi" are the same. */
const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const unit = (features: readonly number[], weightOf: readonly number[]): Vector => {
  const weights = features.map((index) => weightOf[index] ?? 0)
  const length = Math.hypot(...weights)
  return { features, weights: length === 0 ? weights : weights.map((weight) => weight / length) }
}

export interface Common {
  readonly feature: number
  readonly share: number
}

/** It lists the common features of two series, and how much each adds to their likeness. */
export const inCommon = (a: Vector, b: Vector): Common[] => {
  const common: Common[] = []
  let at = 0
  for (const [index, feature] of a.features.entries()) {
    while ((b.features[at] ?? Infinity) < feature) at += 1
    if (b.features[at] === feature) common.push({ feature, share: (a.weights[index] ?? 0) * (b.weights[at] ?? 0) })
  }
  return common
}

/** 0 for nothing in common, 1 for everything. */
export const likeness = (a: Vector, b: Vector): number => inCommon(a, b).reduce((sum, { share }) => sum + share, 0)
