import { homeShelves } from '@carrel/api'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arrangementOf, layoutOf, moved, toggled } from './arrangement.ts'

const layouts = fc.shuffledSubarray([...homeShelves])
const positions = fc.integer({ min: -1, max: homeShelves.length })

test('READ-4 an arrangement has every shelf once, and gives back the layout it was made from', () => {
  fc.assert(
    fc.property(layouts, (layout) => {
      const arrangement = arrangementOf(layout, homeShelves)
      expect(layoutOf(arrangement)).toEqual(layout)
      expect(arrangement.order.toSorted()).toEqual(homeShelves.toSorted())
    }),
  )
})

test('READ-4 moving a shelf moves no other one past a third, and nothing is lost', () => {
  fc.assert(
    fc.property(layouts, positions, positions, (layout, from, to) => {
      const before = arrangementOf(layout, homeShelves)
      const after = moved(before, from, to)
      expect(after.order.toSorted()).toEqual(before.order.toSorted())
      const shelf = before.order[from]
      expect(after.order.filter((each) => each !== shelf)).toEqual(before.order.filter((each) => each !== shelf))
      const isPossible = shelf !== undefined && to >= 0 && to < homeShelves.length
      expect(after.order[isPossible ? to : from]).toBe(shelf)
    }),
  )
})

test('READ-4 hiding a shelf and showing it again puts it back where it was', () => {
  fc.assert(
    fc.property(layouts, fc.constantFrom(...homeShelves), (layout, shelf) => {
      const before = arrangementOf(layout, homeShelves)
      expect(layoutOf(toggled(before, shelf)).includes(shelf)).toBe(!layout.includes(shelf))
      expect(layoutOf(toggled(toggled(before, shelf), shelf))).toEqual(layout)
    }),
  )
})
