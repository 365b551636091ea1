import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { findFolded, foldText } from './folded-text.ts'

const found = (text: string, words: string): string[] =>
  [...findFolded(text, foldText(words).text)].map(({ from, to }) => text.slice(from, to))

test('words are found whatever their case, accents and spaces, as they stand there', () => {
  expect(found('Un CAFÉ, deux cafés\n  noirs', 'cafe')).toEqual(['CAFÉ', 'café'])
  expect(found('deux cafés\n  noirs', 'Cafés noirs')).toEqual(['cafés\n  noirs'])
  expect(found('Cafe\u0301 noir', 'é n')).toEqual(['e\u0301 n'])
  expect(found('aaaa', 'aa')).toEqual(['aa', 'aa'])
  expect(found('ﬁnd 𝔘 there', 'find u')).toEqual(['ﬁnd 𝔘'])
})

test('any part of a text that begins and ends with a letter is found in it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), fc.nat(), (text, one, other) => {
      const { text: folded } = foldText(text)
      const [from, to] = [one % (folded.length + 1), other % (folded.length + 1)].sort((a, b) => a - b)
      const wanted = folded.slice(from, to)
      fc.pre(wanted !== '')
      expect([...findFolded(text, wanted)].length).toBeGreaterThan(0)
    }),
  )
})
