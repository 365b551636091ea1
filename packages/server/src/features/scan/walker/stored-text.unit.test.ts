import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { areElsewhere, figuresOf, storedFilesIn } from './stored-text.ts'
import type { StoredFile, StoredFolder } from './messages.ts'

const number = fc.oneof(fc.nat(), fc.maxSafeNat(), fc.integer())
const name = fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => text.replaceAll(/[/\0]/g, '_'))
const rows = fc.array(fc.tuple(fc.uuid(), name, number, number, number, fc.maxSafeNat(), fc.nat(9), fc.boolean()), {
  minLength: 1,
  maxLength: 30,
})

const packed = (files: readonly StoredFile[]): StoredFolder => [
  'A/',
  files.length,
  files.map(([, ...walked]) => figuresOf(walked)).join('/'),
  files.map(([id, , , , , , , device]) => `${id}/${device}`).join('/'),
]

test('LIB-6 what is known of a folder comes out of its two texts as it went in', () => {
  fc.assert(
    fc.property(rows, fc.nat(9), (each, device) => {
      const files = each.map(([id, name, size, modified, changed, inode, on, isFolder]): StoredFile => {
        return [id, 'A/', name, size, modified, changed, inode, on, isFolder ? 1 : 0]
      })
      expect(storedFilesIn(packed(files))).toEqual(files)
      expect(areElsewhere(packed(files), device)).toBe(files.every((row) => row[7] !== device))
    }),
  )
})
