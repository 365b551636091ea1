import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isAtEnd, positionIn, shownIn } from './position.ts'

test('of page and percentage each comes from the other, and what was said stays', () => {
  expect(positionIn(200, { page: 50, percentage: null })).toEqual({ page: 50, percentage: 0.25 })
  expect(positionIn(200, { page: null, percentage: 0.25 })).toEqual({ page: 50, percentage: 0.25 })
  expect(positionIn(200, { page: 50, percentage: 0.3 })).toEqual({ page: 50, percentage: 0.3 })
  expect(positionIn(200, { page: 900, percentage: null })).toEqual({ page: 200, percentage: 1 })
  expect(positionIn(0, { page: 50, percentage: null })).toEqual({ page: 50, percentage: null })
  expect(positionIn(0, { page: null, percentage: 0.5 })).toEqual({ page: null, percentage: 0.5 })
})

test('the last page and 98 per cent are the end, and no page of a book whose pages nobody has counted', () => {
  expect(isAtEnd(200, { page: 200, percentage: null })).toBe(true)
  expect(isAtEnd(200, { page: 199, percentage: 0.979 })).toBe(false)
  expect(isAtEnd(200, { page: 1, percentage: 0.98 })).toBe(true)
  expect(isAtEnd(0, { page: 5, percentage: null })).toBe(false)
})

test('a page is shown as it was said for as long as the book has as many pages', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 5000 }), (one, other) => {
      const [page, pageCount] = [Math.min(one, other), Math.max(one, other)]
      const position = { ...positionIn(pageCount, { page, percentage: null }), pageCount }
      expect(shownIn(pageCount, position).currentPage).toBe(page)
    }),
  )
})

test('in a book with another number of pages the reader is on a page of it, and at its end if they were at the end', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 5000 }), (was, is) => {
      const { currentPage } = shownIn(is, { ...positionIn(was, { page: was, percentage: null }), pageCount: was })
      const first = shownIn(is, { ...positionIn(was, { page: 1, percentage: null }), pageCount: was }).currentPage
      expect([currentPage, first >= 1, first <= is]).toEqual([is, true, true])
    }),
  )
})

test('what is only known in per cent has no page until the pages are counted', () => {
  expect(shownIn(0, { page: null, percentage: 0.5, pageCount: null })).toEqual({
    currentPage: 0,
    progressPercentage: 0.5,
  })
  expect(shownIn(10, { page: null, percentage: 0.5, pageCount: null }).currentPage).toBe(5)
  expect(shownIn(10, { page: 4, percentage: null, pageCount: null })).toEqual({
    currentPage: 4,
    progressPercentage: 0.4,
  })
})

test('C12 in a book without pages page 0 says nothing beside a percentage: it is not its first page', () => {
  expect(positionIn(0, { page: 0, percentage: 0.4 })).toEqual({ page: null, percentage: 0.4 })
  expect(positionIn(0, { page: 0, percentage: null })).toEqual({ page: 0, percentage: null })
})
