import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { combineRules } from './access.ts'

type Rule = Parameters<typeof combineRules>[0][number]

const all: Rule = { libraries: 'all', ageCeiling: null, includeUnrated: false }
const libraryId = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const rule: fc.Arbitrary<Rule> = fc.record({
  libraries: fc.oneof(fc.constant('all' as const), fc.uniqueArray(libraryId)),
  ageCeiling: fc.option(fc.integer({ min: 0, max: 21 })),
  includeUnrated: fc.boolean(),
})
const rules = fc.array(rule, { maxLength: 8 })

/** It says, as pins W9 does, whether one rule alone lets an age rating pass. */
const lets = ({ ageCeiling, includeUnrated }: Rule, rating: number | null): boolean =>
  ageCeiling === null || (rating === null ? includeUnrated : rating <= ageCeiling)

test('AUTH-7 one rule alone is that rule', () => {
  const strict: Rule = { libraries: ['b', 'a'], ageCeiling: 12, includeUnrated: true }

  expect(combineRules([strict])).toEqual({ libraries: ['a', 'b'], ageCeiling: 12, includeUnrated: true })
  expect(combineRules([all])).toEqual({ libraries: 'all', ageCeiling: null, includeUnrated: false })
  expect(combineRules([])).toEqual({ libraries: 'all', ageCeiling: null, includeUnrated: false })
})

test('AUTH-7 a work passes all rules together exactly when it passes each of them', () => {
  const rating = fc.option(fc.integer({ min: 0, max: 25 }))

  fc.assert(
    fc.property(rules, rating, (given, rated) => {
      expect(lets({ ...all, ...combineRules(given) }, rated)).toBe(given.every((each) => lets(each, rated)))
    }),
    { numRuns: 1000 },
  )
})

test('AUTH-7 the libraries are those listed anywhere, and all only where nothing is listed', () => {
  fc.assert(
    fc.property(rules, (given) => {
      const lists = given.map(({ libraries }) => libraries).filter((libraries) => libraries !== 'all')
      const { libraries } = combineRules(given)
      const expected = lists.length === 0 ? 'all' : [...new Set(lists.flat())].toSorted()
      expect(libraries).toEqual(expected)
    }),
  )
})

test('AUTH-7 the order of the rules, and saying one twice, changes nothing', () => {
  fc.assert(
    fc.property(rules, (given) => {
      const combined = combineRules(given)
      expect(combineRules(given.toReversed())).toEqual(combined)
      expect(combineRules([...given, ...given])).toEqual(combined)
    }),
  )
})

test('AUTH-7 combining in two steps is combining in one, and a rule that says nothing adds nothing', () => {
  fc.assert(
    fc.property(rules, rules, (some, others) => {
      const inOne = combineRules([...some, ...others])
      expect(combineRules([combineRules(some), combineRules(others)])).toEqual(inOne)
      expect(combineRules([...some, all, ...others])).toEqual(inOne)
    }),
  )
})

test('AUTH-7 one more rule never lifts a ceiling', () => {
  fc.assert(
    fc.property(rules, rule, (given, another) => {
      const before = combineRules(given).ageCeiling ?? Number.POSITIVE_INFINITY
      const after = combineRules([...given, another]).ageCeiling ?? Number.POSITIVE_INFINITY
      expect(after).toBeLessThanOrEqual(before)
    }),
  )
})
