import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { areElsewhere, figuresOf, knownIn } from './known-text.ts'
import type { KnownFile, KnownFolder } from './messages.ts'

const number = fc.oneof(fc.nat(), fc.maxSafeNat(), fc.integer())
const name = fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => text.replaceAll(/[/\0]/g, '_'))
const rows = fc.array(fc.tuple(fc.uuid(), name, number, number, number, fc.maxSafeNat(), fc.nat(9), fc.boolean()), {
  minLength: 1,
  maxLength: 30,
})

const packed = (known: readonly KnownFile[]): KnownFolder => [
  'A/',
  known.length,
  known.map(([, ...found]) => figuresOf(found)).join('/'),
  known.map(([id, , , , , , , device]) => `${id}/${device}`).join('/'),
]

test('LIB-6 what is known of a folder comes out of its two texts as it went in', () => {
  fc.assert(
    fc.property(rows, fc.nat(9), (each, device) => {
      const known = each.map(([id, name, size, modified, changed, inode, on, isFolder]): KnownFile => {
        return [id, 'A/', name, size, modified, changed, inode, on, isFolder ? 1 : 0]
      })
      expect(knownIn(packed(known))).toEqual(known)
      expect(areElsewhere(packed(known), device)).toBe(known.every((row) => row[7] !== device))
    }),
  )
})
