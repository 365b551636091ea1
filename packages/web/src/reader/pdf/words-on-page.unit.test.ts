import { expect, test } from 'vitest'
import { findOnPage, wordsOnPage } from './words-on-page.ts'

const line = (text: string, top = 0.1, left = 0.1) =>
  (text.match(/\S+\s*/g) ?? []).map((each, index) => ({
    text: each,
    left: left + index * 0.1,
    top,
    width: 0.08,
    height: 0.02,
  }))
const marksFor = (text: string, query: string) => {
  const words = wordsOnPage(line(text))
  return findOnPage(words, query).map((parts) =>
    parts.map(({ word, from, to }) => words[word]?.text.slice(from, to)).join('|'),
  )
}

test('F3 a word reaches to the next one of its line, to the left where it is read that way', () => {
  const [first, last] = wordsOnPage(line('quiet lamp'))
  expect([first?.reach, last?.reach]).toEqual([expect.closeTo(0.1, 5), 0.08])
  const hebrew = line('שלום עולם').map((word, index) => ({ ...word, left: 0.5 - index * 0.1 }))
  const [shalom] = wordsOnPage(hebrew)
  expect([shalom?.isRightToLeft, shalom?.reach]).toEqual([true, expect.closeTo(0.1, 5)])
})

test('F3 words are found without case and accents, over spaces and the ends of lines, each place once', () => {
  expect(marksFor('Zwei Brüder und\nzwei bruder', 'BRUDER')).toEqual(['Brüder', 'bruder'])
  expect(marksFor('a light and\nanother light', 'and  another')).toEqual(['and|another'])
  expect(marksFor('aaaa', 'aa')).toEqual(['aa', 'aa'])
  expect(marksFor('Straße', 'strasse')).toEqual(['Straße'])
  expect(marksFor('日本語の本', '本')).toEqual(['本', '本'])
  expect(marksFor('anything', ' ')).toEqual([])
})

test('F3 a word that a hyphen breaks is found as one', () => {
  const words = wordsOnPage([...line('a brave exam'), ...line('ple of it', 0.2)])
  const parts = findOnPage(words, 'example')[0]
  expect(parts).toEqual([
    { word: 2, from: 0, to: 4 },
    { word: 3, from: 0, to: 3 },
  ])
})
