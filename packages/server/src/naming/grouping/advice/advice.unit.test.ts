import type { Grouping } from '@carrel/api'
import { expect, test } from 'vitest'
import { type Layout, readLayouts } from '../../../../test/layouts/read-layouts.ts'
import { bookNamesOf, groupFile } from '../../../catalogue/shown/shown.ts'
import { parseBookName } from '../../book-name.ts'
import { advise as adviseOn } from './advise.ts'

/** The score is that of the layouts that nothing was made with. It may rise, never fall. */
const heldBackScore = 12

const examples = readLayouts('known')

interface BookInLayout {
  readonly key: string
  readonly says: { series: string; volume: number | null; number: number | null; title: string | null }
}

const bookAt = (grouping: Grouping, path: string): BookInLayout => {
  const position = path.lastIndexOf('/') + 1
  const location = { rootId: '', folder: path.slice(0, position), name: path.slice(position) }
  const series = groupFile({ grouping, rootNames: new Map() }, location)
  const names = bookNamesOf({ numbering: 'smart', titleFrom: 'smart' }, location, {}, { series })
  const ofVolume = names.chapter === null && names.number_text === null
  const { title } = parseBookName(location.name, { folder: series.namedAfter ?? location.folder.split('/').at(-2) })
  const number = ofVolume ? null : names.number
  const says = { series: series.title, volume: names.volume, number, title: series.claims?.title ?? title }
  return { key: series.key, says }
}

/** Books that are not as a person has written down, with what they are. */
const misses = ({ expected }: Layout, grouping: Grouping): readonly object[] => {
  const keyOf = new Map<string, string>()
  const seriesWith = new Map<string, string>()
  const titleOf = new Map<string, string>()
  return expected.flatMap(({ path, series, volume, number, title: own }) => {
    const { key, says: saidOfBook } = bookAt(grouping, path)
    // A series is called as the first of its books says.
    const title = titleOf.get(key) ?? saidOfBook.series
    titleOf.set(key, title)
    const saidOf = { ...saidOfBook, series: title }
    const expected = { series: series.replace(/ @.*$/, ''), volume, number, title: own }
    const isTogether = (keyOf.get(series) ?? key) === key && (seriesWith.get(key) ?? series) === series
    keyOf.set(series, key)
    seriesWith.set(key, series)
    const isSaid = JSON.stringify(expected) === JSON.stringify(saidOf)
    return isTogether && isSaid ? [] : [{ path, key, isTogether, wanted: expected, found: saidOf }]
  })
}

const advise = (paths: readonly string[], rootName = '') => adviseOn(paths.map((path) => ({ rootName, path })))

const best = ({ paths }: Layout): Grouping => {
  const [first] = advise(paths)
  return { policy: first?.policy ?? 'folder', config: first?.config ?? {} }
}

test('C21 fifteen layouts are written down, with 20 to 400 books each', () => {
  expect(new Set(examples.map(({ name }) => name.split(':')[0])).size).toBe(15)
  for (const { name, paths, expected } of [...examples, ...readLayouts('held-back')]) {
    expect([name, paths.length >= 20 && paths.length <= 400]).toEqual([name, true])
    expect(expected.map(({ path }) => path)).toEqual(paths)
    expect(new Set(paths).size).toBe(paths.length)
  }
})

test.each(examples)('C21 the first advice makes of $name what a person has written down', (layout) => {
  expect({ grouping: best(layout), misses: misses(layout, best(layout)) }).toMatchObject({ misses: [] })
})

test.each(examples.filter(({ name }) => name.startsWith('komga')))(
  'C21 folder alone makes the series of $name, book for book',
  (layout) => {
    expect(misses(layout, { policy: 'folder', config: {} })).toEqual([])
  },
)

test('C21 layouts that nothing was made with are read no worse than they were', () => {
  const heldBack = readLayouts('held-back').map((layout) => {
    const missed = misses(layout, best(layout))
    return { name: layout.name, missed, by: best(layout).policy, books: layout.expected.length }
  })
  const right = heldBack.filter(({ missed }) => missed.length === 0)
  const lines = heldBack
    .filter(({ missed }) => missed.length > 0)
    .map(({ name, by, missed, books }) => `${name}: ${missed.length} of ${books} books missed by ${by}`)
  console.info([`held back: ${right.length} of ${heldBack.length} layouts right; not so:`, ...lines].join('\n  '))

  expect(right.length).toBeGreaterThanOrEqual(heldBackScore)
})

const numbered = (series: string, folder: string, count = 12): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${folder}/${series} ${String(index + 1).padStart(3, '0')}.cbz`)

const warningsOf = (paths: readonly string[], policy: Grouping['policy'], rootName = '') =>
  (advise(paths, rootName).find((each) => each.policy === policy)?.warnings ?? []).map(
    ({ code, series, count, text }) => [code, series, count, text],
  )

test('C21 advice warns of several number sequences, in words and by a code', () => {
  const paths = ['Daredevil', 'Hawkeye', 'Thor'].flatMap((series) => numbered(series, `Marvel/${series}`))

  expect(warningsOf(paths, 'top_folder')).toEqual([
    ['several_sequences', 'Marvel', 3, '“Marvel” would hold 3 number sequences.'],
  ])
  expect(warningsOf(paths, 'folder')).toEqual([])
  const runs = ['2012', '2016'].flatMap((year) => numbered('Hawkeye', `Hawkeye/${year}`))
  expect(warningsOf(runs, 'top_folder')).toEqual([
    ['several_sequences', 'Hawkeye', 2, '“Hawkeye” would hold 2 number sequences.'],
  ])
})

test('C21 advice warns of authors and shelves that would be series', () => {
  const novels = ['Emma', 'Persuasion', 'Sanditon'].map((title) => `Jane Austen/${title}.epub`)
  const shelf = ['Maus', 'Here', 'Stitches'].map((title) => `Comics/${title}.cbz`)

  expect(warningsOf([...novels, ...shelf], 'folder')).toEqual([
    ['one_author', 'Jane Austen', 3, '“Jane Austen” is the name of a person, and would hold 3 single books.'],
    ['unlike_books', 'Comics', 3, '“Comics” would hold 3 books whose names are not alike.'],
  ])
})

test('C21 advice warns of what is parted, of what names no series, and of many series of one book', () => {
  const parted = ['2021-03', '2021-04', '2021-05'].map((folder, index) => `${folder}/River Song ${index + 1}.cbz`)
  expect(warningsOf(parted, 'folder')).toContainEqual([
    'divided_series',
    '2021-03',
    3,
    '“2021-03” and 2 more series would share one sequence of numbers.',
  ])
  expect(advise(parted)[0]).toMatchObject({ policy: 'flat', series: 1, oneShots: 0, warnings: [] })

  const volumes = [1, 2].flatMap((volume) => [1, 2].map((chapter) => `Naruto/Volume ${volume}/Chapter ${chapter}.cbz`))
  expect(warningsOf(volumes, 'flat')).toContainEqual(['no_series', 'Volume 1', 2, '“Volume 1” names no series.'])
  const nameless = numbered('Chapter', '.')
  expect(warningsOf(nameless, 'folder')).toContainEqual([
    'no_series',
    null,
    12,
    '12 books say their number and no series.',
  ])
  expect(warningsOf(nameless, 'folder', 'Berserk (1989)')).toEqual([])
  expect(warningsOf(nameless, 'folder', 'Volume 1')).toEqual([
    ['no_series', 'Volume 1', 12, '“Volume 1” names no series.'],
  ])
  const alone = Array.from({ length: 8 }, (_, index) => `Title ${'ABCDEFGH'[index]}/Title ${'ABCDEFGH'[index]} 001.cbz`)
  expect(warningsOf(alone, 'folder')).toEqual([
    ['single_books', null, 8, '8 of 8 series would hold one book, and it has a number.'],
  ])
})

test('C21 advice warns of a series whose books lie in numbered folders', () => {
  const paths = ['01 - Foundation', '02 - Second Foundation'].map(
    (folder) => `Isaac Asimov/Foundation/${folder}/${folder.slice(5)}.epub`,
  )

  expect(warningsOf(paths, 'folder')).toEqual([
    ['divided_series', 'Foundation', 2, '“Foundation” would be 2 series, whose folders are numbered.'],
  ])
  const [best] = advise(paths)
  expect(best).toMatchObject({ policy: 'publisher_folders', config: { levels: ['author', 'series'] }, series: 1 })
  const grouping = { policy: 'publisher_folders' as const, config: best?.config ?? {} }
  expect(paths.map((path) => bookAt(grouping, path).says)).toMatchObject([
    { series: 'Foundation', volume: 1 },
    { series: 'Foundation', volume: 2 },
  ])
})

test('C21 advice says what it goes by, and of nothing that folders are usual', () => {
  expect(advise([])[0]).toMatchObject({ policy: 'folder', config: {}, series: 0, oneShots: 0, warnings: [] })
  const novels = ['Jane Austen/Emma.epub', 'Jane Austen/Persuasion.epub', 'Émile Zola/Nana.epub']
  expect(advise(novels)[0]).toEqual({
    policy: 'publisher_folders',
    config: { levels: ['author', 'series'] },
    reason: '100 % of the first folders are names of people, and what is in them are series and single books.',
    series: 0,
    oneShots: 3,
    warnings: [],
  })
})

test('C21 a very large library is weighed by parts of it, and its series are counted about right', () => {
  const paths = Array.from({ length: 40_000 }, (_, index) => {
    const series = Math.floor(index / 40)
    return `Publisher ${series % 20}/Series ${series}/Series ${series} ${String((index % 40) + 1).padStart(3, '0')}.cbz`
  })
  const advice = advise(paths)
  const seriesOf = (policy: Grouping['policy']): number => advice.find((each) => each.policy === policy)?.series ?? 0

  expect(advice[0]).toMatchObject({ policy: 'folder', warnings: [] })
  expect(Math.abs(seriesOf('folder') - 1000)).toBeLessThan(100)
  expect(Math.abs(seriesOf('top_folder') - 20)).toBeLessThan(20)
})
