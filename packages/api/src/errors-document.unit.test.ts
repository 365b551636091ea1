import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { errorTable, problemReasons } from './errors.ts'

const document = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8')

test('HTTP-2 docs/errors.md and the contract list the same codes, with the same status and meaning', () => {
  const rows = document.matchAll(/^\| `(\w+)` \| (\d{3}) \| (.+) \|$/gm)
  const written = [...rows].map(([, code, status, meaning]) => ({ code, status: Number(status), meaning }))
  const inContract = Object.entries(errorTable).map(([code, entry]) => ({ code, ...entry }))

  expect(written).toEqual(inContract)
})

test('HTTP-2 docs/errors.md and the contract list the same reasons, with the same meaning', () => {
  const [, after = ''] = document.split('## Reasons')
  const written = [...after.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, reason, meaning]) => [reason, meaning])

  expect(written).toEqual(Object.entries(problemReasons))
})
