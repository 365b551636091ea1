import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { bookLimits } from '../limits.ts'
import { announcedSize, renderedSize } from './page-size.ts'

const a4 = { width: 595.276, height: 841.89 }

test('a page is announced at 150 dots per inch and rendered 1600 pixels wide, or as large as is wished', () => {
  expect(announcedSize(a4)).toEqual({ width: 1240, height: 1754 })
  expect(announcedSize({ width: 72, height: 72 })).toEqual({ width: 150, height: 150 })

  expect(renderedSize(a4, undefined)).toEqual({ width: 1600, height: 2263 })
  expect(renderedSize({ width: 400, height: 200 }, undefined)).toEqual({ width: 1600, height: 800 })
  expect(renderedSize(a4, 800)).toEqual({ width: 566, height: 800 })
  expect(renderedSize({ width: 400, height: 200 }, 800)).toEqual({ width: 800, height: 400 })
})

test('a page without a size has none in pixels', () => {
  for (const edge of [0, -1, Number.NaN, Infinity]) {
    expect([edge, announcedSize({ width: 100, height: edge })]).toEqual([edge, undefined])
    expect([edge, renderedSize({ width: edge, height: 100 }, 800)]).toEqual([edge, undefined])
  }
})

test('T-11 whatever its box and whatever is wished, a page has at most 64 megapixels and a shape a JPEG can have', () => {
  const edge = fc.oneof(fc.double({ min: 1e-6, max: 1e12, noNaN: true }), fc.constantFrom(1e-6, 1, 8000, 1e9, 3.4e38))
  const options = fc.option(fc.oneof(fc.integer(), fc.constantFrom(0, -1, 8000, 8001, 1e9)), { nil: undefined })

  fc.assert(
    fc.property(edge, edge, options, (width, height, maxEdge) => {
      for (const size of [announcedSize({ width, height }), renderedSize({ width, height }, maxEdge)]) {
        fc.pre(size !== undefined)
        expect(Number.isInteger(size.width) && Number.isInteger(size.height)).toBe(true)
        expect(Math.min(size.width, size.height)).toBeGreaterThanOrEqual(1)
        expect(Math.max(size.width, size.height)).toBeLessThanOrEqual(65_535)
        expect(size.width * size.height).toBeLessThanOrEqual(bookLimits.pixels)
      }
    }),
    { numRuns: 5000 },
  )
  expect(renderedSize({ width: 100, height: 100 }, 8000)).toEqual({ width: 8000, height: 8000 })
  expect(renderedSize({ width: 100, height: 100 }, 8001)).toEqual({ width: 8000, height: 8000 })
})
