import { expect, test } from 'vitest'
import { spreadAt } from './spread.ts'

const tall = { width: 800, height: 1200 }
const wide = { width: 1600, height: 1200 }
const strip = { width: 800, height: 9000 }
const unknown = { width: null, height: null }

test('H6 two pages lie open, but for the cover, the last and wide ones', () => {
  const pages = Array.from({ length: 6 }, () => tall)
  expect([1, 2, 3, 4, 5, 6].map((page) => spreadAt(pages, page))).toEqual([[1], [2, 3], [2, 3], [4, 5], [4, 5], [6]])
  expect(spreadAt(pages, 0)).toEqual([1])
  expect(spreadAt(pages, 99)).toEqual([6])
})

test('H6 a wide page stands alone, and those behind it pair up anew', () => {
  const pages = [tall, tall, wide, tall, tall, unknown]
  expect([2, 3, 4, 6].map((page) => spreadAt(pages, page))).toEqual([[2], [3], [4, 5], [6]])
  expect(spreadAt([strip, strip, strip], 2)).toEqual([2])
})
