import { expect, test } from 'vitest'
import { withEvenLists } from './even-lists.ts'

const marks = (count: number): string => Array.from({ length: count }, () => '?').join(', ')
const numbers = (count: number, from = 0): number[] => Array.from({ length: count }, (_, index) => from + index)

test('a long list becomes as long as the next power of two, by more of its last value', () => {
  const statement = {
    sql: `select * from a where x = ? and id in (${marks(20)}) and not y in (${marks(3)}) and z not in (${marks(33)}) limit ?`,
    parameters: ['x', ...numbers(20), 'p', 'q', 'r', ...numbers(33, 100), 7],
  }

  expect(withEvenLists(statement)).toEqual({
    sql: `select * from a where x = ? and id in (${marks(32)}) and not y in (${marks(3)}) and z not in (${marks(64)}) limit ?`,
    parameters: [
      'x',
      ...numbers(20),
      ...Array<number>(12).fill(19),
      'p',
      'q',
      'r',
      ...numbers(33, 100),
      ...Array<number>(31).fill(132),
      7,
    ],
  })
})

test.each([
  ['short lists', `select * from a where id in (${marks(15)})`, numbers(15)],
  ['a list that is even already', `select * from a where id in (${marks(64)})`, numbers(64)],
  ['other lists', `insert into a values (${marks(20)})`, numbers(20)],
  ['a question mark that is text', `select '?' from a where id in (${marks(20)})`, numbers(20)],
])('%s stay as they are', (_, sql, parameters) => {
  expect(withEvenLists({ sql, parameters })).toEqual({ sql, parameters })
})
