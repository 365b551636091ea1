import { expect, test } from 'vitest'
import { nextIndex } from './next-index.ts'

const press = (key: string, held: 'ctrlKey' | 'shiftKey' | 'altKey' | 'none' = 'none') => ({
  key,
  ctrlKey: held === 'ctrlKey',
  metaKey: false,
  altKey: held === 'altKey',
  shiftKey: held === 'shiftKey',
})
const grid = { columns: 5, count: 23, rowsInView: 3, isRightToLeft: false }

test.each([
  ['ArrowRight', 8],
  ['ArrowLeft', 6],
  ['ArrowDown', 12],
  ['ArrowUp', 2],
  ['PageDown', 17],
  ['PageUp', 0],
  ['Home', 5],
  ['End', 9],
])('from the third of the second row %s leads to %i', (key, to) => {
  expect(nextIndex(press(key), 7, grid)).toBe(to)
})

test('from right to left the arrows to the sides go the other way, the others as ever', () => {
  const mirrored = { ...grid, isRightToLeft: true }
  expect(nextIndex(press('ArrowRight'), 7, mirrored)).toBe(6)
  expect(nextIndex(press('ArrowLeft'), 7, mirrored)).toBe(8)
  expect(nextIndex(press('ArrowDown'), 7, mirrored)).toBe(12)
})

test('nothing leads out of the grid, Ctrl leads to its ends, and other keys are not for it', () => {
  expect(nextIndex(press('ArrowUp'), 3, grid)).toBe(3)
  expect(nextIndex(press('ArrowDown'), 21, grid)).toBe(22)
  expect(nextIndex(press('End', 'ctrlKey'), 7, grid)).toBe(22)
  expect(nextIndex(press('Home', 'ctrlKey'), 7, grid)).toBe(0)
  for (const each of [press('a'), press('ArrowDown', 'shiftKey'), press('ArrowDown', 'altKey')])
    expect(nextIndex(each, 7, grid)).toBeUndefined()
})
