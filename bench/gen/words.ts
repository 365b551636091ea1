import { randomFrom } from '../../packages/server/test/books/pictures.ts'

export type Random = () => number

export const pick = <Item>(items: readonly Item[], random: Random): Item =>
  items[Math.floor(random() * items.length)] as Item

const onsets = [
  'b',
  'br',
  'c',
  'ch',
  'd',
  'dr',
  'f',
  'g',
  'gl',
  'h',
  'k',
  'l',
  'm',
  'n',
  'p',
  'r',
  's',
  'st',
  't',
  'v',
  'w',
]
const vowels = ['a', 'e', 'i', 'o', 'u', 'ai', 'ea', 'ou']
const endings = ['', '', 'n', 'r', 's', 't', 'l', 'nd', 'rk', 'm']
const wordCount = 20_000

const syllable = (random: Random): string => pick(onsets, random) + pick(vowels, random) + pick(endings, random)

const makeWords = (): readonly string[] => {
  const random = randomFrom(42)
  const words = new Set<string>()
  while (words.size < wordCount) words.add(syllable(random) + (random() < 0.6 ? syllable(random) : ''))
  return [...words]
}
const words = makeWords()

/** The first words of the list come up far more often than the last, as words do (Zipf). */
const word = (random: Random): string => words[Math.floor(wordCount ** random()) - 1] ?? ''

const characters = (from: number, count: number, length: number, random: Random): string =>
  Array.from({ length }, () => String.fromCodePoint(from + Math.floor(random() * count))).join('')

const accented: Readonly<Record<string, string>> = { a: 'á', e: 'é', i: 'ï', o: 'ö', u: 'ü', c: 'ç', n: 'ñ' }
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** A title of one to four words; 5 % Chinese or Japanese, 3 % with accents, 2 % from right to left. */
export const title = (random: Random): string => {
  const kind = random()
  if (kind < 0.03) return characters(0x4e00, 2000, 2 + Math.floor(random() * 4), random)
  if (kind < 0.05) return characters(0x30a1, 80, 3 + Math.floor(random() * 4), random)
  if (kind < 0.07) return characters(0x5d0, 27, 4 + Math.floor(random() * 4), random)
  const plain = Array.from({ length: 1 + Math.floor(random() * 4) }, () => capital(word(random))).join(' ')
  return kind < 0.1 ? plain.replace(/[aeioucn]/g, (letter) => accented[letter] ?? letter) : plain
}

export const sentence = (length: number, random: Random): string =>
  `${capital(Array.from({ length }, () => word(random)).join(' '))}.`
