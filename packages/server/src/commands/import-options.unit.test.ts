import { expect, test } from 'vitest'
import { choiceOf, importCallOf, librariesFrom, requireTheirs } from './import-options.ts'

const ours = [
  { id: 'one', name: 'Comics' },
  { id: 'two', name: 'A=B' },
]

test('C25 import-from tells at once what is wrong with its words', () => {
  const calling =
    (...args: readonly string[]) =>
    () =>
      importCallOf(['komga', 'store.sqlite', ...args])
  expect(calling('--without', 'nonsense')).toThrow('There is no part "nonsense" to leave out: it is one of users,')
  expect(calling('--library', 'Comics')).toThrow('"Comics" does not say which library is which')
  expect(calling('--library', '=Comics')).toThrow('does not say which library is which')
  expect(calling('--undo', 'id')).toThrow('Name either an import to take back, or what is to be read.')
  expect(() => importCallOf(['plex', 'store'])).toThrow('Name a kind of server')
  expect(() => importCallOf(['komga', ''])).toThrow('Name a kind of server')
})

test('C25 import-from finds the libraries that are meant, and tells which are not there', () => {
  const wordsOf = (...texts: readonly string[]) =>
    importCallOf(['komga', 'store', ...texts.flatMap((text) => ['--library', text])]).libraries
  expect(librariesFrom(wordsOf('Theirs=comics', 'Left=A=B', 'x=y=Comics'), ours)).toEqual([
    { theirs: 'Theirs', ours: 'one' },
    { theirs: 'Left', ours: 'two' },
    { theirs: 'x=y', ours: 'one' },
  ])
  expect(() => librariesFrom(wordsOf('Theirs=Nope'), ours)).toThrow(
    'There is no library "Nope" here: there is "Comics", "A=B".',
  )
  const theirs = [{ theirs: '7', name: 'Manga' }]
  expect(() => requireTheirs([{ theirs: 'Manga', ours: 'one' }], theirs)).not.toThrow()
  expect(() => requireTheirs([{ theirs: '7', ours: 'one' }], theirs)).not.toThrow()
  expect(() => requireTheirs([{ theirs: 'Nope', ours: 'one' }], theirs)).toThrow(
    'There is no library "Nope" in what was read',
  )
  expect(() => requireTheirs([{ theirs: 'Nope', ours: 'one' }], [])).toThrow('There are no libraries in what was read')
})

test('C25 import-from takes private lists only when it is told to', () => {
  expect(choiceOf(importCallOf(['komga', 'store', '--without', 'covers']))).toEqual({
    covers: false,
    privateLists: false,
  })
  expect(choiceOf(importCallOf(['komga', 'store', '--private-lists']))).toEqual({ privateLists: true })
})
