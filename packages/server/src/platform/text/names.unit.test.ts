import { expect, test } from 'vitest'
import { cleanName } from './names.ts'

test('a name is kept composed and without space around it', () => {
  expect(cleanName(' \u3000zoe\u0308\n', '/name')).toBe('zo\u00eb')
  expect(cleanName('a  b', '/name')).toBe('a  b')
})

test('W2 nothing but space is refused with where it stands', () => {
  for (const blank of ['', ' ', '\u00a0\u3000\t']) {
    expect(() => cleanName(blank, '/name')).toThrow(
      expect.objectContaining({ code: 'validation_failed', details: [expect.objectContaining({ path: '/name' })] }),
    )
  }
})
