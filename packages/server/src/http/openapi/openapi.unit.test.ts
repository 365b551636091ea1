import { setImmediate as nextTurn } from 'node:timers/promises'
import { allEndpoints } from '@carrel/api/all-endpoints'
import { expect, test } from 'vitest'
import { openApiDocument } from './openapi.ts'

test('P-19 HTTP-7 others are answered while the document of the whole API is made', async () => {
  const state = { isMade: false, turns: 0 }
  const making = openApiDocument(allEndpoints, { basePath: '', version: 'as built' }).finally(() => {
    state.isMade = true
  })

  for (; !state.isMade; state.turns += 1) await nextTurn()

  expect(state.turns).toBeGreaterThan(allEndpoints.length / 20)
  expect(Object.keys((await making)['paths'] as object).length).toBeGreaterThan(100)
})
