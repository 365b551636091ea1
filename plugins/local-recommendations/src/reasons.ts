import type { LibraryEntry } from '@carrel/plugin-sdk'
import type { Feature } from './features.ts'
import { stateOf } from './taste.ts'

/** A reason may name series that the user has rated this high. */
const likedFrom = 75

interface ReasonTexts {
  readonly and: string
  readonly because: (deeds: string, common: string) => string
  readonly rated: (titles: string, stars: number) => string
  readonly finished: (titles: string) => string
  readonly reading: (titles: string) => string
  readonly planned: (titles: string) => string
  readonly author: (names: string) => string
  readonly themes: (names: string) => string
  readonly genre: (names: string) => string
  readonly publisher: (names: string) => string
}

const english: ReasonTexts = {
  and: ' and ',
  because: (deeds, common) => `Because you ${deeds}: ${common}.`,
  rated: (titles, stars) => `gave ${titles} ${stars} of 5 stars`,
  finished: (titles) => `finished ${titles}`,
  reading: (titles) => `are reading ${titles}`,
  planned: (titles) => `want to read ${titles}`,
  author: (names) => `also by ${names}`,
  themes: (names) => `also about ${names}`,
  genre: (names) => `also of the genre ${names}`,
  publisher: (names) => `also published by ${names}`,
}

const german: ReasonTexts = {
  and: ' und ',
  because: (deeds, common) => `Weil du ${deeds}: ${common}.`,
  rated: (titles, stars) => `${titles} ${String(stars).replace('.', ',')} von 5 Sternen gegeben hast`,
  finished: (titles) => `${titles} ausgelesen hast`,
  reading: (titles) => `gerade ${titles} liest`,
  planned: (titles) => `${titles} lesen willst`,
  author: (names) => `auch von ${names}`,
  themes: (names) => `auch über ${names}`,
  genre: (names) => `auch aus dem Genre ${names}`,
  publisher: (names) => `auch erschienen bei ${names}`,
}

const languages = { en: english, de: german } as const
export type Language = keyof typeof languages

export interface InCommon {
  /** The recommendation shares these with the first series it is recommended for, the most telling features first. */
  readonly first: readonly Feature[]
  /** The recommendation shares these with both the first series and the second. */
  readonly both: readonly Feature[]
}

/** One sentence: what they did with which series, and what those have in common with this one. */
export const reasonFor = (because: readonly LibraryEntry[], common: InCommon, language: Language): string => {
  const words = languages[language]
  const [first, second] = because
  if (!first) return ''
  const deed = deedOf(first)
  if (deed === 'rated') {
    return words.because(words.rated(first.title, starsOf(first.userRating ?? 0)), commonIn(words, common.first))
  }
  const isPair = second !== undefined && deedOf(second) === deed && common.both.length > 0
  const titles = listed(words, isPair ? [first.title, second.title] : [first.title])
  return words.because(words[deed](titles), commonIn(words, isPair ? common.both : common.first))
}

/** People rate in half stars. */
const starsOf = (rating: number): number => Math.round(rating / 10) / 2

const deedOf = (entry: LibraryEntry): 'rated' | 'finished' | 'reading' | 'planned' => {
  if ((entry.userRating ?? 0) >= likedFrom) return 'rated'
  const state = stateOf(entry)
  if (state === 'completed') return 'finished'
  return state === 'plan_to_read' ? 'planned' : 'reading'
}

const commonIn = (words: ReasonTexts, common: readonly Feature[]): string => {
  const named = (kind: Feature['kind'], most: number): string[] =>
    common
      .filter((feature) => feature.kind === kind)
      .slice(0, most)
      .map(({ name }) => name)
  const [authors, tags, genres, publishers] = [
    named('author', 2),
    named('tag', 2),
    named('genre', 2),
    named('publisher', 1),
  ]
  const parts = [
    authors.length > 0 && words.author(listed(words, authors)),
    tags.length > 0 && words.themes(listed(words, tags)),
    genres.length > 0 && words.genre(listed(words, genres)),
    publishers.length > 0 && words.publisher(listed(words, publishers)),
  ].filter((part) => part !== false)
  return parts.slice(0, 2).join('; ')
}

const listed = ({ and }: ReasonTexts, names: readonly string[]): string => names.join(and)
