import { type FeatureSpace, type Vector, likeness } from './features.ts'

/** The best of the first pass get a second, closer one. */
const secondPassMax = 400
/** A series is recommended for the sake of the few that it is most like, not for what it has of everything. */
const nearestMax = 5
const nearestShare = 0.5
/** The counts start as if somebody had read this many series at random as well: one or two series read say little. */
const evenHand = 200
/** Features of disliked series count less than those of liked ones. */
const dislikeShare = 0.3
/** It says how much each kind of feature reveals about taste. */
const says = { author: 1.5, tag: 1, genre: 1, publisher: 0.3 } as const

export interface Ranked {
  readonly index: number
  readonly score: number
  /** The series it is recommended for, those that say most first. */
  readonly because: readonly { readonly index: number; readonly pull: number }[]
}

/**
 * Two passes: one over every series, for what somebody has read more of than the library would have it; one over what each of the
 * best is like of all they have read. Other calls are answered in between.
 */
export const rank = async (
  space: FeatureSpace,
  taste: readonly number[],
  candidates: readonly number[],
  breathe: () => Promise<void>,
): Promise<Ranked[]> => {
  const { vectors } = space
  const pull = pullOf(space, taste)
  const firstPass: { index: number; score: number }[] = []
  for (const index of candidates) {
    await breathe()
    const score = sumOf(vectors[index], pull)
    if (score > 0) firstPass.push({ index, score })
  }
  const liked = taste.flatMap((liking, index) => (liking === 0 ? [] : [{ liking, vector: vectors[index], index }]))
  const ranked: Ranked[] = []
  for (const { index, score } of firstPass.toSorted(byScore).slice(0, secondPassMax)) {
    await breathe()
    const pulls = liked
      .map(({ liking, vector, index: other }) => ({ index: other, pull: liking * likenessOf(vectors[index], vector) }))
      .filter(({ pull }) => pull !== 0)
      .toSorted((a, b) => b.pull - a.pull || a.index - b.index)
    const because = pulls.filter(({ pull }) => pull > 0).slice(0, nearestMax)
    const against = pulls.filter(({ pull }) => pull < 0).slice(-nearestMax)
    const near = total(because) + dislikeShare * total(against)
    if (because.length > 0 && near > 0) ranked.push({ index, score: score + nearestShare * near, because })
  }
  return ranked.toSorted(byScore)
}

const byScore = (a: { index: number; score: number }, b: { index: number; score: number }): number =>
  b.score - a.score || a.index - b.index

const total = (pulls: readonly { readonly pull: number }[]): number => pulls.reduce((sum, { pull }) => sum + pull, 0)

const likenessOf = (a: Vector | undefined, b: Vector | undefined): number => (a && b ? likeness(a, b) : 0)

/**
 * It weighs each feature: is it found more often in what they like than in the library, and more often in what they
 * dislike?
 */
const pullOf = ({ vectors, features, counts }: FeatureSpace, taste: readonly number[]): Float64Array => {
  const [liked, disliked] = [new Float64Array(features.length), new Float64Array(features.length)]
  const [allLiked, allDisliked] = [sum(taste, 1), sum(taste, -1)]
  for (const [index, liking] of taste.entries()) {
    const into = liking > 0 ? liked : disliked
    for (const feature of vectors[index]?.features ?? []) into[feature] = (into[feature] ?? 0) + Math.abs(liking)
  }
  return Float64Array.from(features, ({ kind }, feature) => {
    const share = (counts[feature] ?? 1) / vectors.length
    const lift = (count: number, all: number): number =>
      Math.log((count + evenHand * share) / ((all + evenHand) * share))
    return says[kind] * (lift(liked[feature] ?? 0, allLiked) - dislikeShare * lift(disliked[feature] ?? 0, allDisliked))
  })
}

const sum = (taste: readonly number[], sign: 1 | -1): number =>
  taste.reduce((total, liking) => total + Math.max(0, sign * liking), 0)

const sumOf = (vector: Vector | undefined, pull: Float64Array): number =>
  (vector?.features ?? []).reduce((total, feature) => total + (pull[feature] ?? 0), 0)
