import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutText } from './cut-text.ts'

const family = '👨‍👩‍👧‍👦'

test('D5 what is seen as one stays whole where a text is cut', () => {
  for (const one of [
    family,
    '❤️',
    '👍🏽',
    '🇩🇪',
    '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}',
    'e\u0301',
    'नि',
  ]) {
    for (let room = 1; room < one.length; room += 1) expect([one, cutText(`ab${one}`, 2 + room)]).toEqual([one, 'ab'])
    expect(cutText(`ab${one}c`, 2 + one.length)).toBe(`ab${one}`)
  }
  expect(cutText('abc', 3)).toBe('abc')
  expect(cutText('abcd', 3)).toBe('abc')
})

test('D5 a text is a beginning of itself, no longer than it may be, and well formed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.nat({ max: 60 }), (text, max) => {
      const cut = cutText(text, max)
      expect(text.startsWith(cut)).toBe(true)
      expect(cut.length).toBeLessThanOrEqual(max)
      expect(cut.isWellFormed()).toBe(text.isWellFormed())
    }),
  )
  // A letter with a thousand marks on it has no end that anybody waits for.
  expect(cutText(`a${'\u0301'.repeat(1000)}`, 500)).toHaveLength(500)
})
