import { expect, test } from 'vitest'
import { differenceOf } from './difference.ts'

const previewed = (name: string, bookCount: number, was: string | null) => ({
  name,
  path: name,
  bookCount,
  sampleBooks: [],
  was,
})

test('C21 series that are joined go, and their books move', () => {
  const standing = [
    { id: 'a', title: 'Saga', bookCount: 10 },
    { id: 'b', title: 'Specials', bookCount: 5 },
  ]
  const difference = differenceOf([previewed('Saga', 15, 'a')], standing)
  expect(difference).toEqual({ gone: [standing[1]], came: [], moved: 5 })
})

test('C21 of a series that is parted the largest part stays, and the others come', () => {
  const standing = [{ id: 'a', title: 'Marvel', bookCount: 10 }]
  const [thor, hulk] = [previewed('Thor', 4, 'a'), previewed('Hulk', 6, 'a')]
  expect(differenceOf([thor, hulk], standing)).toEqual({ gone: [], came: [thor], moved: 4 })
})

test('C21 books that nobody has scanned yet come, and none moves', () => {
  const standing = [{ id: 'a', title: 'Saga', bookCount: 3 }]
  const fresh = previewed('New', 2, null)
  expect(differenceOf([previewed('Saga', 4, 'a'), fresh], standing)).toEqual({ gone: [], came: [fresh], moved: 0 })
})
