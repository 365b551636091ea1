import { expect, test } from 'vitest'
import { hashOf } from './hashes.ts'

const fileOf = (bytes: Buffer) => ({
  size: bytes.length,
  read: (position: number, length: number) => bytes.subarray(position, position + length),
})

/** Bytes that repeat nowhere near a block. */
const bytesOf = (length: number): Buffer => {
  const bytes = Buffer.alloc(length)
  let state = 1
  for (let index = 0; index < length; index += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    bytes[index] = state >>> 24
  }
  return bytes
}

test('C25 the hash of Komga is none of what is shorter than any book', () => {
  expect(hashOf('xxh3-128', fileOf(bytesOf(240)))).toBeUndefined()
  expect(hashOf('xxh3-128', fileOf(bytesOf(241)))).toMatch(/^[\da-f]{32}$/)
})

test('C25 the sample hashes differ only where a read is short', () => {
  const [short, long] = [fileOf(bytesOf(4500)), fileOf(bytesOf(5120))]
  expect(hashOf('koreader-komga', long)).toBe(hashOf('koreader', long))
  expect(hashOf('koreader-stump', long)).toBe(hashOf('koreader', long))
  expect(
    new Set([hashOf('koreader', short), hashOf('koreader-komga', short), hashOf('koreader-stump', short)]).size,
  ).toBe(3)
})
