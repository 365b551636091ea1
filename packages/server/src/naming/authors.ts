import { nameParticles, titleWords } from './words.ts'

export interface Credited {
  readonly authors: readonly string[]
  readonly title: string
}

/** `Author - Title` and `Title - Author`, when one of them can be a person. Undefined when neither can. */
export const splitAuthor = (text: string): Credited | undefined => {
  const first = text.indexOf(' - ')
  if (first < 0) return undefined
  const [front, afterFront] = [text.slice(0, first).trim(), text.slice(first + 3).trim()]
  if (front === '' || afterFront === '') return undefined
  const authors = people(front)
  if (authors) return { authors, title: afterFront }
  const last = text.lastIndexOf(' - ')
  const behind = people(text.slice(last + 3).trim())
  return behind && { authors: behind, title: text.slice(0, last).trim() }
}

/** The people of `Neil Gaiman & Terry Pratchett` or `Herbert, Frank`; undefined when they are none. */
export const people = (text: string): readonly string[] | undefined => {
  const names = text.split(/\s?[&;]\s|\sand\s/).map(turnedAround)
  return names.length <= 4 && names.every(isPerson) ? names : undefined
}

const turnedAround = (name: string): string => {
  const [last = '', first, ...more] = name.split(', ')
  return first === undefined || more.length > 0 ? name : `${first} ${last}`
}

const isPerson = (name: string): boolean => {
  const words = name.split(' ')
  if (words.length < 2 || words.length > 4) return false
  return words.every((word, index) => {
    const isInner = index > 0 && index < words.length - 1
    if (isInner && nameParticles.has(word.toLowerCase())) return true
    return /^\p{Lu}[\p{L}.'’-]*$/u.test(word) && !titleWords.has(word.toLowerCase()) && !/^[IVX]{2,}$/.test(word)
  })
}
