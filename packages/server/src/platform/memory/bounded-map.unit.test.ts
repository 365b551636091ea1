import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { BoundedMap } from './bounded-map.ts'

test('a bounded map keeps what was used last, as a plain list of uses says', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e')
  const command = fc.oneof(
    fc.record({ kind: fc.constant('set' as const), key, value: fc.integer() }),
    fc.record({ kind: fc.constantFrom('get' as const, 'delete' as const), key }),
    fc.constant({ kind: 'clear' as const, key: '' }),
  )

  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(command, { maxLength: 60 }), (max, commands) => {
      const map = new BoundedMap<number>(max)
      let model: { key: string; value: number }[] = []
      const got: unknown[] = []
      const expected: unknown[] = []
      for (const each of commands) {
        const stored = model.find((entry) => entry.key === each.key)
        const others = model.filter((entry) => entry !== stored)
        if (each.kind === 'set') {
          map.set(each.key, each.value)
          model = [...others, { key: each.key, value: each.value }].slice(-max)
        } else if (each.kind === 'get') {
          got.push(map.get(each.key))
          expected.push(stored?.value)
          model = stored ? [...others, stored] : model
        } else if (each.kind === 'delete') {
          map.delete(each.key)
          model = others
        } else {
          map.clear()
          model = []
        }
        expect(map.size).toBe(model.length)
      }
      expect(got).toEqual(expected)
      for (const entry of model) expect(map.get(entry.key)).toBe(entry.value)
    }),
    { numRuns: 500 },
  )
})
