import { expect, test } from 'vitest'
import { nextToAskFor, pageAtPart, stripMax, stripPages } from './page-strip.ts'

test('R6 the strip has every page of a short book, and never more than 60 of a long one', () => {
  expect(stripPages({ pageCount: 5, shown: [2, 3], max: 60 })).toEqual([1, 2, 3, 4, 5])
  for (const pageCount of [59, 60, 61, 119, 120, 121, 340, 5000])
    for (const shown of [[1], [pageCount], [31, 32], [pageCount - 1, pageCount]])
      for (const max of [9, 13, 60, 200]) {
        const pages = stripPages({ pageCount, shown, max })
        expect(pages.length, `${pageCount} pages, room for ${max}`).toBeLessThanOrEqual(Math.min(stripMax, max))
        expect(pages).toEqual(expect.arrayContaining(shown))
        expect(pages.toSorted((a, b) => a - b)).toEqual(pages)
        expect(pages[0]).toBe(1)
      }
})

test('a place in the strip is a page', () => {
  expect([0, 0.49, 0.5, 0.99, 1, -1, 2].map((part) => pageAtPart(part, 22))).toEqual([1, 11, 12, 22, 22, 1, 22])
})

test('small pictures are asked for a few at a time, the nearest first', () => {
  const pages = Array.from({ length: 20 }, (_, index) => index + 1)
  const first = nextToAskFor(pages, { from: 10, have: new Set() })
  expect([...first].toSorted((a, b) => a - b)).toEqual([8, 9, 10, 11, 12, 7].toSorted((a, b) => a - b))
  expect([...nextToAskFor(pages, { from: 10, have: first })]).not.toEqual(expect.arrayContaining([10]))
})
