import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isCommonPassword } from './common-passwords.ts'

const refused = (password: string, username = 'ana'): boolean => isCommonPassword(password, username)

test('AUTH-5 the commonest passwords are refused, whatever their case and width', () => {
  for (const password of [
    'password123',
    'PASSWORD123',
    'ｐａｓｓｗｏｒｄ１２３',
    'Qwertyuiop',
    '1q2w3e4r5t',
    'correcthorsebatterystaple',
  ]) {
    expect([password, refused(password)]).toEqual([password, true])
  }
})

test('AUTH-5 a password of few characters, or of neighbours in the alphabet, is refused', () => {
  for (const password of [
    'aaaaaaaaaa',
    'abababababab',
    'abcabcabcabc',
    '1234567890123',
    '9876543210987',
    'zyxwvutsrq',
    'abcdefghijklmnop',
    '😀😀😀😀😀😀😀😀😀😀',
  ]) {
    expect([password, refused(password)]).toEqual([password, true])
  }
})

test('AUTH-5 the own name with digits and signs, or written twice, is refused', () => {
  for (const password of [
    'Annabel2026',
    'annabel-12345',
    '!!annabel!!!',
    'annabelannabel',
    '2026ANNABEL',
    'ａｎｎａｂｅｌ2026',
  ]) {
    expect([password, refused(password, 'Annabel')]).toEqual([password, true])
  }
  for (const password of ['annabel likes rain', 'annabelle2026x', 'quiet-lamp-over-snow']) {
    expect([password, refused(password, 'Annabel')]).toEqual([password, false])
  }
})

test('AUTH-5 a short name inside a password is no reason to refuse it', () => {
  expect(refused('ana-of-the-green-gate', 'ana')).toBe(false)
  expect(refused('a1!a2!a3!a4!b5?', 'a')).toBe(false)
})

test('AUTH-5 a random password of sixteen characters is never refused', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const random = fc.string({ unit: fc.constantFrom(...alphabet), minLength: 16, maxLength: 16 })
  // A random password has more than a few different characters; the generator also makes others.
  const varied = random.filter((password) => new Set(password.toLowerCase()).size > 8)
  const name = fc.string({ minLength: 1, maxLength: 64 })

  fc.assert(
    fc.property(varied, name, (password, username) => {
      fc.pre(!password.toLowerCase().includes(username.normalize('NFKC').toLowerCase()))
      expect(isCommonPassword(password, username)).toBe(false)
    }),
    { numRuns: 2000 },
  )
})

test('AUTH-5 no password and no name breaks the check', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ unit: 'binary', maxLength: 64 }), (a, b) => {
      expect(typeof isCommonPassword(a, b)).toBe('boolean')
    }),
  )
})
