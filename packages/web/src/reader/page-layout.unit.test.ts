import { assert, constantFrom, double, integer, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { directionOfBook, pageLayoutOf, usual } from './page-layout.ts'
import { pixelBudget, indexesToHold } from './preload.ts'
import { tapAt } from './taps.ts'

const laptop = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }

test('C17 what was said holds, the book decides the rest, and two pages need room', () => {
  const rtl = { bookDirection: 'rtl', window: laptop } as const
  expect(pageLayoutOf({}, rtl)).toMatchObject({ direction: 'rtl', isDouble: true, fit: 'smart' })
  expect(pageLayoutOf({ direction: 'ltr', fit: 'width' }, rtl)).toMatchObject({ direction: 'ltr', fit: 'width' })
  expect(pageLayoutOf({ direction: 'auto' }, rtl).direction).toBe('rtl')
  expect(pageLayoutOf({}, { ...rtl, window: phone }).isDouble).toBe(false)
  expect(pageLayoutOf({ spreads: 'double' }, { ...rtl, window: phone }).isDouble).toBe(true)
  expect(pageLayoutOf({ spreads: 'double' }, { ...rtl, bookDirection: 'webtoon' }).isDouble).toBe(false)
  expect(pageLayoutOf({ spreads: 'single' }, rtl).isDouble).toBe(false)
})

test('C17 pages that are mostly much higher than wide are a strip, unless the book is said to be read from the right', () => {
  const [tall, page, unknown] = [
    { width: 800, height: 2400 },
    { width: 800, height: 1200 },
    { width: null, height: null },
  ]
  expect(directionOfBook('ltr', [page, tall, tall, unknown])).toBe('webtoon')
  expect(directionOfBook('ltr', [page, page, tall, unknown])).toBe('ltr')
  expect(directionOfBook('rtl', [tall, tall])).toBe('rtl')
  expect(directionOfBook('ltr', [unknown])).toBe('ltr')
  expect(directionOfBook('ltr', [])).toBe('ltr')
})

const spot = record({
  x: integer({ min: 0, max: 1024 }).map((position) => position / 1024),
  y: double({ min: 0, max: 1, noNaN: true }),
})

test('taps: right to left is the mirror, and the middle always brings the controls', () => {
  assert(
    property(spot, ({ x, y }) => {
      const sides = { tapZones: 'sides', direction: 'ltr' } as const
      expect(tapAt({ x, y }, sides)).toBe(tapAt({ x: 1 - x, y }, { ...sides, direction: 'rtl' }))
      expect(tapAt({ x, y }, { ...usual, tapZones: 'off', direction: 'ltr' })).toBe('menu')
      expect(tapAt({ x, y }, { ...usual, direction: 'webtoon' })).toBe('menu')
    }),
  )
  for (const tapZones of ['sides', 'one-hand'] as const)
    for (const direction of ['ltr', 'rtl', 'ttb'] as const) {
      expect(tapAt({ x: 0.5, y: 0.5 }, { tapZones, direction })).toBe('menu')
      const all = [0.1, 0.9].flatMap((x) => [0.1, 0.9].map((y) => tapAt({ x, y }, { tapZones, direction })))
      expect(all).toContain('forward')
      expect(all).toContain('back')
    }
})

test('pictures are held ready onwards first, within the memory there is, and the one in view always', () => {
  const pixels = integer({ min: 1, max: 40_000_000 })
  assert(
    property(
      integer({ min: 1, max: 30 }),
      integer({ min: 0, max: 29 }),
      constantFrom(1, -1),
      pixels,
      (count, place, step, each) => {
        const position = place % count
        const held = indexesToHold({ index: position, step, count, pixelsOf: () => each })
        expect(held[0]).toBe(position)
        expect(new Set(held).size).toBe(held.length)
        expect(held.every((index) => index >= 0 && index < count)).toBe(true)
        expect((held.length - 1) * each).toBeLessThanOrEqual(pixelBudget)
      },
    ),
  )
  expect(indexesToHold({ index: 5, step: 1, count: 20, pixelsOf: () => 1 })).toEqual([5, 6, 4, 7, 8, 9])
  expect(indexesToHold({ index: 5, step: -1, count: 20, pixelsOf: () => 1 })).toEqual([5, 4, 6, 3, 2, 1])
  expect(indexesToHold({ index: 0, step: 1, count: 20, pixelsOf: () => pixelBudget })).toEqual([0])
})
