import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseBookName } from './book-name.ts'
import { bookSortKey, numberOf, type BookNumbers } from './book-order.ts'

/** Both databases compare like this: byte by byte. */
const compare = (a: BookNumbers, b: BookNumbers): number =>
  Buffer.compare(Buffer.from(bookSortKey(a)), Buffer.from(bookSortKey(b)))
const placed = (name: string): BookNumbers => ({ ...parseBookName(name), name })
const inOrder = (names: readonly string[]): string[] =>
  names
    .map(placed)
    .toSorted(compare)
    .map(({ name }) => name)
const book = (fields: Partial<BookNumbers>): BookNumbers => ({
  volume: null,
  chapter: null,
  number: null,
  isSpecial: false,
  name: '',
  ...fields,
})

test.each([
  [['Saga 1.cbz', 'Saga 2.cbz', 'Saga 10.cbz', 'Saga 100.cbz']],
  [
    [
      'N v01.cbz',
      'N v01 c001.cbz',
      'N v01 c002.cbz',
      'N v02.cbz',
      'N v10.cbz',
      'N c011.cbz',
      'N c011.5.cbz',
      'N c012.cbz',
    ],
  ],
  [
    [
      'X #-1.cbz',
      'X #0.cbz',
      'X #½.cbz',
      'X #1.cbz',
      'X #1A.cbz',
      'X #1B.cbz',
      'X #1.MU.cbz',
      'X #1.5.cbz',
      'X #2.cbz',
    ],
  ],
  [['T Ch. 1.cbz', 'T Ch. 120.cbz', 'T S2 Ch. 1.cbz', 'T S2 Ch. 2.cbz', 'T S10 Ch. 1.cbz']],
  [['B Part 1 Volume 3.epub', 'B Part 2 Volume 1.epub', 'B Part 2 Volume 4.epub']],
  [['B Volume 1 Part 1.epub', 'B Volume 1 Part 2.epub', 'B Volume 2.epub']],
  [['海辺のカフカ 上.epub', '海辺のカフカ 中.epub', '海辺のカフカ 下.epub']],
  [['P v10.cbz', 'P - The Guide.cbz', 'P Extra 1.cbz', 'P Extra 2.cbz']],
  [['A.epub', 'b 1st.epub', 'C.epub']],
] as const)('the books of a series are in the order they are read in: %j', (names) => {
  expect(inOrder(names.toReversed())).toEqual(names)
})

test('the number of a book is its chapter or issue, or else its volume', () => {
  expect(numberOf({ volume: 2, chapter: 10.5, number: null })).toBe(10.5)
  expect(numberOf({ volume: 2, chapter: null, number: '041' })).toBe(41)
  expect(numberOf({ volume: 2, chapter: null, number: null })).toBe(2)
  expect(numberOf({ volume: null, chapter: null, number: 'Ω' })).toBeNull()
  expect(numberOf({ volume: null, chapter: null, number: null })).toBeNull()
})

const half = fc.integer({ min: 0, max: 20_000 }).map((value) => value / 2)
const maybe = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> => fc.option(value, { nil: null })
const anyBook: fc.Arbitrary<BookNumbers> = fc.record({
  volume: maybe(half),
  chapter: maybe(half),
  number: maybe(fc.oneof(half.map(String), fc.constantFrom('1A', '½', '1.MU', 'Ω', ''))),
  season: maybe(fc.integer({ min: 1, max: 20 })),
  part: maybe(fc.constantFrom('1', '2', '上', 'a')),
  isSpecial: fc.boolean(),
  name: fc.string({ unit: 'binary', maxLength: 20 }),
})

test('a higher number comes later, whatever the books are called', () => {
  fc.assert(
    fc.property(anyBook, half, half, (any, a, b) => {
      fc.pre(a !== b)
      const order = Math.sign(a - b)
      expect(Math.sign(compare({ ...any, chapter: a }, { ...any, chapter: b, name: 'other' }))).toBe(order)
      expect(Math.sign(compare({ ...any, volume: a }, { ...any, volume: b, name: 'other' }))).toBe(order)
      const issue = { ...any, chapter: null }
      expect(Math.sign(compare({ ...issue, number: String(a) }, { ...issue, number: `00${b}` }))).toBe(order)
    }),
    { numRuns: 2000 },
  )
})

test('a whole volume comes before its chapters, loose chapters behind all volumes, specials behind everything', () => {
  fc.assert(
    fc.property(anyBook, half, half, (any, volume, chapter) => {
      const inVolume = { ...any, volume, chapter: null, number: null, isSpecial: false }
      expect(compare(inVolume, { ...inVolume, chapter })).toBeLessThan(0)
      expect(compare({ ...inVolume, chapter }, { ...inVolume, volume: null, chapter: 0 })).toBeLessThan(0)
      expect(compare(inVolume, { ...any, isSpecial: true })).toBeLessThan(0)
    }),
    { numRuns: 2000 },
  )
})

test('the order is one order: it is total and transitive, and only the same book is equal', () => {
  fc.assert(
    fc.property(anyBook, anyBook, anyBook, (a, b, c) => {
      expect(Math.sign(compare(a, b))).toBe(-Math.sign(compare(b, a)) + 0)
      const sorted = [a, b, c].toSorted(compare)
      expect(sorted.every((each, index) => sorted.slice(index).every((later) => compare(each, later) <= 0))).toBe(true)
      expect(compare(a, b) === 0 && Buffer.from(a.name).compare(Buffer.from(b.name)) !== 0).toBe(false)
    }),
    { numRuns: 2000 },
  )
})

test('numbers beyond all reason stay in their place', () => {
  for (const volume of [-1e12, 1e12, Infinity]) expect(bookSortKey(book({ volume }))).toMatch(/^0[\d~-]+/)
  expect(compare(book({ volume: 3 }), book({ volume: 1e12 }))).toBeLessThan(0)
})
