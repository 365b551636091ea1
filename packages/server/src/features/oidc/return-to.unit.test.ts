import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ownPath } from './return-to.ts'

test('AUTH-8 below a base path only what is below it is ours, whichever way it is spelled', () => {
  expect(ownPath('/shelf', '/shelf')).toBe('/shelf')
  expect(ownPath('/shelf/series?x=1#y', '/shelf')).toBe('/shelf/series?x=1#y')
  for (const path of [
    '/',
    '/shelfish',
    '/series',
    '/shelf/../admin',
    '/shelf/%2e%2e/admin',
    '/shelf/..//evil.example',
  ]) {
    expect([path, ownPath(path, '/shelf')]).toEqual([path, undefined])
  }
})

test('AUTH-8 whatever is asked for, a browser that follows it stays on this server', () => {
  const piece = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '//',
    '@',
    ':',
    '?',
    '#',
    '\t',
    '\n',
    ' ',
    '%2f',
    '%5c',
    'https:',
    'evil.example',
    'ä',
    '\u0000',
  )
  const addresses = fc.oneof(
    fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('')),
    fc.webUrl(),
    fc.string(),
  )
  fc.assert(
    fc.property(addresses, fc.constantFrom('', '/shelf'), (text, basePath) => {
      const path = ownPath(text, basePath)
      if (path === undefined) return
      const landed = new URL(path, 'https://books.example.org/shelf/api/v1/auth/oidc/main/callback')
      expect(landed.origin).toBe('https://books.example.org')
      expect(`${landed.pathname}/`.startsWith(`${basePath}/`)).toBe(true)
      expect(path).toMatch(/^\/(?!\/)[!-~]*$/)
    }),
    { numRuns: 5000 },
  )
})
