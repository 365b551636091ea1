import type { Grouping } from '@carrel/api'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readLayouts } from '../../../../test/layouts/read-layouts.ts'
import { bestFiles, byWorth, namesWith, stemOf } from './same-book.ts'

const by = (policy: Grouping['policy']) => ({ grouping: { policy, config: {} } })
const fileAt = (path: string) => {
  const position = path.lastIndexOf('/') + 1
  return {
    rootId: 'root',
    folder: path.slice(0, position),
    name: path.slice(position),
    isFolder: false,
    isChosen: false,
    hasFault: false,
  }
}
const pathOf = ({ folder, name }: ReturnType<typeof fileAt>): string => folder + name

test.each([...readLayouts('known'), ...readLayouts('held-back')])(
  'C21 of the files of one book in $name one is left, and it is the one a person has written down',
  ({ paths, expected }) => {
    const books = expected.filter(({ formatOf }) => formatOf === null).map(({ path }) => path)
    for (const policy of ['folder', 'calibre'] as const)
      expect(bestFiles(by(policy), paths.map(fileAt)).map(pathOf)).toEqual(books)
  },
)

test('C21 ebooks are one book with the same stem, comics only in a folder of calibre, and folders never', () => {
  const stem = (path: string, policy: Grouping['policy'] = 'folder') => stemOf(by(policy), fileAt(path))
  expect(stem('A/Dune. Part 1.epub')).toBe('Dune. Part 1')
  expect(stem('A/Dune.FB2.ZIP')).toBe('Dune')
  expect(stem('A/Dune.cbz')).toBeUndefined()
  expect(stem('A/Dune (1)/Dune.cbz', 'calibre')).toBe('Dune')
  expect(stem('Dune (1)/Dune.cbz', 'calibre')).toBeUndefined()
  expect(stemOf(by('folder'), { ...fileAt('A/Dune.epub'), isFolder: true })).toBeUndefined()
})

test('C21 what is chosen is read, then what can be read, then what is best to read', () => {
  const file = (name: string, more: object = {}) => ({ ...fileAt(name), ...more })
  const files = [file('a.mobi'), file('a.pdf'), file('a.epub', { hasFault: true }), file('a.fb2'), file('a.azw3')]
  const inOrder = (given: typeof files) => given.toSorted(byWorth).map(({ name }) => name)
  expect(inOrder(files)).toEqual(['a.pdf', 'a.azw3', 'a.fb2', 'a.mobi', 'a.epub'])
  expect(inOrder([...files, file('a.txt.epub', { isChosen: true, hasFault: true })])[0]).toBe('a.txt.epub')
})

test('C21 a file is found among the names with its stem', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.constantFrom('.epub', '.PDF', '.fb2.zip', '.azw3'), (start, end) => {
      const name = start.replaceAll('/', '-') + end
      const stem = stemOf(by('folder'), fileAt(name))
      if (stem === undefined) return
      const { from, behind } = namesWith(stem)
      expect(Buffer.compare(Buffer.from(from), Buffer.from(name))).toBeLessThanOrEqual(0)
      expect(Buffer.compare(Buffer.from(name), Buffer.from(behind))).toBe(-1)
    }),
  )
})
