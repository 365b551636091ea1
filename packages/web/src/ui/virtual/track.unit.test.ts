import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  isAstray,
  contentOffsetAt,
  contentOffsetOf,
  type Position,
  scrolledTo,
  positionAt,
  scrollAt,
  trackMax,
  trackOf,
} from './track.ts'

const sizes = fc.record({
  rows: fc.integer({ min: 1, max: 5_000_000 }),
  rowHeight: fc.integer({ min: 32, max: 700 }),
  view: fc.integer({ min: 300, max: 3000 }),
})

test('every row of millions is reached, and a place of the track is never past what browsers lay out', () => {
  fc.assert(
    fc.property(sizes, fc.double({ min: 0, max: 1, noNaN: true }), (size, share) => {
      const track = trackOf(size)
      const position = Math.floor(share * (size.rows - 1)) * size.rowHeight
      const { scroll } = positionAt(track, position)
      expect(track.height).toBeLessThanOrEqual(trackMax)
      expect(scroll).toBeGreaterThanOrEqual(0)
      expect(scroll).toBeLessThanOrEqual(track.height)
      expect(Math.abs(contentOffsetAt(track, scrollAt(track, position)) - position)).toBeLessThan(0.01)
    }),
  )
})

test('further down the track is further down the rows, from the first to the last', () => {
  fc.assert(
    fc.property(sizes, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 }), (size, shares) => {
      const track = trackOf(size)
      const scrolls = shares.toSorted((a, b) => a - b).map((share) => share * Math.max(0, track.height - track.view))
      const offsets = scrolls.map((scroll) => contentOffsetAt(track, scroll))
      expect(offsets).toEqual(offsets.toSorted((a, b) => a - b))
      expect(contentOffsetAt(track, 0)).toBe(0)
      const last = Math.max(0, track.height - track.view)
      expect(contentOffsetAt(track, last)).toBeCloseTo(Math.max(0, track.full - track.view), 3)
    }),
  )
})

/**
 * It scrolls as a browser would: no further than the track goes, and the position is corrected when it has gone astray.
 */
const scrollBy = (track: ReturnType<typeof trackOf>, position: Position, step: number): Position => {
  const scroll = Math.max(0, Math.min(track.height - track.view, position.scroll + step))
  const next = scrolledTo(track, position, scroll)
  return isAstray(track, next, false) ? positionAt(track, contentOffsetOf(next)) : next
}

test('whoever scrolls on goes row by row, wherever they came to by a jump, and reaches both ends', () => {
  const many = { rows: 150_000, rowHeight: 300, view: 900 }
  const track = trackOf(many)
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.array(fc.integer({ min: -1700, max: 1700 }), { maxLength: 50 }),
      (share, steps) => {
        const landed = scrolledTo(track, positionAt(track, 0), share * (track.height - track.view))
        let position: Position = { ...landed, isJumping: false }
        for (const step of steps) {
          const expected = Math.max(0, Math.min(track.full - track.view, contentOffsetOf(position) + step))
          position = scrollBy(track, position, step)
          expect(contentOffsetOf(position)).toBeCloseTo(expected, 3)
        }
      },
    ),
  )
  for (const [from, step] of [
    [40 * 900, -900],
    [track.full - 41 * 900, 900],
  ] as const) {
    let position: Position = {
      scroll: scrollAt(track, from) + step * 3,
      shift: from - scrollAt(track, from),
      isJumping: false,
    }
    for (let count = 0; count < 100; count += 1) position = scrollBy(track, position, step)
    expect(contentOffsetOf(position)).toBeCloseTo(step < 0 ? 0 : track.full - track.view, 3)
  }
})
