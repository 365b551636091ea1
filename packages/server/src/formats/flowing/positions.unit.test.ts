import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { positionsOf } from './positions.ts'

const chapterOf = (storedSize: number, isFixed = false) => ({
  href: `c${storedSize}`,
  mediaType: 'x',
  storedSize,
  isFixed,
})

test('a chapter has a position for each 1,024 bytes begun, and at least one', () => {
  const counts = (size: number, isFixed = false): number => positionsOf([chapterOf(size, isFixed)]).length

  expect([0, 1, 1024, 1025, 2048, 2049].map((size) => counts(size))).toEqual([1, 1, 1, 2, 2, 3])
  expect(counts(100_000, true)).toBe(1)
})

test('each position knows its chapter and how far it is in it and in the book', () => {
  expect(positionsOf([chapterOf(2048), chapterOf(10)])).toEqual([
    { href: 'c2048', mediaType: 'x', position: 1, progression: 0, totalProgression: 0 },
    { href: 'c2048', mediaType: 'x', position: 2, progression: 0.5, totalProgression: 1 / 3 },
    { href: 'c10', mediaType: 'x', position: 3, progression: 0, totalProgression: 2 / 3 },
  ])
  expect(positionsOf([])).toEqual([])
})

test('positions are numbered from 1 without a gap and never go back', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ size: fc.nat(50_000), isFixed: fc.boolean() }), { maxLength: 20 }), (chapters) => {
      const positions = positionsOf(chapters.map(({ size, isFixed }) => chapterOf(size, isFixed)))

      for (const [index, { position, progression, totalProgression }] of positions.entries()) {
        expect(position).toBe(index + 1)
        expect(progression).toBeLessThan(1)
        expect(totalProgression).toBe(index / positions.length)
      }
    }),
  )
})
