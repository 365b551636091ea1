import type { Grouping } from '@carrel/api'
import { groupingPolicies } from '@carrel/api'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { patternProblem } from './custom.ts'
import type { GroupingHints, GroupedSeries } from './grouping-policy.ts'
import { policyOf } from './grouping.ts'
import { readBook } from './series-by-name.ts'

const by =
  (policy: Grouping['policy'], config: Grouping['config'] = {}) =>
  (path: string, hints?: GroupingHints): GroupedSeries =>
    policyOf({ policy, config }).seriesOf(path, hints)

const [folder, topFolder, volumeFolders, flat] = [by('folder'), by('top_folder'), by('volume_folders'), by('flat')]
const [calibre, metadata] = [by('calibre'), by('metadata')]

test('C21 folder: every folder that holds books is a series, with the names above it', () => {
  expect(folder('Saga (2012) [Digital]/Saga 001.cbz')).toEqual({
    key: 'Saga (2012) [Digital]',
    title: 'Saga',
    path: 'Saga (2012) [Digital]',
    claims: { year: 2012 },
  })
  expect(folder('Image/Brian K. Vaughan/Saga/Saga 001.cbz')).toEqual({
    key: 'Image/Brian K. Vaughan/Saga',
    title: 'Saga',
    path: 'Image/Brian K. Vaughan/Saga',
    claims: { above: ['Image', 'Brian K. Vaughan'] },
  })
  expect(folder('Image/Saga/Saga 001.cbz').key).not.toBe(folder('Image/1.cbz').key)
})

test.each([
  ['Volume 3', 3],
  ['Vol.03', 3],
  ['v3', 3],
  ['03', 3],
  ['Volume 3 - The Last Battle', 3],
  ['Naruto v03', 3],
  ['Naruto - Volume 3', 3],
  ['Naruto v01-72 (Digital)', undefined],
  ['Volumes 1-10', undefined],
  ['Chapters', undefined],
  ['Naruto Chapters', undefined],
  ['Chapters 1-10', undefined],
  ['Season 2', undefined],
  ['Band 3', 3],
  ['Kapitel', undefined],
  ['Staffel 2', undefined],
  ['Tome 3', 3],
  ['Chapitres', undefined],
  ['Saison 2', undefined],
  ['Tomo 3', 3],
  ['Volumen 2', 2],
  ['Capítulos', undefined],
  ['Temporada 2', undefined],
  ['第3巻', 3],
  ['単行本', undefined],
  ['シーズン2', undefined],
])('C21 folder: %s only divides the series above it', (divider, volume) => {
  for (const above of ['Naruto', 'Manga/Naruto']) {
    const grouped = folder(`${above}/${divider}/001.cbz`)

    expect(grouped).toMatchObject({ key: above, title: 'Naruto', path: above, namedAfter: 'Naruto' })
    expect(grouped.volumeHint).toBe(volume)
    expect(grouped.claims?.isSpecial).toBeUndefined()
  }
})

test.each([
  'Specials',
  'Naruto Specials',
  'Extras',
  'Annuals',
  'Annual 2019',
  'Omake',
  'Bonus',
  'Sonderbände',
  'Bonuskapitel',
  'Hors-série',
  'Annuel 2',
  'Zugabe',
  'Sonderband 1',
  'Spéciaux',
  'Especiales',
  'Anuales',
  '番外編',
  'おまけ',
  'One-Shots',
])('C21 folder: what lies in %s stands beside the order of the series above', (divider) => {
  expect(folder(`Naruto/${divider}/1.cbz`)).toMatchObject({ key: 'Naruto', claims: { isSpecial: true } })
})

test.each([
  ['Marvel/Runaways'],
  ['Marvel/Volume One Publishing Stories'],
  ['Batman/Batman Vol. 2 (2011)'],
  ['Naruto/Boruto v01'],
  ['Naruto/Chapter Black'],
  ['Naruto/Naruto Gaiden'],
  ['Naruto/Part 2 - Shippuden'],
  ['Naruto/Naruto Annual (2003)'],
  ['DC/Season of Mists'],
  ['DC/2000 AD'],
])('C21 folder: %s is a series by itself', (path) => {
  expect(folder(`${path}/1.cbz`)).toMatchObject({ key: path, path })
})

test('C21 folder: several that divide are taken off, and the nearest to the book says the volume', () => {
  expect(folder('Naruto/Volume 2/Chapters/001.cbz')).toMatchObject({ key: 'Naruto', volumeHint: 2 })
  expect(folder('Naruto/Volume 6/Tome 7/ch60.cbz')).toMatchObject({ key: 'Naruto', volumeHint: 7 })
  expect(folder('Volume 8/Chapters/c1.cbz')).toMatchObject({ key: 'Volume 8', path: 'Volume 8' })
})

test('C21 folder: a number is a volume, unless the books in it are called by it', () => {
  expect(folder('One Piece/52/ch500.cbz')).toMatchObject({ key: 'One Piece', volumeHint: 52 })
  expect(folder('DC/52/52 001.cbz')).toMatchObject({ key: 'DC/52', title: '52' })
  expect(folder('52/52 001.cbz')).toMatchObject({ key: '52', title: '52' })
})

test('C21 folder: a year is a run of the series above, whose numbers begin anew', () => {
  const run = { title: 'Batman (2016)', namedAfter: 'Batman' }

  expect(folder('DC/Batman/2016/Batman 001.cbz')).toMatchObject({
    ...run,
    key: 'DC/Batman/2016',
    claims: { year: 2016 },
  })
  expect(folder('DC/Batman/V2016/Batman 001.cbz')).toMatchObject(run)
  expect(folder('DC/Batman/(2016-2019)/Batman 001.cbz')).toMatchObject(run)
  expect(folder('2016/Batman 001.cbz')).toMatchObject({ title: '2016' })
})

test('C21 folder: a language is the series above once more, and a series by itself', () => {
  expect(folder('Comics/Saga (2012)/German/Volume 2/Saga 7.cbz')).toMatchObject({
    key: 'Comics/Saga (2012)/German',
    title: 'Saga (German)',
    volumeHint: 2,
    namedAfter: 'Saga (2012)',
    claims: { language: 'de', above: ['Comics', 'Saga (2012)'] },
  })
  expect(folder('Saga/ja/7.cbz')).toMatchObject({ title: 'Saga (ja)', claims: { language: 'ja' } })
  expect(folder('Batman/2016/FR/7.cbz').title).toBe('Batman (2016) (FR)')
  for (const title of ['Stephen King/It/It.epub', 'German/German 7.cbz'])
    expect(folder(title).title).toBe(title.split('/').at(-2))
})

test('C21 folder: an arc is part of the series above when it says so, or when its books do', () => {
  const series = { key: 'Manga/One Piece', title: 'One Piece', path: 'Manga/One Piece' }
  for (const arc of ['01 - Romance Dawn', '1. Romance Dawn'])
    expect(folder(`Manga/One Piece/${arc}/One Piece 007.cbz`)).toMatchObject(series)
  for (const arc of ['Arc 1 - Romance Dawn', 'Story Arc 01', 'Arcs'])
    expect(folder(`Manga/One Piece/${arc}/007.cbz`)).toMatchObject(series)
  for (const path of ['Manga/One Piece/01 - Romance Dawn/007.cbz', 'Marvel/01 - Iron Man/Iron Man 007.cbz'])
    expect(folder(path).key).toBe(path.slice(0, path.lastIndexOf('/')))
})

test('C21 folder: in the root, what divides is a series only when its books do not say of which they are', () => {
  const series = { key: '/berserk', title: 'Berserk', path: null }
  expect(folder('Volume 02/Berserk 9.cbz')).toMatchObject({ ...series, volumeHint: 2 })
  expect(folder('Berserk v01.cbz')).toMatchObject(series)
  expect(folder('Volume 02/9.cbz').key).toBe('Volume 02')
})

test('C21 folder: books in the root are grouped by their names, and what is like no other is a one-shot', () => {
  const [first, second] = ['Batman 001 (2016).cbz', 'batman_#002_(digital).cbz'].map((name) => folder(name))

  expect(first).toEqual({ key: '/batman', title: 'Batman', path: null })
  expect(second?.key).toBe(first?.key)
  expect(folder('The Killing Joke (1988).cbz')).toEqual({
    key: '/the killing joke',
    title: 'The Killing Joke',
    path: null,
    isOneShot: true,
  })
  expect(folder('Batman (2016) 001.cbz').key).not.toBe(folder('Batman (2011) 001.cbz').key)
  expect(folder('!!!.cbz').key).not.toBe(folder('???.cbz').key)
  expect(folder('batman/001.cbz').key).not.toBe(folder('Batman 001.cbz').key)
})

test('C21 folder: a word that divides belongs to the root when it lies there', () => {
  expect(folder('Specials/Batman 1.cbz')).toMatchObject({ title: 'Batman', path: null, claims: { isSpecial: true } })
  expect(folder('Books/Dune.epub')).toMatchObject({ title: 'Dune', isOneShot: true })
  expect(folder('Extras/01.cbz')).toMatchObject({ title: 'Extras' })
})

test('C21 folder: each book among one-shots is one, as Komga keeps them', () => {
  const [first, second] = ['_oneshots/Batman 1.cbz', '_oneshots/Batman 2.cbz'].map((path) => folder(path))

  expect(first).toMatchObject({ title: 'Batman 1', path: null, isOneShot: true })
  expect(second?.key).not.toBe(first?.key)
  expect(folder('Manga/_oneshots/A.cbz').key).not.toBe(folder('Comics/_oneshots/A.cbz').key)
  expect(folder('One-Shots/A.cbz')).toMatchObject({ isOneShot: true })
})

test('top_folder: the folder directly below the root is the series, with all below it', () => {
  const saga = { key: 'Saga (2012) [Digital]', title: 'Saga', path: 'Saga (2012) [Digital]' }

  expect(topFolder('Saga (2012) [Digital]/Saga 001.cbz')).toEqual(saga)
  expect(topFolder('Saga (2012) [Digital]/Book One/Saga 001.cbz')).toEqual(saga)
  expect(topFolder('Saga (2012) [Digital]/Other Name 7.cbz')).toEqual(saga)
  expect(topFolder('Batman 001.cbz')).toEqual(folder('Batman 001.cbz'))
})

test('volume_folders: the folders inside a series say the volume', () => {
  const hint = (path: string): number | undefined => volumeFolders(path).volumeHint

  expect(volumeFolders('One Piece/Volume 01/ch01.cbz')).toEqual({
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
  expect(hint('Foundation/01 - Foundation/Foundation.epub')).toBe(1)
  expect(hint('One Piece/Extras/ch60.cbz')).toBeUndefined()
  expect(hint('One Piece/2016/ch60.cbz')).toBeUndefined()
  expect(hint('One Piece/Volume 8.cbz')).toBeUndefined()
  expect(hint('Volume 8/c1.cbz')).toBeUndefined()
  expect(hint('Volume 8.cbz')).toBeUndefined()
})

test('C21 publisher_folders: each level of folders is what somebody has said it is', () => {
  const levels = by('publisher_folders', { levels: ['publisher', 'imprint', 'skip', 'series', 'volume'] })

  expect(levels('DC/Vertigo/Done/Sandman (1989)/Volume 2/Sandman 009.cbz')).toEqual({
    key: 'DC/Vertigo/Done/Sandman (1989)',
    title: 'Sandman',
    path: 'DC/Vertigo/Done/Sandman (1989)',
    volumeHint: 2,
    namedAfter: 'Sandman (1989)',
    claims: { publisher: 'DC', imprint: 'Vertigo', year: 1989 },
  })
  expect(by('publisher_folders')('Image/Saga/Saga 001.cbz')).toMatchObject({
    title: 'Saga',
    claims: { publisher: 'Image' },
  })
  expect(levels('DC/Vertigo/Done/Hellblazer/1988/1.cbz')).toMatchObject({
    key: 'DC/Vertigo/Done/Hellblazer/1988',
    title: 'Hellblazer (1988)',
    claims: { year: 1988 },
  })
})

test('C21 publisher_folders: what lies above the series is grouped by its name, each folder for itself', () => {
  const levels = by('publisher_folders', { levels: ['author', 'series'] })

  expect(levels('Jane Austen/Emma.epub')).toEqual({
    key: '/jane austen/emma',
    title: 'Emma',
    path: null,
    isOneShot: true,
    namedAfter: '',
    claims: { author: 'Jane Austen' },
  })
  expect(levels('Alexander McCall Smith/Emma.epub').key).not.toBe(levels('Jane Austen/Emma.epub').key)
  expect(levels('Emma.epub')).toEqual({ key: '/emma', title: 'Emma', path: null, isOneShot: true })
})

test('C21 C24 publisher_folders: what lies above the series is numbered in the series that its name says', () => {
  const { title, namedAfter } = by('publisher_folders', { levels: ['publisher', 'series'] })('Area 51/Area 51.cbz')

  expect(title).toBe('Area')
  expect(readBook('Area 51.cbz', namedAfter ?? 'Area 51').number).toBe('51')
})

test('flat: the series is what the name says, in whatever folder', () => {
  const [first, second] = ['new/Saga 001.cbz', 'old/2012/Saga - 002 (2012).cbz'].map((path) => flat(path))

  expect(first).toEqual({ key: '/saga', title: 'Saga', path: null })
  expect(second).toEqual(first)
  expect(flat('One Piece/v01.cbz')).toEqual({ key: '/one piece', title: 'One Piece', path: null })
  expect(flat('v01.cbz')).toMatchObject({ title: 'v01' })
  expect(flat('Area 51/Area 51.cbz')).toMatchObject({ title: 'Area 51' })
})

test('flat: what the book says itself goes before its name', () => {
  expect(flat('x/scan0001.cbz', { metadataSeries: ' SAGA ' })).toEqual({ key: '/saga', title: 'SAGA', path: null })
  expect(flat('Saga 001.cbz', { metadataSeries: 'Saga' })).toEqual(flat('Saga 001.cbz'))
  expect(flat('Saga (2012) 001.cbz').key).toBe(flat('1.cbz', { metadataSeries: 'Saga (2012)' }).key)
  expect(flat('Saga 001.cbz', { metadataSeries: ' ' })).toMatchObject({ title: 'Saga' })
  expect(folder('A/Saga 001.cbz', { metadataSeries: 'B' })).toMatchObject({ key: 'A' })
  expect(topFolder('A/Saga 001.cbz', { metadataSeries: 'B' })).toMatchObject({ key: 'A' })
})

test('C21 calibre: a folder is a book in all its formats, and in the series that calibre says', () => {
  const path = 'Frank Herbert/Dune_ The Graphic Novel (12)/Dune_ The Graphic Novel - Frank Herbert.epub'

  expect(calibre(path)).toEqual({
    key: 'Frank Herbert/Dune_ The Graphic Novel (12)',
    title: 'Dune: The Graphic Novel',
    path: 'Frank Herbert/Dune_ The Graphic Novel (12)',
    claims: { author: 'Frank Herbert', title: 'Dune: The Graphic Novel' },
    isOneShot: true,
  })
  expect(calibre(path.replace('.epub', '.pdf'))).toEqual(calibre(path))
  expect(calibre(path, { metadataSeries: 'Dune' })).toMatchObject({ key: '/dune', title: 'Dune' })
  expect(calibre('Comics/Saga/Saga 1.cbz')).toEqual(folder('Comics/Saga/Saga 1.cbz'))
})

test('C21 metadata: the series is what the book says, runs of different years apart; else as in folder', () => {
  expect(metadata('x/1.cbz', { metadataSeries: 'Batman', metadataYear: 2016 })).toEqual({
    key: '/batman 2016',
    title: 'Batman',
    path: null,
  })
  expect(metadata('x/1.cbz', { metadataSeries: 'Batman', metadataYear: 2011 }).key).toBe('/batman 2011')
  expect(metadata('y/2.cbz', { metadataSeries: 'BATMAN' }).key).toBe('/batman')
  expect(metadata('Saga/Volume 1/1.cbz', { metadataSeries: ' ' })).toEqual(folder('Saga/Volume 1/1.cbz'))
})

test('C21 custom: a pattern says what a path is', () => {
  const pattern =
    '^(?<publisher>[^/]+)/(?:(?<author>[^/]+)/)?(?<series>[^/]+?)(?: \\((?<year>\\d{4})\\))?/V(?<volume>\\d+) C(?<chapter>[\\d.]+) N(?<number>\\w+) (?<title>[^/]+?) \\[(?<language>\\w\\w)\\]\\.cbz$'
  const custom = by('custom', { pattern })

  expect(custom('Image/Saga (2012)/V2 C10.5 N1A The Will [FR].cbz')).toEqual({
    key: '/image/saga 2012',
    title: 'Saga',
    path: null,
    claims: {
      publisher: 'Image',
      year: 2012,
      language: 'fr',
      volume: 2,
      chapter: 10.5,
      number: '1A',
      title: 'The Will',
    },
  })
  expect(custom('DC/Saga (2012)/V2 C10.5 N1A The Will [FR].cbz').key).toBe('/dc/saga 2012')
  expect(custom('Image/Saga/Saga 001.cbz')).toEqual(folder('Image/Saga/Saga 001.cbz'))
})

test.each([
  ['(', /^cannot be read: .*missing closing/],
  ['(?<series>a)(?=b)', /^cannot be read: .*Looking ahead/],
  ['(?<series>a)\\1', /^cannot be read/],
  ['([^/]+)/', /^needs a group that is called series/],
  ['(?<series>a)(?<issue>b)', /^has a group "issue"\. Its groups can be: series, volume, number/],
  ['(?<series>(?:a?){900})', /^is too large/],
])('C21 custom: the pattern %s is refused with a reason', (pattern, reason) => {
  expect(patternProblem(pattern)).toMatch(reason)
})

test('C21 custom: no pattern takes longer than the path is long', () => {
  const custom = by('custom', { pattern: '^(?<series>(a+)+(a+)+(a+)+)$' })

  // An engine that goes back would not come to an end.
  expect(custom(`${'a'.repeat(2000)}!`)).toMatchObject({ isOneShot: true })
})

const configOf = (policy: Grouping['policy']): Grouping['config'] => {
  if (policy === 'custom') return { pattern: '^(?<series>[^/]*)/(?<number>\\d*)' }
  return policy === 'publisher_folders' ? { levels: ['author', 'series', 'volume'] } : {}
}

const oddNames = ['Volume 3', 'Specials', '03', '2016', 'Season 2', '_oneshots', 'Title (12)', 'A - 1.cbz', ' ', '..']

test('C21 every file has a series with a key and a title, the same whatever was asked before', () => {
  const anyName = fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replaceAll('/', '') || 'x')
  const name = fc.oneof(anyName, fc.constantFrom(...oddNames))
  const policies = groupingPolicies.map((policy) => policyOf({ policy, config: configOf(policy) }))
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), (names) => {
      const path = names.join('/')
      for (const policy of policies) {
        const grouped = policy.seriesOf(path)
        expect(grouped.key).not.toBe('')
        expect(grouped.title).not.toBe('')
        // What has a folder is known by it; what has none by something that no folder is called.
        const isOfFolder = grouped.path === grouped.key && path.startsWith(grouped.key)
        expect(isOfFolder || (grouped.path === null && grouped.key.startsWith('/'))).toBe(true)
        policy.seriesOf('Other/Volume 2/Book 7.cbz')
        expect(policy.seriesOf(path)).toEqual(grouped)
      }
    }),
    { numRuns: 500 },
  )
})
