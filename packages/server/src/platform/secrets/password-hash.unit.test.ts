import { expect, test } from 'vitest'
import { fullCost, passwordHashing } from './password-hash.ts'

const cheap = { memoryKib: 64, passes: 1 }

test('AUTH-5 the right password is right and any other wrong', async () => {
  const passwords = passwordHashing(cheap)
  const stored = await passwords.hash('quiet-lamp-over-snow')

  expect(await passwords.verify(stored, 'quiet-lamp-over-snow')).toBe(true)
  for (const wrong of ['', 'quiet-lamp-over-sno', 'quiet-lamp-over-snow ', 'Quiet-lamp-over-snow', stored]) {
    expect(await passwords.verify(stored, wrong)).toBe(false)
  }
})

test('AUTH-5 passwords are stored with argon2id at the cost that is recommended, each salted', async () => {
  const passwords = passwordHashing(fullCost)

  const [one, two] = await Promise.all([passwords.hash('quiet-lamp-over-snow'), passwords.hash('quiet-lamp-over-snow')])

  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(one).not.toBe(two)
  expect(await passwords.verify(two, 'quiet-lamp-over-snow')).toBe(true)
})

test('AUTH-5 without a stored hash no password is right, not even the one of nobody', async () => {
  const passwords = passwordHashing(cheap)

  for (const stored of [undefined, null]) {
    expect(await passwords.verify(stored, 'the password of nobody')).toBe(false)
    expect(await passwords.verify(stored, '')).toBe(false)
  }
})

test('AUTH-5 the same characters typed on another keyboard are the same password', async () => {
  const passwords = passwordHashing(cheap)
  const stored = await passwords.hash('cre\u0300me bru\u0302le\u0301e')

  expect(await passwords.verify(stored, 'cr\u00e8me br\u00fbl\u00e9e')).toBe(true)
  expect(await passwords.verify(stored, 'ｃｒ\u00e8ｍｅ br\u00fbl\u00e9e')).toBe(true)
  expect(await passwords.verify(stored, 'creme brulee')).toBe(false)
})

test('AUTH-5 long passwords count to their last character', async () => {
  const passwords = passwordHashing(cheap)
  const long = 'x'.repeat(1023)
  const stored = await passwords.hash(`${long}a`)

  expect(await passwords.verify(stored, `${long}a`)).toBe(true)
  expect(await passwords.verify(stored, `${long}b`)).toBe(false)
})

test('W14 at most 34 wait or are at work; whoever comes then is told to come back', async () => {
  const passwords = passwordHashing(cheap)

  const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => passwords.hash('quiet-lamp-over-snow')))

  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(refused).toHaveLength(26)
  for (const { reason } of refused)
    expect(reason).toMatchObject({ code: 'unavailable', status: 503, retryAfterSeconds: 1 })
  await expect(passwords.hash('quiet-lamp-over-snow')).resolves.toMatch(/^\$argon2id/)
})
