import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nothingSelected, pagesOf, rangeBetween, type Selection, withRange, withToggled } from './selection.ts'

const items = Array.from({ length: 500 }, (_, index) => ({ id: `item-${index}` }))
const index = fc.integer({ min: 0, max: 499 })

test('a range is the same from either end, and its pages hold each of its items exactly once', () => {
  fc.assert(
    fc.property(index, index, fc.integer({ min: 1, max: 120 }), (anchor, end, pageSize) => {
      const range = rangeBetween(anchor, end)
      expect(range).toEqual(rangeBetween(end, anchor))
      const held = pagesOf(range, pageSize).flatMap(({ page, start, end: stop }) =>
        items.slice((page - 1) * pageSize, page * pageSize).slice(start, stop),
      )
      expect(held).toEqual(items.slice(range.from, range.to + 1))
    }),
  )
})

test('clicks and ranges choose what they say, and nothing that was chosen is lost by a range', () => {
  const steps = fc.array(fc.record({ at: index, isRange: fc.boolean() }), { maxLength: 20 })
  fc.assert(
    fc.property(steps, (clicks) => {
      let selection: Selection<{ id: string }> = nothingSelected
      const expected = new Set<string>()
      let anchor: number | undefined
      for (const { at, isRange } of clicks) {
        const item = items[at] ?? { id: '' }
        const { from, to } = rangeBetween(anchor, at)
        const between = items.slice(from, to + 1)
        selection = isRange ? withRange(selection, at, between) : withToggled(selection, at, item)
        for (const { id } of isRange ? between : [item]) {
          if (isRange || !expected.delete(id)) expected.add(id)
        }
        anchor = at
        expect(selection.anchor).toBe(at)
        expect(new Set(selection.items.keys())).toEqual(expected)
      }
    }),
  )
})
