import { assert, constantFrom, integer, property, string, stringMatching, tuple } from 'fast-check'
import { expect, test } from 'vitest'
import { indexedWords, isOneMistakeAway, joinedWords, searchText, soughtIn, withoutOneLetter } from './words.ts'

/** The plain definition, letter by letter: what the quick one is compared with. */
const distance = (one: readonly string[], other: readonly string[]): number => {
  const rows = [other.map((_, index) => index).concat(other.length)]
  for (const [i, letter] of one.entries()) {
    const row = [i + 1]
    for (const [j, each] of other.entries()) {
      const before = rows[i] ?? []
      const costs = [
        (before[j] ?? 0) + (letter === each ? 0 : 1),
        (before[j + 1] ?? 0) + 1,
        (row[j] ?? 0) + 1,
        ...(i > 0 && j > 0 && letter === other[j - 1] && each === one[i - 1] ? [(rows[i - 1]?.[j - 1] ?? 0) + 1] : []),
      ]
      row.push(Math.min(...costs))
    }
    rows.push(row)
  }
  return rows.at(-1)?.at(-1) ?? 0
}

const word = stringMatching(/^[abc]{1,6}$/)
const wordsOf = (text: string) => soughtIn(text).flatMap((each) => (each.kind === 'run' ? each.words : [each.word]))

test('CAT-5 one mistake is a letter more, less or other, or two neighbours the wrong way round', () => {
  assert(
    property(word, word, (one, other) => {
      expect([one, other, isOneMistakeAway(one, other)]).toEqual([one, other, distance([...one], [...other]) === 1])
    }),
    { numRuns: 3000 },
  )
})

test('CAT-5 two words with one mistake between them have a spelling in common', () => {
  assert(
    property(word, word, (one, other) => {
      if (!isOneMistakeAway(one, other)) return
      const spellings = new Set([one, ...withoutOneLetter(one)])
      expect([other, ...withoutOneLetter(other)].some((each) => spellings.has(each))).toBe(true)
    }),
    { numRuns: 3000 },
  )
})

test('CAT-5 any part of a text without spaces is among what it is found by', () => {
  const run = string({ unit: constantFrom(...'進撃の巨人ワンピース한국만화อักษร々ー'), minLength: 1, maxLength: 12 })
  assert(
    property(run, tuple(integer({ min: 0, max: 11 }), integer({ min: 1, max: 4 })), (text, [from, length]) => {
      const part = Array.from(text)
        .slice(from, from + length)
        .join('')
      // Signs that belong to the letter before them are no part by themselves.
      if (/^\p{M}*$/u.test(part)) return
      const words = indexedWords([`abc${text}xyz`])
      for (const each of wordsOf(part)) expect([text, part, each, words.has(each)]).toEqual([text, part, each, true])
    }),
  )
})

test('CAT-5 W10 words are never empty, hold no gaps, and are the same when they are looked for', () => {
  assert(
    property(string({ unit: 'binary', maxLength: 80 }), (text) => {
      const words = indexedWords([text])
      for (const each of words) {
        // What is left of ASCII are letters, digits and dots: no database sees a sign that means something to it.
        expect(each).toMatch(/^(?:[a-z0-9.]|[\u0080-\u{10ffff}])+$/u)
        expect(each.isWellFormed()).toBe(true)
        expect(each.length).toBeLessThanOrEqual(64)
      }
      for (const each of wordsOf(text)) expect(words).toContain(each)
    }),
    { numRuns: 200 },
  )
})

test('CAT-5 what one may write together or apart is found both ways', () => {
  expect(joinedWords('Spider-Man: Blue')).toEqual(['spiderman'])
  expect(joinedWords('Agents of S.H.I.E.L.D.')).toEqual(['shield'])
  expect(joinedWords('A plain title')).toEqual([])
  expect([...indexedWords(['007 Über 1.05'])]).toEqual(['7', 'uber', '1.05'])
  expect(searchText('!?')).toBe('！？')
})
