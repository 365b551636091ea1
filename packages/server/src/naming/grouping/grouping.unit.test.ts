import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { GroupingPolicy } from './grouping-policy.ts'
import { groupingPolicies } from './grouping.ts'

const policy = (name: string): GroupingPolicy => {
  const found = groupingPolicies.get(name)
  if (!found) throw new Error(`No policy is called ${name}`)
  return found
}
const [folder, volumeFolders, flat] = ['folder', 'volume_folders', 'flat'].map(policy) as [
  GroupingPolicy,
  GroupingPolicy,
  GroupingPolicy,
]

test('folder: the folder directly below the root is the series, with all below it', () => {
  const saga = { key: 'Saga (2012) [Digital]', title: 'Saga', path: 'Saga (2012) [Digital]' }

  expect(folder.seriesOf('Saga (2012) [Digital]/Saga 001.cbz')).toEqual(saga)
  expect(folder.seriesOf('Saga (2012) [Digital]/Book One/Saga 001.cbz')).toEqual(saga)
  expect(folder.seriesOf('Saga (2012) [Digital]/Other Name 7.cbz')).toEqual(saga)
})

test('folder: files in the root itself are grouped by the series their names say', () => {
  const [first, second] = ['Batman 001 (2016).cbz', 'batman_#002_(digital).cbz'].map((name) => folder.seriesOf(name))

  expect(first).toEqual({ key: '/batman', title: 'Batman', path: null })
  expect(second?.key).toBe(first?.key)
  expect(folder.seriesOf('The Killing Joke (1988).cbz')).toMatchObject({ title: 'The Killing Joke', path: null })
  expect(folder.seriesOf('Batman (2016) 001.cbz').key).not.toBe(folder.seriesOf('Batman (2011) 001.cbz').key)
  expect(folder.seriesOf('!!!.cbz').key).not.toBe(folder.seriesOf('???.cbz').key)
})

test('folder: a folder and a file in the root never share a key', () => {
  expect(folder.seriesOf('batman/001.cbz').key).not.toBe(folder.seriesOf('Batman 001.cbz').key)
})

test('volume_folders: the folders inside a series say the volume', () => {
  const hint = (path: string): number | undefined => volumeFolders.seriesOf(path).volumeHint

  expect(volumeFolders.seriesOf('One Piece/Volume 01/ch01.cbz')).toEqual({
    key: 'One Piece',
    title: 'One Piece',
    path: 'One Piece',
    volumeHint: 1,
  })
  expect(hint('One Piece/v02/ch09.cbz')).toBe(2)
  expect(hint('One Piece/03/ch20.cbz')).toBe(3)
  expect(hint('One Piece/One Piece 04/ch20.cbz')).toBe(4)
  expect(hint('ワンピース/第5巻/12.cbz')).toBe(5)
  expect(hint('One Piece/Volume 6/Raw/ch60.cbz')).toBe(6)
  expect(hint('One Piece/Volume 6/Tome 7/ch60.cbz')).toBe(7)
  expect(hint('One Piece/Extras/ch60.cbz')).toBeUndefined()
  expect(hint('One Piece/2016/ch60.cbz')).toBeUndefined()
  expect(hint('One Piece/Volume 8.cbz')).toBeUndefined()
  expect(hint('Volume 8/c1.cbz')).toBeUndefined()
  expect(hint('Volume 8.cbz')).toBeUndefined()
})

test('flat: the series is what the name says, in whatever folder', () => {
  const [first, second] = ['new/Saga 001.cbz', 'old/2012/Saga - 002 (2012).cbz'].map((path) => flat.seriesOf(path))

  expect(first).toEqual({ key: '/saga', title: 'Saga', path: null })
  expect(second).toEqual(first)
  expect(flat.seriesOf('One Piece/v01.cbz')).toEqual({ key: '/one piece', title: 'One Piece', path: null })
  expect(flat.seriesOf('v01.cbz')).toMatchObject({ title: 'v01' })
  expect(flat.seriesOf('Area 51/Area 51.cbz')).toMatchObject({ title: 'Area 51' })
})

test('flat: what the book says itself goes before its name', () => {
  expect(flat.seriesOf('x/scan0001.cbz', { metadataSeries: ' SAGA ' })).toEqual({
    key: '/saga',
    title: 'SAGA',
    path: null,
  })
  expect(flat.seriesOf('Saga 001.cbz', { metadataSeries: 'Saga' })).toEqual(flat.seriesOf('Saga 001.cbz'))
  expect(flat.seriesOf('Saga (2012) 001.cbz').key).toBe(flat.seriesOf('1.cbz', { metadataSeries: 'Saga (2012)' }).key)
  expect(flat.seriesOf('Saga 001.cbz', { metadataSeries: ' ' })).toMatchObject({ title: 'Saga' })
  expect(folder.seriesOf('A/Saga 001.cbz', { metadataSeries: 'B' })).toMatchObject({ key: 'A' })
})

test('every file has a series with a key and a title, the same each time', () => {
  const name = fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replaceAll('/', '') || 'x')
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (names) => {
      const path = names.join('/')
      for (const each of groupingPolicies.values()) {
        const place = each.seriesOf(path)
        expect(place.key).not.toBe('')
        expect(place.title).not.toBe('')
        expect(each.seriesOf(path)).toEqual(place)
      }
    }),
    { numRuns: 1000 },
  )
})
