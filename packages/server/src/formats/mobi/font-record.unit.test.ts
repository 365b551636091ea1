import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { randomFrom } from '../../../test/books/pictures.ts'
import { fontRecordHead, isFontRecord, readFontRecord } from './font-record.ts'

const random = randomFrom(7)
const font = Buffer.concat([Buffer.from([0, 1, 0, 0]), Buffer.from(Array.from({ length: 5000 }, () => random() * 256))])
const key = Buffer.from(Array.from({ length: 20 }, (_, index) => index * 11 + 3))

/** The record as programs write it: packed first, then its first 1,040 bytes changed by a key. */
const record = ({ isPacked = true, isObfuscated = true } = {}): Buffer => {
  const stored = isPacked ? deflateSync(font) : Buffer.from(font)
  const changed = stored.map((byte, position) =>
    isObfuscated && position < 1040 ? byte ^ (key[position % key.length] ?? 0) : byte,
  )
  const head = Buffer.alloc(24)
  head.write('FONT', 0, 'latin1')
  const fields = [font.length, (isPacked ? 1 : 0) + (isObfuscated ? 2 : 0), 24 + key.length, key.length, 24]
  for (const [index, field] of fields.entries()) head.writeUInt32BE(field, 4 + 4 * index)
  return Buffer.concat([head, key, Buffer.from(changed)])
}

test.each([
  { isPacked: true, isObfuscated: true },
  { isPacked: true, isObfuscated: false },
  { isPacked: false, isObfuscated: true },
  { isPacked: false, isObfuscated: false },
])('a font comes out as it went in: $isPacked, $isObfuscated', (how) => {
  const written = record(how)

  expect(isFontRecord(written)).toBe(true)
  expect(readFontRecord(written).equals(font)).toBe(true)
  expect(fontRecordHead(written.subarray(0, 1024)).subarray(0, 4)).toEqual(font.subarray(0, 4))
})

test('a font that is cut off or packed wrongly is damaged', () => {
  for (const bytes of [record().subarray(0, 20), record().subarray(0, 2000), record().fill(0, 30, 60)])
    expect(() => readFontRecord(bytes)).toThrow(expect.objectContaining({ code: 'damaged' }))
})
