import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { findFolded, foldText } from './folded-text.ts'

const hitsIn = (text: string, words: string): string[] =>
  [...findFolded(text, foldText(words).text)].map(({ from, to }) => text.slice(from, to))

test('words are found whatever their case, accents and spaces, as they stand there', () => {
  expect(hitsIn('Un CAFÉ, deux cafés\n  noirs', 'cafe')).toEqual(['CAFÉ', 'café'])
  expect(hitsIn('deux cafés\n  noirs', 'Cafés noirs')).toEqual(['cafés\n  noirs'])
  expect(hitsIn('Cafe\u0301 noir', 'é n')).toEqual(['e\u0301 n'])
  expect(hitsIn('aaaa', 'aa')).toEqual(['aa', 'aa'])
  expect(hitsIn('ﬁnd 𝔘 there', 'find u')).toEqual(['ﬁnd 𝔘'])
})

test('any part of a text that begins and ends with a letter is found in it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), fc.nat(), (text, one, other) => {
      const { text: folded } = foldText(text)
      const [from, to] = [one % (folded.length + 1), other % (folded.length + 1)].sort((a, b) => a - b)
      const expected = folded.slice(from, to)
      fc.pre(expected !== '')
      expect([...findFolded(text, expected)].length).toBeGreaterThan(0)
    }),
  )
})
