import { expect, test } from 'vitest'
import { type Candidate, chooseBook, numberOf } from './match.ts'

const candidate = (bookId: string, more: Partial<Candidate> = {}): Candidate => ({
  bookId,
  seriesId: `series of ${bookId}`,
  seriesName: 'Batman',
  year: null,
  volume: null,
  released: null,
  isPresent: true,
  ...more,
})

const entry = (more: { series?: string; volume?: string; year?: string } = {}) => ({
  series: 'Batman',
  number: '1',
  volume: null,
  year: null,
  ...more,
})

const choice = (...[sought, ...candidates]: [ReturnType<typeof entry>, ...Candidate[]]) => {
  const match = chooseBook(sought, candidates)
  if (match.kind === 'none') return []
  return (match.kind === 'one' ? [match.book] : match.books).map(({ bookId }) => bookId)
}

test('CAT-8 the best of several books is chosen by volume and year, and none that contradicts them', () => {
  const old = candidate('old', { year: 1940, released: 1940 })
  const young = candidate('young', { year: 2016, released: 2016 })
  expect(choice(entry())).toEqual([])
  expect(choice(entry(), old)).toEqual(['old'])
  expect(choice(entry(), old, young)).toEqual(['old', 'young'])
  expect(choice(entry({ volume: '2016' }), old, young)).toEqual(['young'])
  expect(choice(entry({ series: 'Batman (2016)' }), old, young)).toEqual(['young'])
  expect(choice(entry({ year: '1940' }), old, young)).toEqual(['old'])
  // The library has only the other series.
  expect(choice(entry({ volume: '1940', year: '1940' }), young)).toEqual([])
  expect(choice(entry({ volume: '2016' }), old)).toEqual([])
  // A series that began long before matches as long as nothing else is known.
  expect(choice(entry({ year: '1990' }), candidate('late', { year: 1940 }))).toEqual(['late'])
  // Nobody is exact to the year.
  expect(choice(entry({ year: '2017' }), young)).toEqual(['young'])
})

test('CAT-8 a volume may be a number, and a book that is there is preferred to one that is missing', () => {
  const first = candidate('first', { volume: 1 })
  const second = candidate('second', { volume: 2 })
  expect(choice(entry({ volume: '2' }), first, second)).toEqual(['second'])
  expect(choice(entry({ volume: '3' }), first, second)).toEqual([])
  expect(choice(entry({ volume: '3' }), candidate('unsaid'))).toEqual(['unsaid'])
  expect(choice(entry({ volume: '2016' }), candidate('as year', { volume: 2016 }), candidate('not'))).toEqual([
    'as year',
  ])
  expect(choice(entry(), candidate('gone', { isPresent: false }), candidate('here'))).toEqual(['here'])
})

test('CAT-8 numbers are compared as numbers, and what is none as text', () => {
  for (const text of ['1', '001', '#1', '1.0']) expect(numberOf(text)).toEqual({ value: 1, text: null })
  expect(numberOf('-1')).toEqual({ value: -1, text: null })
  expect(numberOf('0.5')).toEqual({ value: 0.5, text: null })
  expect(numberOf('Annual 1')).toEqual({ value: null, text: 'annual 1' })
  expect(numberOf(null)).toEqual({ value: null, text: null })
})
