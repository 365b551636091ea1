import { expect, test } from 'vitest'
import { pileRange } from './pile-range.ts'

test('H4 a pile says from where to where it goes, unless a book is missing in it', () => {
  expect(pileRange({ firstNumber: 13, lastNumber: 24, count: 12 })).toBe('13–24')
  expect(pileRange({ firstNumber: 13, lastNumber: 24, count: 11 })).toBeUndefined()
  expect(pileRange({ firstNumber: null, lastNumber: null, count: 3 })).toBeUndefined()
})
