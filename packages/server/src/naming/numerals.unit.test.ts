import { expect, test } from 'vitest'
import { readDigits, readNumeral } from './numerals.ts'

test.each([
  ['7', 7],
  ['012.5', 12.5],
  ['10½', 10.5],
  ['½', 0.5],
  ['1⁄2', 0.5],
  ['-1', -1],
  ['1A', 1],
  ['1.MU', 1],
  ['IV', 4],
  ['XIX', 19],
  ['three', 3],
  ['十', 10],
  ['十二', 12],
  ['二十', 20],
  ['二〇', 20],
  ['百二十三', 123],
  ['千二百', 1200],
])('%s is a number', (written, value) => {
  expect(readNumeral(written)).toBe(value)
})

test.each(['', '-', 'A1', 'IIII', 'VX', 'eleven', '上', '十x', '.'])('%j is none', (written) => {
  expect(readNumeral(written)).toBeNull()
  expect(readDigits(written)).toBeNull()
})
