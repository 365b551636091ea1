import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { findComicInfo, inReadingOrder, isJunk, isNamedAsPicture } from './picture-members.ts'

const member = (name: string) => ({ name, size: 1 })
const ordered = (names: readonly string[]): string[] => inReadingOrder(names.map(member)).map(({ name }) => name)

test('pages are in the order people expect, and those of a folder together', () => {
  const names = [
    '001.jpg',
    '1a.jpg',
    '2.jpg',
    '10.jpg',
    '10.5.jpg',
    'ch 1/1.jpg',
    'ch 1/2.jpg',
    'ch 1/10.jpg',
    'ch 1 extra/1.jpg',
    'ch 1 extra/2.jpg',
    'ch 2/1.jpg',
    'ch 10/1.jpg',
    'cover.jpg',
  ]

  expect(ordered(names.toReversed())).toEqual(names)
})

test('the pages of a folder stand together, whatever the folders are called', () => {
  const step = fc.string({
    unit: fc.constantFrom(...'aAä1 2-./第').filter((unit) => unit !== '/'),
    minLength: 1,
    maxLength: 4,
  })
  const name = fc
    .tuple(step, step, fc.boolean())
    .map(([above, below, isDeep]) => (isDeep ? `${above}/${below}` : below))

  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 30 }), (names) => {
      const folders = ordered(names)
        .filter((each) => each.includes('/'))
        .map((each) => each.split('/')[0])
      const changes = folders.filter((each, index) => each !== folders[index - 1])
      expect(changes).toHaveLength(new Set(folders).size)
      expect(ordered(names.toReversed())).toEqual(ordered(names))
    }),
    { numRuns: 1000 },
  )
})

test('what systems leave behind and what is hidden is no part of a book', () => {
  const junk = [
    '__MACOSX/001.jpg',
    '__macosx/a/._1.jpg',
    '._001.jpg',
    'a/._001.jpg',
    '.DS_Store',
    'a/.DS_Store',
    'Thumbs.db',
    'a/thumbs.DB',
    '.hidden/1.jpg',
    'a/.1.jpg',
    'desktop.ini',
    '@eaDir/1.jpg',
  ]
  const allowed = [
    '001.jpg',
    './001.jpg',
    'a/001.jpg',
    'MACOSX/1.jpg',
    'a.b/1.jpg',
    'not thumbs.db/1.jpg',
    '1..jpg',
    'my desktop.ini.jpg',
  ]

  expect(junk.filter((name) => !isJunk(name))).toEqual([])
  expect(allowed.filter(isJunk)).toEqual([])
})

test('LIB-3: a member is named as a picture by its ending, in any case; SVG is none', () => {
  const names = ['1.jpg', '1.JPEG', '1.Png', '1.webp', '1.gif', '1.avif', '1.jxl', '1.bmp', '1.tif', '1.tiff', '1.heic']

  expect(names.filter((name) => !isNamedAsPicture(member(name)))).toEqual([])
  for (const name of ['1.svg', 'jpg', '1.jpg.txt', '1', '', 'a.constructor', '._1.jpg']) {
    expect([name, isNamedAsPicture(member(name))]).toEqual([name, false])
  }
})

test('LIB-4: a ComicInfo.xml is found at the top or one folder below, the top first, in any case', () => {
  const find = (...names: string[]) => findComicInfo(names.map(member))?.name

  expect(find('a/ComicInfo.xml', 'COMICINFO.XML')).toBe('COMICINFO.XML')
  expect(find('1.jpg', 'book/comicinfo.xml')).toBe('book/comicinfo.xml')
  expect(find('a/b/ComicInfo.xml', '__MACOSX/ComicInfo.xml', 'MyComicInfo.xml')).toBeUndefined()
})
