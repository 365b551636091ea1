import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseRanges } from './ranges.ts'

test('LIB-8 a range says which bytes are wanted, or nothing one need go by', () => {
  expect(parseRanges('bytes=0-0', 10)).toEqual([{ from: 0, to: 1 }])
  expect(parseRanges('bytes=5-', 10)).toEqual([{ from: 5, to: 10 }])
  expect(parseRanges('bytes=-20', 10)).toEqual([{ from: 0, to: 10 }])
  expect(parseRanges('bytes=3-999', 10)).toEqual([{ from: 3, to: 10 }])
  expect(parseRanges('bytes=8-9, 0-1', 10)).toEqual([
    { from: 8, to: 10 },
    { from: 0, to: 2 },
  ])
  for (const none of ['bytes=10-', 'bytes=-0', 'bytes=10-11,99-']) expect(parseRanges(none, 10)).toBe('none')
  for (const all of [undefined, '', 'bytes=', 'bytes=-', 'bytes=a-b', 'bytes=5-4', 'items=0-1', 'bytes=0-1,x'])
    expect(parseRanges(all, 10)).toBe('all')
})

test('LIB-8 whatever is asked for, no byte of the file is sent twice', () => {
  const range = fc.tuple(fc.nat(40), fc.nat(40)).map(([from, to]) => `${from}-${from + to}`)
  fc.assert(
    fc.property(fc.array(range, { minLength: 1, maxLength: 20 }), fc.integer({ min: 1, max: 60 }), (list, size) => {
      const parsed = parseRanges(`bytes=${list.join(',')}`, size)
      const ranges = typeof parsed === 'string' ? [] : parsed
      const bytes = ranges.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, index) => from + index))
      expect(new Set(bytes).size).toBe(bytes.length)
      expect(bytes.every((position) => position >= 0 && position < size)).toBe(true)
    }),
  )
})
