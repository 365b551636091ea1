import { expect, test } from 'vitest'
import { printable } from './printable.ts'

test('C25 what would steer a terminal is shown and does nothing', () => {
  expect(printable('Comics\u001b[2J\u001b]0;owned\u0007\r\nUser root: is made\u009b1m')).toBe(
    'Comics\\u{1b}[2J\\u{1b}]0;owned\\u{7}\\u{d}\\u{a}User root: is made\\u{9b}1m',
  )
  expect(printable('gpj.\u202ecbz')).toBe('gpj.\\u{202e}cbz')
  expect(printable('Höhle & Söhne 風の話 👩‍🚀')).toBe('Höhle & Söhne 風の話 👩‍🚀')
})
