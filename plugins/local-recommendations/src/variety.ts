import { type FeatureSpace, type Vector, likeness } from './features.ts'
import type { Ranked } from './rank.ts'

/** A series that is the twin of a chosen one loses this share of its score. */
const sameness = 0.35
const consideredMax = 200

/** It avoids ten of one author: the best comes first, then each time the best of what brings something new. */
export const withVariety = (ranked: readonly Ranked[], space: FeatureSpace, limit: number): Ranked[] => {
  const left = ranked.slice(0, Math.max(consideredMax, limit))
  const perAuthor = Math.max(2, Math.ceil(limit / 5))
  const byAuthor = new Map<number, number>()
  const likeChosen = new Map<Ranked, number>()
  const chosen: Ranked[] = []
  while (chosen.length < limit && left.length > 0) {
    const allowed = left.filter(({ index }) =>
      authorsOf(space, index).every((author) => (byAuthor.get(author) ?? 0) < perAuthor),
    )
    const worth = (one: Ranked): number => one.score * (1 - sameness * (likeChosen.get(one) ?? 0))
    // When everybody has had their share, better one more of them than nothing.
    const from = allowed.length > 0 ? allowed : left
    const next = from.reduce((best, one) => (worth(one) > worth(best) ? one : best))
    left.splice(left.indexOf(next), 1)
    chosen.push(next)
    for (const author of authorsOf(space, next.index)) byAuthor.set(author, (byAuthor.get(author) ?? 0) + 1)
    for (const one of left) {
      likeChosen.set(one, Math.max(likeChosen.get(one) ?? 0, likeness(vectorOf(space, one), vectorOf(space, next))))
    }
  }
  return chosen
}

const vectorOf = ({ vectors }: FeatureSpace, { index }: Ranked): Vector =>
  vectors[index] ?? { features: [], weights: [] }

const authorsOf = ({ vectors, features }: FeatureSpace, index: number): number[] =>
  (vectors[index]?.features ?? []).filter((feature) => features[feature]?.kind === 'author')
