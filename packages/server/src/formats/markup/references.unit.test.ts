import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressOf, allowedAddress, insideBook, targetOf } from './references.ts'

const from = 'OEBPS/text/ch1.xhtml'

test('an address is seen from the file it stands in', () => {
  const paths = {
    'ch2.xhtml': 'OEBPS/text/ch2.xhtml',
    './ch2.xhtml': 'OEBPS/text/ch2.xhtml',
    '../images/a%20b.png': 'OEBPS/images/a b.png',
    '../../mimetype': 'mimetype',
    '../images/../text/./x': 'OEBPS/text/x',
    ' x?y=1 ': 'OEBPS/text/x',
    'ch\n2.xhtml': 'OEBPS/text/ch2.xhtml',
    '100%.xhtml': 'OEBPS/text/100%.xhtml',
    '': from,
  }

  for (const [address, path] of Object.entries(paths))
    expect([address, targetOf(from, address)?.path]).toEqual([address, path])
  expect(targetOf(from, 'ch2.xhtml#a?b#c')).toEqual({ path: 'OEBPS/text/ch2.xhtml', fragment: 'a?b#c' })
  expect(targetOf(from, '#top')).toEqual({ path: from, fragment: 'top' })
})

test('T-01 T-12 no address leads out of the book, not even to come back', () => {
  const outside = [
    '../../../x',
    '../../../OEBPS/text/ch1.xhtml',
    '/x',
    '//evil.example/x',
    '\\x',
    '..\\..\\..\\x',
    '%2e%2e/%2e%2e/%2E./x',
    '..%2f..%2f..%2fx',
    '..%5cx',
    'a%00b',
    'http:x',
    'https://evil.example',
    'x:y',
    'java\tscript:x',
    '\u0001javascript:x',
    '.\t./.\n./../x',
  ]

  for (const address of outside) expect([address, targetOf(from, address)]).toEqual([address, undefined])
})

test('T-12 what stays is where a browser finds it, and where we do', () => {
  const step = fc.constantFrom(
    '..',
    '.',
    '',
    'a',
    'b c',
    '%2e%2e',
    '.%2E',
    '%2f',
    '%5c',
    '\\',
    'é',
    '%',
    '%zz',
    '\t',
    ':',
    '?',
    '#',
    '//',
    'x.y',
  )

  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), fc.constantFrom('/', ''), (steps, glue) => {
      const address = steps.join(glue)
      const allowed = allowedAddress('link', address, insideBook(from))
      const target = targetOf(from, address)
      fc.pre(allowed !== undefined && target !== undefined)

      const url = new URL(allowed, `https://us.example/book/${from}`)
      expect(url.origin).toBe('https://us.example')
      const path = url.pathname
        .replace('/book/', '')
        .split('/')
        .map((part) => {
          try {
            return decodeURIComponent(part)
          } catch {
            return part
          }
        })
      // A folder is no file, with a slash at its end or without.
      expect(path.join('/').replace(/\/+$/, '')).toBe(target.path.replace(/\/+$/, ''))
    }),
    { numRuns: 3000 },
  )
})

test('the address of a file leads to it from anywhere at the top', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 }), (steps) => {
      fc.pre(steps.every((step) => !/^\.{1,2}$|[/\\\0]/.test(step)))
      const path = steps.join('/').toWellFormed()
      expect(targetOf('top', addressOf(path))?.path).toBe(path)
    }),
  )
})

test('only what is loaded by nobody may lead to the web, and only pictures and fonts hold themselves', () => {
  const resolve = insideBook(from)
  const png = 'data:image/png;base64,AAAA'

  expect(allowedAddress('link', 'https://example.org/', resolve)).toBe('https://example.org/')
  expect(allowedAddress('load', 'https://example.org/', resolve)).toBeUndefined()
  expect(allowedAddress('style', 'https://example.org/', resolve)).toBeUndefined()
  expect(allowedAddress('load', png, resolve)).toBe(png)
  expect(allowedAddress('style', 'data:font/woff2;base64,AAAA', resolve)).toBe('data:font/woff2;base64,AAAA')
  expect(allowedAddress('link', png, resolve)).toBeUndefined()
  expect(allowedAddress('load', 'data:image/svg+xml;base64,AAAA', resolve)).toBeUndefined()
  expect(allowedAddress('fragment', 'x.svg#a', resolve)).toBeUndefined()
  expect(allowedAddress('fragment', '#a', resolve)).toBe('#a')
})
