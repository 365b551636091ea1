import { array, assert, constantFrom, integer, property, string, tuple } from 'fast-check'
import { expect, test } from 'vitest'
import { plainText } from '../../../platform/text/sort-key.ts'
import {
  endingLength,
  endingsOf,
  spelledWordsIn,
  wordsOfText,
  wordsOfTexts,
  type WordTest,
  wordTestsOf,
} from './words.ts'

const long = 'abcdefghij'.repeat(95)
const pieces = [
  'a', 'the', 'dragon', 'quest', 'on', '2019', '012', ' ', ' ', ' - ', '/', '.', '#', '%', "'", 'straße', 'Ærø', 'ガンダム', '第1巻',
  '进击', '巨', 'ﾊﾝﾀｰ', 'ไทย', '한국', 'οδός', '𝒜', '𠀀', '🐉', long, long.slice(0, endingLength), long.slice(3, 420),
] as const // prettier-ignore

const anyText = array(constantFrom(...pieces), { minLength: 1, maxLength: 8 }).map((some) => plainText(some.join('')))
const operators = ['contains', 'beginsWith', 'endsWith'] as const

/** How the index answers a test: by words, and by the endings they are known by. */
const passes = (words: ReadonlySet<string>, test: WordTest): boolean => {
  if (test.kind === 'is') return words.has(test.word)
  return [...words].some((word) => {
    const endings = endingsOf(word)
    if (test.kind === 'ends') return endings.includes(test.part)
    return endings.some((ending) => ending.startsWith(test.part)) && (test.kind === 'has' || word.startsWith(test.part))
  })
}

const holds = (operator: (typeof operators)[number], text: string, part: string): boolean =>
  operator === 'contains'
    ? text.includes(part)
    : operator === 'beginsWith'
      ? text.startsWith(part)
      : text.endsWith(part)

test('CAT-4 the words of a text pass what is asked of words about any part of it', () => {
  assert(
    property(anyText, integer({ min: 0 }), integer({ min: 1 }), (text, from, length) => {
      const start = from % (text.length + 1)
      const part = plainText(text.slice(start, start + (length % 30) + 1).toWellFormed())
      for (const operator of operators) {
        if (part === '' || !holds(operator, text, part)) continue
        for (const asked of wordTestsOf({ operator, part }).tests) expect(passes(wordsOfText(text), asked)).toBe(true)
      }
      for (const [operator, end] of [
        ['beginsWith', text.slice(0, start)],
        ['endsWith', text.slice(start)],
      ] as const)
        for (const asked of wordTestsOf({ operator, part: end }).tests)
          expect(passes(wordsOfText(text), asked)).toBe(true)
    }),
    { numRuns: 3000 },
  )
})

test('CAT-4 where words are said to be enough, a text that passes holds what is looked for', () => {
  let exact = 0
  assert(
    property(
      anyText,
      constantFrom(...operators),
      tuple(constantFrom(...pieces), constantFrom(...pieces)),
      (text, operator, some) => {
        for (const part of [some[0], some.join('')].map(plainText)) {
          const { tests, isExact } = wordTestsOf({ operator, part })
          if (!isExact || tests.length === 0) continue
          exact += 1
          expect(tests.every((each) => passes(wordsOfText(text), each))).toBe(holds(operator, text, part))
        }
      },
    ),
    { numRuns: 6000 },
  )
  expect(exact).toBeGreaterThan(500)
})

test('CAT-4 words of texts are letters and digits, so that no index takes a sign of theirs for one of its own', () => {
  assert(
    property(string({ unit: 'binary' }), (text) => {
      const plain = plainText(text.toWellFormed())
      for (const word of wordsOfText(plain)) expect(word).not.toMatch(/[\0-\x2f:-@[-`{-\x7f]/)
      for (const word of wordsOfText(plain)) expect(word.isWellFormed()).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

test('CAT-4 each text of a book has its sign, and no part is looked for in words of scripts without spaces', () => {
  const words = wordsOfTexts({ title: 'the dragon', path: 'a/dragon.cbz', summary: '进击的 dragon' })

  expect(words).toBe('tthe tdragon pdragon pcbz s进击 s击的 sdragon')
  expect(spelledWordsIn(words)).toEqual(['the', 'dragon', 'dragon', 'cbz', 'dragon'])
  expect(wordsOfTexts({ title: '', path: '', summary: null })).toBe('')
  expect(spelledWordsIn('')).toEqual([])
})

test('CAT-4 no word of a text has a sign that JSON escapes', () => {
  const signs = Array.from({ length: 0x1_00_00 }, (_, code) => String.fromCharCode(code))
  const words = signs.flatMap((sign) => [...wordsOfText(`${sign}${sign}${sign} one${sign}two`)])

  expect(words.filter((word) => JSON.stringify(word) !== `"${word}"`)).toEqual([])
  expect(words.length).toBeGreaterThan(signs.length)
})
