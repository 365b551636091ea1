import { expect, test } from 'vitest'
import { isFound, isWithin, markHits, wordsIn } from './marked.ts'

const shown = (text: string, query: string): string =>
  markHits(text, wordsIn(query))
    .map(({ text: part, isHit }) => (isHit ? `[${part}]` : part))
    .join('')

test.each([
  ['Iron Harbor', 'har', 'Iron [Har]bor'],
  ['Sharing of libraries', 'har', 'S[har]ing of libraries'],
  ['Charles in Harlem', 'har', 'Charles in [Har]lem'],
  ['Über Café', 'CAFE uber', '[Über] [Café]'],
  ['Die Straße', 'strass', 'Die [Straß]e'],
  ['進撃の巨人', '巨人', '進撃の[巨人]'],
  ['👩‍🚀 Salt', 'salt', '👩‍🚀 [Salt]'],
  ['Salt', 'pepper', 'Salt'],
  ['!!!', '!!', '[!!]!'],
  ['Salt', '', 'Salt'],
])('of %j, searched for as %j, is marked %j', (text, query, marked) => {
  expect(shown(text, query)).toBe(marked)
  expect(shown(text, query).replaceAll(/[[\]]/g, '')).toBe(text)
})

test('a word is found where it begins one, in any order, and anywhere only where that is asked for', () => {
  expect(isFound('Iron Harbor 7', wordsIn('har 7'))).toBe(true)
  expect(isFound('Charles', wordsIn('har'))).toBe(false)
  expect(isWithin('Charles', wordsIn('har'))).toBe(true)
  expect(isFound('月影の図書館', wordsIn('図書'))).toBe(true)
  expect(wordsIn('  ')).toEqual([])
})
