import { expect, test } from 'vitest'
import { pushAll } from './push-all.ts'

test('LIB-6 as many items are appended as a scan may find to be gone', () => {
  const items = ['first']
  pushAll(
    items,
    Array.from({ length: 500_000 }, (_, index) => String(index)),
  )
  expect([items.length, items.at(-1)]).toEqual([500_001, '499999'])
})
