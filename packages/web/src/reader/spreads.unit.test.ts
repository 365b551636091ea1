import { array, assert, boolean, constant, integer, oneof, property, record, uniqueArray } from 'fast-check'
import { expect, test } from 'vitest'
import { isWide, onScreen, type PageSize, shiftedAt, type Spread, spreadAt, spreadsOf } from './spreads.ts'

const side = oneof(constant(null), integer({ min: 1, max: 20_000 }))
const pages = array(record({ width: side, height: side }), { maxLength: 60 })
const rules = record({
  isDouble: boolean(),
  coverAlone: boolean(),
  shifts: uniqueArray(integer({ min: 1, max: 60 }), { maxLength: 6 }).map((shifted) => new Set(shifted)),
})

test('every page is shown exactly once and in order, whatever is wide or shifted', () => {
  assert(
    property(pages, rules, (pages, rules) => {
      expect(spreadsOf(pages, rules).flat()).toEqual(pages.map((_, index) => index + 1))
    }),
  )
})

test('a wide page never lies beside another, a page alone has a reason', () => {
  assert(
    property(pages, rules, (pages, rules) => {
      const wideAt = (page: number) => isWide(pages[page - 1] as PageSize)
      const isRight = ([first, second]: Spread): boolean => {
        if (second !== undefined) return rules.isDouble && !wideAt(first) && !wideAt(second)
        const isOnPurpose = (first === 1 && rules.coverAlone) !== rules.shifts.has(first)
        const hasNobody = first === pages.length || wideAt(first + 1)
        return !rules.isDouble || wideAt(first) || isOnPurpose || hasNobody
      }
      expect(spreadsOf(pages, rules).filter((spread) => !isRight(spread))).toEqual([])
    }),
  )
})

test('each page is found in the spread that shows it', () => {
  assert(
    property(pages, rules, (pages, rules) => {
      const spreads = spreadsOf(pages, rules)
      for (const [index, spread] of spreads.entries())
        for (const page of spread) expect(spreadAt(spreads, page)).toBe(index)
      expect(spreadAt(spreads, 0)).toBe(0)
      expect(spreadAt(spreads, pages.length + 5)).toBe(Math.max(0, spreads.length - 1))
    }),
  )
})

test('shifting changes the pairs from there on, nothing before, and is its own undoing', () => {
  const upright = { width: 2, height: 3 }
  assert(
    property(integer({ min: 2, max: 40 }), boolean(), integer({ min: 0, max: 39 }), (count, coverAlone, drawn) => {
      const pages = Array.from({ length: count }, () => upright)
      const rules = { isDouble: true, coverAlone, shifts: new Set<number>() }
      const before = spreadsOf(pages, rules)
      const at = drawn % before.length
      const spread = before[at] ?? [1]
      const shifts = shiftedAt(rules.shifts, spread)
      const after = spreadsOf(pages, { ...rules, shifts })
      expect(after.slice(0, at)).toEqual(before.slice(0, at))
      expect(after.length === before.length && after.every(([first], index) => first === before[index]?.[0])).toBe(
        spread[0] === count,
      )
      expect(shiftedAt(shifts, after[spreadAt(after, spread[0])] ?? [1])).toEqual(new Set())
    }),
  )
})

test('pairs, cover and wide pages as in a printed book', () => {
  const upright = { width: 1600, height: 2400 }
  const wide = { width: 3200, height: 2400 }
  const book = [upright, upright, upright, upright, wide, upright, upright, upright]
  const rules = { isDouble: true, coverAlone: true, shifts: new Set<number>() }
  expect(spreadsOf(book, rules)).toEqual([[1], [2, 3], [4], [5], [6, 7], [8]])
  expect(spreadsOf(book, { ...rules, coverAlone: false })).toEqual([[1, 2], [3, 4], [5], [6, 7], [8]])
  expect(spreadsOf(book, { ...rules, shifts: new Set([6]) })).toEqual([[1], [2, 3], [4], [5], [6], [7, 8]])
  expect(onScreen([2, 3], true)).toEqual([3, 2])
  expect(onScreen([2, 3], false)).toEqual([2, 3])
})
