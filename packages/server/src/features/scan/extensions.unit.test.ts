import { expect, test } from 'vitest'
import { extensionsOf, guessedFormat } from './extensions.ts'
import { kindOf, withoutExtension } from './walker/kinds.ts'

const names = ['a.cbz', 'a.zip', 'a.mobi', 'a.azw', 'a.AZW3', 'a.fb2', 'a.FB2.zip', 'a.fbz', '.fb2.zip', 'fb2.zip']

const booksOf = (formats: Parameters<typeof extensionsOf>[0]) =>
  names.filter((name) => kindOf(name, new Set(extensionsOf(formats))) === 'book')

test('LIB-1 a library has the books of its formats; a FictionBook in a ZIP is not of those of a ZIP', () => {
  expect(booksOf(null)).toEqual(names.filter((name) => !name.startsWith('.')))
  expect(booksOf(['cbz'])).toEqual(['a.cbz', 'a.zip', 'fb2.zip'])
  expect(booksOf(['mobi'])).toEqual(['a.mobi', 'a.azw'])
  expect(booksOf(['azw3'])).toEqual(['a.AZW3'])
  expect(booksOf(['fb2'])).toEqual(['a.fb2', 'a.FB2.zip', 'a.fbz'])
})

test('LIB-3 until a book is read, it is what its name says', () => {
  const guesses = names.slice(0, 8).map((name) => guessedFormat({ name, isFolder: false }))

  expect(guesses).toEqual(['cbz', 'cbz', 'mobi', 'mobi', 'azw3', 'fb2', 'fb2', 'fb2'])
  expect(guessedFormat({ name: 'a.fb2', isFolder: true })).toBe('folder')
})

test('what a book is called is its name without all of its extension', () => {
  expect(['a.b.cbz', 'a.fb2.zip', 'a.zip', 'a', '.zip'].map(withoutExtension)).toEqual(['a.b', 'a', 'a', 'a', '.zip'])
})
