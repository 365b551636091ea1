import { array, assert, boolean, constantFrom, double, integer, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { drawingSize, fixedSpreadsOf, layOutPages, nextTo, openWith, type Side, viewportSize } from './fixed-pages.ts'

const linear = (...sides: (Side | undefined)[]) => sides.map((side) => ({ side, isLinear: true }))
const ltr = { isDouble: true, isRightToLeft: false }
const rtl = { isDouble: true, isRightToLeft: true }

test('pages lie as the book says; where it says nothing, as in a bound book after its cover', () => {
  const unsaid = linear(undefined, undefined, undefined, undefined)
  expect(fixedSpreadsOf(unsaid, ltr)).toEqual([[0], [1, 2], [3]])
  expect(fixedSpreadsOf(unsaid, rtl)).toEqual([[0], [1, 2], [3]])
  expect(fixedSpreadsOf(unsaid, { ...ltr, isDouble: false })).toEqual([[0], [1], [2], [3]])
  expect(fixedSpreadsOf(linear('left', 'right', 'left', 'right'), ltr)).toEqual([
    [0, 1],
    [2, 3],
  ])
  expect(fixedSpreadsOf(linear('right', 'left', 'right', 'left'), rtl)).toEqual([
    [0, 1],
    [2, 3],
  ])
  // The same sides in a book that is read the other way belong to no common spread.
  expect(fixedSpreadsOf(linear('right', 'left', 'right', 'left'), ltr)).toEqual([[0], [1, 2], [3]])
  expect(fixedSpreadsOf(linear('left', 'left', 'right', 'center', 'right'), ltr)).toEqual([[0], [1, 2], [3], [4]])
  const withNote = [...linear('left'), { isLinear: false }, ...linear('right')]
  expect(fixedSpreadsOf(withNote, ltr)).toEqual([[0, 2]])
  expect(openWith(fixedSpreadsOf(withNote, ltr), 1)).toEqual([1])
})

test('every page is open once, in order, and with one other at most; onwards and back come through all of them', () => {
  const side = constantFrom<(Side | undefined)[]>('left', 'right', 'center', undefined)
  const books = array(record({ side, isLinear: boolean() }), { minLength: 1, maxLength: 30 })
  assert(
    property(books, boolean(), boolean(), (pages, isDouble, isRightToLeft) => {
      const spreads = fixedSpreadsOf(pages, { isDouble, isRightToLeft })
      const inOrder = pages.flatMap(({ isLinear }, index) => (isLinear ? [index] : []))
      expect(spreads.flat()).toEqual(inOrder)
      const [begins, ends] = isRightToLeft ? ['right', 'left'] : ['left', 'right']
      expect(Math.max(0, ...spreads.map(({ length }) => length))).toBeLessThanOrEqual(isDouble ? 2 : 1)
      for (const [first = 0, second = 0] of spreads.filter(({ length }) => length === 2))
        expect([pages[first]?.side ?? begins, pages[second]?.side ?? ends]).toEqual([begins, ends])
      for (const [position, spread] of spreads.entries()) {
        expect(nextTo(spreads, spread, 1)).toBe(spreads[position + 1])
        expect(nextTo(spreads, spread, -1)).toBe(spreads[position - 1])
      }
    }),
  )
})

test('sizes are read however they are written, and no size is taken for one', () => {
  const size = { width: 1200, height: 1600 }
  for (const text of [
    'width=1200, height=1600',
    'height=1600;width=1200',
    'width = 1200 , HEIGHT=1600px',
    'width=1200 height=1600',
  ])
    expect([text, viewportSize(text)]).toEqual([text, size])
  for (const text of ['', 'width=device-width', 'width=1200', 'width=0, height=9', 'width=1e9, height=1e9'])
    expect([text, viewportSize(text)]).toEqual([text, undefined])
  expect(drawingSize('0 0 1200 1600')).toEqual(size)
  expect(drawingSize('0,0,1200,1600')).toEqual(size)
  expect(drawingSize('0 0 0 0')).toBeUndefined()
})

test('pages of any size are equally high side by side, and fit into the window as large as may be', () => {
  const edge = integer({ min: 1, max: 5000 })
  const size = record({ width: edge, height: edge })
  const zooms = double({ min: 1, max: 5, noNaN: true })
  assert(
    property(array(size, { minLength: 1, maxLength: 2 }), size, zooms, (pages, window, zoom) => {
      const { width, height, scales } = layOutPages(pages, window, zoom)
      const shown = pages.map((page, index) => ({
        width: page.width * (scales[index] ?? 0),
        height: page.height * (scales[index] ?? 0),
      }))
      for (const each of shown) expect(each.height).toBeCloseTo(height, 6)
      expect(shown.reduce((sum, each) => sum + each.width, 0)).toBeCloseTo(width, 6)
      expect(Math.max(width / window.width, height / window.height)).toBeCloseTo(zoom, 6)
    }),
  )
})
