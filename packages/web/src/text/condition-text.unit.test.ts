import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCondition } from '../../test/conditions.ts'
import { allOf, conditionText, NoCondition, parseConditionText, type Tree } from './condition-text.ts'
import { parseSearch, stringifySearch } from '../navigation/search-params.ts'

/** Conditions side by side must all hold: a condition that is no such list is a list of one. */
const listed = (tree: Tree): Tree => (allOf(tree) ? tree : { allOf: [tree] })

/** It returns the message thrown for a text, or nothing. */
const faultOf = (target: 'series' | 'books', text: string): unknown => {
  try {
    parseConditionText(target, text)
    return undefined
  } catch (error) {
    return error
  }
}

test.each(['series', 'books'] as const)('any condition over %s comes back from an address as it was', (target) => {
  fc.assert(
    fc.property(anyCondition[target], (condition) => {
      const address = stringifySearch({ where: conditionText(target, condition) })
      const { where } = parseSearch(address)
      expect(parseConditionText(target, String(where))).toEqual(listed(condition))
    }),
  )
})

test('it can be read and written by people', () => {
  const condition: Tree = {
    allOf: [
      { genre: { operator: 'is', value: 'Science Fiction' } },
      { year: { operator: 'between', min: 2000, max: null } },
      {
        not: {
          anyOf: [{ tag: { operator: 'contains', value: 'war' } }, { readStatus: { operator: 'is', value: 'read' } }],
        },
      },
      { completion: { operator: 'isTrue' } },
      { summary: { operator: 'isNull' } },
    ],
  }
  const text = 'genre="Science Fiction" year=2000.. -(tag~war or readStatus=read) completion:yes summary:none'
  expect(conditionText('series', condition)).toBe(text)
  expect(parseConditionText('series', text)).toEqual(condition)
  expect(stringifySearch({ where: text })).toBe(
    '?where=genre=%22Science+Fiction%22+year=2000..+-(tag~war+or+readStatus=read)+completion:yes+summary:none',
  )
})

test.each([
  ['genre', 5],
  ['nothing=1', 0],
  ['year=soon', 5],
  ['(genre=a', 8],
  ['genre=a)', 7],
  ['genre:yes', 9],
  ['year~3', 4],
  ['genre="a', 6],
  ['libraryId=[a b', 12],
])('%j is no condition, and it is said where', (text, position) => {
  const fault = faultOf('series', text)
  expect(fault).toBeInstanceOf(NoCondition)
  expect(fault).toMatchObject({ position })
})

test('a hundred thousand groups in each other are refused, not followed', () => {
  for (const sign of ['(', '-']) {
    expect(() => parseConditionText('series', sign.repeat(100_000))).toThrow(NoCondition)
  }
})

test('any text is a condition or is refused as none', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const fault = faultOf('books', text)
      expect(fault === undefined || fault instanceof NoCondition).toBe(true)
    }),
  )
})
