/** Titles are compared like this in every plugin, so that two plugins mean the same by a confidence. */

const articles = /^(the|a|an|der|die|das|ein|eine|le|la|les|un|une|el|los|las|il|lo|gli|de|het|een) (?=.)/

/** Case, accents, punctuation and a leading article are left out. */
export const plainTitle = (title: string): string =>
  title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(articles, '')

/** The groups of three letters of a plain title, each once: two titles with a slip between them still share most. */
export const trigramsOf = (plain: string): Set<string> => {
  const padded = `  ${plain} `
  const trigrams = new Set<string>()
  for (let at = 0; at + 3 <= padded.length; at += 1) trigrams.add(padded.slice(at, at + 3))
  return trigrams
}

/** 0 for nothing in common, 1 for the same title. */
export const titleLikeness = (one: string, other: string): number => {
  const [a, b] = [plainTitle(one), plainTitle(other)]
  if (a === '' || b === '') return 0
  if (a === b) return 1
  const [ofA, ofB] = [trigramsOf(a), trigramsOf(b)]
  let shared = 0
  for (const trigram of ofA) if (ofB.has(trigram)) shared += 1
  // Two titles that differ never count as the same: "Night" and "night!" are the same, "Night 2" and "Night 1" are not.
  return Math.min(0.98, (2 * shared) / (ofA.size + ofB.size))
}

export interface Sought {
  readonly title: string
  readonly year?: number | null | undefined
  readonly authors?: readonly string[] | null | undefined
}

export interface MatchCandidate {
  readonly titles: readonly string[]
  readonly year?: number | null | undefined
  readonly authors?: readonly string[] | null | undefined
}

/** A title alone is never certain. */
const titleAloneMax = 0.9
const authorFrom = 0.75

/** 0 to 1. A year or an author that agree make it more, ones that do not make it much less. */
export const confidenceOf = (sought: Sought, candidate: MatchCandidate): number => {
  const likeness = Math.max(0, ...candidate.titles.map((title) => titleLikeness(sought.title, title)))
  const signs = [yearSign(sought.year, candidate.year), authorSign(sought.authors ?? [], candidate.authors ?? [])]
  const sum = signs.reduce((total, sign) => total + sign, likeness * titleAloneMax)
  return Math.min(1, Math.max(0, Math.round(sum * 1_000) / 1_000))
}

const yearSign = (sought: number | null | undefined, offered: number | null | undefined): number => {
  if (sought == null || offered == null) return 0
  const apart = Math.abs(sought - offered)
  if (apart <= 1) return apart === 0 ? 0.06 : 0.02
  return apart <= 3 ? -0.12 : -0.25
}

const authorSign = (sought: readonly string[], offered: readonly string[]): number => {
  if (sought.length === 0 || offered.length === 0) return 0
  const agrees = sought.some((one) => offered.some((other) => nameLikeness(one, other) >= authorFrom))
  return agrees ? 0.06 : -0.25
}

/** "Le Guin, Ursula K." is "Ursula K. Le Guin". */
const nameLikeness = (one: string, other: string): number => titleLikeness(inOrder(one), inOrder(other))

const inOrder = (name: string): string => plainTitle(name).split(' ').toSorted().join(' ')

/** The confidence of the best result drops by this when the next one is as good. */
const ambiguity = 0.2
const nearlyAsGood = 0.05

/** The best first; and how sure one can be that it is the one: less, when the second is nearly as good. */
export const decide = <Candidate extends { readonly confidence: number }>(
  candidates: readonly Candidate[],
): { readonly ranked: readonly Candidate[]; readonly confidence: number } => {
  const ranked = candidates.toSorted((a, b) => b.confidence - a.confidence)
  const [first, second] = ranked
  if (!first) return { ranked, confidence: 0 }
  const isClear = !second || first.confidence - second.confidence > nearlyAsGood
  return { ranked, confidence: isClear ? first.confidence : Math.max(0, first.confidence - ambiguity) }
}
