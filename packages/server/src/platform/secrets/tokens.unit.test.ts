import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { deriveKey, md5, randomLabel, randomToken, sameSecret, sha256 } from './tokens.ts'

test('AUTH-3 a token is 256 bits in 43 characters, and never the same twice', () => {
  const tokens = Array.from({ length: 1000 }, () => randomToken())

  for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/)
  expect(new Set(tokens).size).toBe(1000)
})

test('AUTH-3 a label is small letters and digits, as many as asked for', () => {
  for (const length of [1, 8, 32]) expect(randomLabel(length)).toMatch(new RegExp(`^[a-z0-9]{${length}}$`))
})

test('hashes are those everybody knows', () => {
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  expect(md5('abc')).toBe('900150983cd24fb0d6963f7d28e17f72')
})

test('CFG-5 each purpose and each secret has a key of its own, always the same', () => {
  const keys = ['access-token', 'refresh-token', 'setup-token'].flatMap((purpose) =>
    ['one secret', 'another secret'].map((secret) => deriveKey(secret, purpose).toString('hex')),
  )

  expect(new Set(keys).size).toBe(6)
  expect(deriveKey('one secret', 'access-token')).toEqual(deriveKey('one secret', 'access-token'))
  expect(deriveKey('one secret', 'access-token')).toHaveLength(32)
  expect(deriveKey('one secret', 'setup-token', 16)).toHaveLength(16)
})

test('two secrets are the same only when they are, whatever their length', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 50 })

  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(sameSecret(a, b)).toBe(a === b)
      expect(sameSecret(a, a)).toBe(true)
    }),
  )
})
