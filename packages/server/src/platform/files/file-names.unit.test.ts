import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { nameFromBytes, pathForSystem } from './file-names.ts'

test('a name that is valid UTF-8 is kept as it is', () => {
  for (const name of ['Vol. 1.cbz', 'カラス 03.cbz', 'é.pdf', '😀']) {
    expect(nameFromBytes(Buffer.from(name))).toBe(name)
    expect(pathForSystem(name)).toBe(name)
  }
})

test('bytes that are no UTF-8 can be read and come back the same', () => {
  const bytes = Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x2e, 0x63, 0x62, 0x7a])
  expect(nameFromBytes(bytes)).toBe('caf\uFFFDE9.cbz')
  expect(pathForSystem('caf\uFFFDE9.cbz')).toEqual(bytes)
})

test('any bytes come back the same', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const path = pathForSystem(nameFromBytes(bytes))
      expect(Buffer.from(path as Buffer)).toEqual(Buffer.from(bytes))
    }),
  )
})

test('a real replacement character is not taken for an escape', () => {
  const name = 'odd \uFFFDE9.cbz'
  expect(pathForSystem(nameFromBytes(Buffer.from(name)))).toEqual(Buffer.from(name))
})
