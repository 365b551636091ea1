import { expect, test } from 'vitest'
import { writersIn, writersOf } from './writers.ts'

test('CAT-1 lists name those who have written a book, each once, in the order they are named in', () => {
  const authors = [
    { name: 'Ada Vaughan', role: 'Writer' },
    { name: 'Ben Okri', role: 'penciller' },
    { name: 'Cleo Marsh', role: null },
    { name: 'ADA VAUGHAN', role: 'author' },
    { name: 'Dan Low', role: 'co_author' },
  ]
  expect(writersIn(writersOf(authors))).toEqual(['Ada Vaughan', 'Cleo Marsh', 'Dan Low'])
  expect(writersIn(writersOf([{ name: 'Ben Okri', role: 'penciller' }]))).toEqual([])
  expect(writersIn(writersOf())).toEqual([])
})
