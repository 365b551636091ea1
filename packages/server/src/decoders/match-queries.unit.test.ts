import { expect, test } from 'vitest'
import { matchQueries } from './match-queries.ts'

const isMeant = async (operator: string, value: unknown, publisher: unknown): Promise<boolean> => {
  const context = { title: 'Any', metadata: { publisher } }
  const conditions = { mode: 'all', rules: [{ field: 'metadata.publisher', operator, value }] }
  const [query] = await matchQueries({ template: null, rules: [], conditions, contexts: [context] })
  return query?.isMeant ?? false
}

test.each([
  ['matches', '.'],
  ['starts_with', 'n'],
  ['ends_with', 'l'],
  ['contains', 'ul'],
  ['lt', 5],
  ['gte', 0],
])('W10 what is not known %s nothing', async (operator, value) => {
  expect(await isMeant(operator, value, null)).toBe(false)
  expect(await isMeant(operator, value, [])).toBe(false)
})

test('W10 what is not known does not contain anything, and what is known is judged', async () => {
  expect(await isMeant('not_contains', 'ul', null)).toBe(true)
  expect(await isMeant('starts_with', 'n', 'Null Press')).toBe(true)
  expect(await isMeant('not_contains', 'ul', 'Null Press')).toBe(false)
})
