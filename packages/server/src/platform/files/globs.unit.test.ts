import { array, assert, constantFrom, property } from 'fast-check'
import { expect, test } from 'vitest'
import { excluder, patternProblem } from './globs.ts'

const excludes = (pattern: string, path: string, isFolder = false) => excluder([pattern])(path, isFolder)

test('C8 a pattern without a slash counts at any depth, one with a slash from the root on', () => {
  expect(excludes('*.tmp', 'a.tmp')).toBe(true)
  expect(excludes('*.tmp', 'One Piece/Vol. 1/a.TMP')).toBe(true)
  expect(excludes('Extras/*.cbz', 'Extras/a.cbz')).toBe(true)
  expect(excludes('Extras/*.cbz', 'One Piece/Extras/a.cbz')).toBe(false)
  expect(excludes('/Extras', 'Extras')).toBe(true)
  expect(excludes('/Extras', 'One Piece/Extras')).toBe(false)
  expect(excludes('**/Extras/*.cbz', 'One Piece/Extras/a.cbz')).toBe(true)
  expect(excludes('**/Extras/*.cbz', 'Extras/a.cbz')).toBe(true)
  expect(excludes('**/Extras/*.cbz', 'MyExtras/a.cbz')).toBe(false)
})

test('C8 hidden files are passed over wherever they are', () => {
  const isExcluded = excluder(['**/.*'])
  expect(['.DS_Store', 'a/.git', 'a/b/._c.cbz', '.hidden/x'].map((path) => isExcluded(path, false))).toEqual([
    true,
    true,
    true,
    false,
  ])
  expect(isExcluded('a.b', false)).toBe(false)
})

test('C8 stars, question marks and sets are what they are elsewhere, and case and form do not count', () => {
  expect(excludes('a?c', 'abc')).toBe(true)
  expect(excludes('a?c', 'ac')).toBe(false)
  expect(excludes('a/?', 'a/b')).toBe(true)
  expect(excludes('a*b/c', 'axx/b/c')).toBe(false)
  expect(excludes('a/**', 'a/b/c')).toBe(true)
  expect(excludes('a/**/c', 'a/c')).toBe(true)
  expect(excludes('a/**/c', 'a/x/y/c')).toBe(true)
  expect(excludes('a/**/c', 'a/xc')).toBe(false)
  expect(excludes('[a-c]x', 'Bx')).toBe(true)
  expect(excludes('[!a-c]x', 'bx')).toBe(false)
  expect(excludes('[]]x', ']x')).toBe(true)
  expect(excludes('été', 'E\u0301TE\u0301')).toBe(true)
  expect(excludes('a.c', 'abc')).toBe(false)
})

test('C8 a pattern that ends in a slash counts for folders only', () => {
  expect(excludes('@eaDir/', '@eaDir', true)).toBe(true)
  expect(excludes('@eaDir/', 'x/@eaDir', true)).toBe(true)
  expect(excludes('@eaDir/', '@eaDir', false)).toBe(false)
})

test('C8 what cannot be meant is refused', () => {
  expect(patternProblem('[abc')).toBe('has a [ without its ]')
  expect(patternProblem('  ')).toBe('must hold more than spaces')
  expect(patternProblem('../x')).toBe('must not lead out of the library')
  expect(['*', '**', '**/*', '*/'].map(patternProblem)).toEqual(
    Array.from({ length: 4 }, () => 'would leave nothing in the library'),
  )
  expect(['**/.*', '*.txt', 'a/**', '[!a]*', 'Vol. [0-9]'].map(patternProblem)).toEqual(
    Array.from({ length: 5 }, () => undefined),
  )
})

test('C8 the same as a regular expression would, for any pattern and path', () => {
  const letters = constantFrom('a', 'b', '/')
  const patterns = array(constantFrom('a', 'b', '/', '*', '**/', '/**', '?'), { minLength: 1, maxLength: 6 })
  assert(
    property(patterns, array(letters, { maxLength: 10 }), (parts, characters) => {
      const pattern = parts
        .join('')
        .replace(/\/{2,}/g, '/')
        .replace(/^\/|\/$/g, '')
      const path = characters
        .join('')
        .replace(/\/{2,}/g, '/')
        .replace(/^\/|\/$/g, '')
      if (pattern === '') return
      expect([pattern, path, excludes(pattern, path)]).toEqual([pattern, path, byExpression(pattern, path)])
    }),
    { numRuns: 3000 },
  )
})

test('C8 a pattern made to take long does not: time goes with pattern and path', () => {
  const path = 'a'.repeat(4000)
  expect(excludes(`${'*a'.repeat(99)}b`, path)).toBe(false)
  expect(excludes(`${'**/'.repeat(60)}b`, `${'a/'.repeat(2000)}c`)).toBe(false)
})

/** The same by means of a regular expression, one for each part between slashes. */
const byExpression = (pattern: string, path: string): boolean => {
  const parts = pattern.split('/')
  const source = parts.map((part, index) => {
    const isLast = index === parts.length - 1
    if (/^\*{2,}$/.test(part)) return isLast ? '.*' : '(?:.*/)?'
    const characters = [...part.replace(/\*+/g, '*')].map((each) => ({ '*': '[^/]*', '?': '[^/]' })[each] ?? each)
    return `${characters.join('')}${isLast ? '' : '/'}`
  })
  const subject = pattern.includes('/') ? path : path.slice(path.lastIndexOf('/') + 1)
  return new RegExp(`^${source.join('')}$`).test(subject)
}
