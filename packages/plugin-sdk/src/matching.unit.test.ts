import { expect, test } from 'vitest'
import { confidenceOf, decide, plainTitle, titleLikeness } from './matching.ts'

test('titles are the same but for case, accents, punctuation and an article', () => {
  expect(plainTitle('  The Éclair: Part II! ')).toBe('eclair part ii')
  expect(titleLikeness('The Night Train', 'night train')).toBe(1)
  expect(titleLikeness('ワンピース', 'ワンピース')).toBe(1)
  expect(titleLikeness('A', 'a')).toBe(1)
  expect(titleLikeness('', '')).toBe(0)
  expect(titleLikeness('!!!', '???')).toBe(0)
})

test('a slip costs little, another title much', () => {
  expect(titleLikeness('Night Train', 'Night Trian')).toBeGreaterThan(0.6)
  expect(titleLikeness('Night Train', 'Cold Harbour')).toBeLessThan(0.1)
  expect(titleLikeness('Night Train 1', 'Night Train 2')).toBeLessThan(1)
})

test('year and author decide what a title leaves open', () => {
  const sought = { title: 'Night Train', year: 1999, authors: ['Le Guin, Ursula K.'] }
  const confidence = (more: object): number => confidenceOf(sought, { titles: ['Something', 'Night Train'], ...more })
  expect(confidence({})).toBe(0.9)
  expect(confidence({ year: 1999, authors: ['Ursula K. Le Guin'] })).toBe(1)
  expect(confidence({ year: 1999 })).toBeGreaterThan(0.9)
  expect(confidence({ year: 1950 })).toBeLessThan(0.8)
  expect(confidence({ authors: ['Somebody Else'] })).toBeLessThan(0.8)
})

test('of two that are as good, neither is sure', () => {
  expect(decide([{ confidence: 0.5 }, { confidence: 0.9 }])).toEqual({
    ranked: [{ confidence: 0.9 }, { confidence: 0.5 }],
    confidence: 0.9,
  })
  expect(decide([{ confidence: 0.9 }, { confidence: 0.9 }]).confidence).toBeLessThan(0.8)
  expect(decide([])).toEqual({ ranked: [], confidence: 0 })
})
