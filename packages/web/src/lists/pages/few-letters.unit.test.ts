import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fewLetters } from './few-letters.ts'

const some = (first: number, length: number, count = 3) =>
  Array.from({ length }, (_, index) => ({ letter: String.fromCodePoint(first + index), count, page: index + 1 }))

test('what fits stays as it is', () => {
  const letters = [...some(65, 26), ...some(0x4e00, 10)]
  expect(fewLetters(letters)).toEqual(letters)
})

test('of thousands of letters without case some stand for all, evenly; those of an alphabet all stay', () => {
  const alphabet = some(65, 26, 1)
  const fewer = fewLetters([...alphabet, ...some(0x4e00, 1400)])
  expect(fewer.slice(0, 26)).toEqual(alphabet)
  const pages = fewer.slice(26).map(({ page }) => page)
  expect(pages).toHaveLength(38)
  const steps = pages.slice(1).map((page, index) => page - (pages[index] ?? 0))
  expect(Math.max(...steps) - Math.min(...steps)).toBeLessThanOrEqual(1)
})

test('there are never many more than there is room for, and they stay in order', () => {
  const letter = fc.record({
    count: fc.integer({ min: 1, max: 100_000 }),
    code: fc.integer({ min: 0x4e00, max: 0x9fff }),
  })
  fc.assert(
    fc.property(fc.array(letter, { maxLength: 300 }), (counts) => {
      const letters = counts.map(({ count, code }, page) => ({ letter: String.fromCodePoint(code), count, page }))
      const fewer = fewLetters(letters, 20)
      expect(fewer.length).toBeLessThanOrEqual(20)
      expect(fewer.map(({ page }) => page)).toEqual(fewer.map(({ page }) => page).toSorted((a, b) => a - b))
      expect(fewer[0]).toEqual(letters[0])
    }),
  )
})
