import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { changesIn } from './position-changes.ts'

const ids = fc.uniqueArray(fc.constantFrom(...'abcdefghijklmnop'))
const gaps = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 16, maxLength: 16 })

test('C20 the members of a list come into the order of the files, and only those change that must', () => {
  fc.assert(
    fc.property(ids, gaps, ids, (there, distances, expected) => {
      let position = 0
      const members = there.map((id, index) => ({ id, position: (position += distances[index] ?? 1) }))
      const changes = changesIn(members, expected)

      const after = new Map(members.map((member) => [member.id, member.position]))
      for (const change of changes) {
        if (change.how === 'gone') after.delete(change.id)
        else after.set(change.id, change.position)
      }
      expect([...after].sort(([, one], [, other]) => one - other).map(([id]) => id)).toEqual(expected)
      expect(new Set(after.values()).size).toBe(expected.length)
      expect(new Set(changes.map(({ id }) => id)).size).toBe(changes.length)
      // Once a list has been numbered with room, what comes into it moves nobody else.
      const numbered = changesIn([], expected).flatMap((change) => (change.how === 'gone' ? [] : change))
      for (let index = 0; index <= expected.length; index += 1)
        expect(changesIn(numbered, expected.toSpliced(index, 0, 'new')).map(({ how }) => how)).toEqual(['come'])
    }),
  )
})
