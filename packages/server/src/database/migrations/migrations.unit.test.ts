import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { migrations } from './index.ts'

test('W16 each migration makes the version after the one before, and its file begins with it', () => {
  const [baseline, ...later] = migrations.map(({ version }) => version)
  expect(baseline).toBe(41)
  expect(later).toEqual(later.map((_, index) => 42 + index))
  const files = readdirSync(import.meta.dirname).flatMap((name) => /^(\d+)-.*\.ts$/.exec(name)?.[1] ?? [])
  expect(files.sort().map(Number)).toEqual(later)
})
