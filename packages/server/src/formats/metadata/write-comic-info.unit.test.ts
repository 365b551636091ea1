import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { comicInfoXml, typicalComicInfo } from '../../../test/books/metadata.ts'
import { fullBook, plainBook } from '../../../test/books/shown-book.ts'
import { parseStrictly } from '../../../test/opds.ts'
import { parseXml } from '../xml.ts'
import { comicInfoLayer } from './comic-info.ts'
import type { ShownBook } from './shown-book.ts'
import { writeComicInfo } from './write-comic-info.ts'

const read = (shown: ShownBook) => comicInfoLayer(writeComicInfo(shown))

test('C26 a ComicInfo says what is shown, as it is read here', () => {
  const { book, series } = read(fullBook)
  expect(book).toEqual({
    title: 'Tea & <Rain>',
    number: '12',
    count: 54,
    summary: expect.stringContaining('First line.\n\nSecond line'),
    year: 2013,
    month: 4,
    day: 10,
    publisher: 'Picture House',
    imprint: 'Small House',
    language: 'pt-BR',
    ageRating: 17,
    genres: ['Fantasy', 'Science Fiction'],
    tags: ['space', 'war civil'],
    authors: [
      { name: 'Ada Vaughan', role: 'writer', sortName: null },
      { name: 'Robert Downey, Jr.', role: 'writer', sortName: null },
      { name: 'Le Guin Ursula', role: 'penciller', sortName: null },
      { name: 'Kim', role: 'cover_artist', sortName: null },
      { name: 'Tove Ek', role: 'translator', sortName: null },
    ],
    isbns: ['9780553283686'],
    links: ['https://comicvine.gamespot.com/saga-12/4000-394444/'],
    externalIds: [expect.objectContaining({ source: 'comicvine', id: '394444' })],
    characters: ['Alana', 'Marko'],
    storyArc: 'Escape, Return',
    storyArcs: fullBook.storyArcs,
    seriesGroups: ['Stars'],
    formatDetail: 'Annual',
    isSpecial: true,
    blackAndWhite: false,
    manga: true,
    readingDirection: 'rtl',
    communityRating: 87,
  })
  expect(series).toMatchObject({ title: 'Saga', totalVolumeCount: 54 })
})

test('C26 the number of a volume is read as that, and a chapter in it as a chapter', () => {
  expect(read({ ...plainBook, volume: 3, number: '3' }).book).toEqual({ volume: 3 })
  expect(read({ ...plainBook, volume: 3, chapter: 12.5, number: '12.5' }).book).toEqual({
    volume: 3,
    chapter: 12.5,
    number: '12.5',
  })
  expect(read({ ...plainBook, number: '1A' }).book).toEqual({ number: '1A' })
})

test('C26 an age is never written as a lower one', () => {
  for (let age = 0; age <= 30; age += 1) {
    const ageRating = read({ ...plainBook, ageRating: age }).book.ageRating ?? 0
    expect([age, ageRating >= Math.min(age, 18)]).toEqual([age, true])
  }
})

test('C26 what cannot be shown stays as the file said it, and what can be does not', () => {
  const old = comicInfoXml(
    {
      Title: 'Old title',
      Volume: 2012,
      Notes: 'Tagged by hand & heart',
      Teams: 'The Crew',
      AlternateSeries: 'Crossing',
      AlternateNumber: '3',
      ScanInformation: 'scanner',
      Writer: 'Somebody',
      StoryArc: 'Gone',
      GTIN: '12345678',
      Review: 'Good',
    },
    [{ image: 0, type: 'FrontCover' }, { image: 1 }, { image: 2, type: 'Nonsense' }],
  )
  const written = parseXml(writeComicInfo(plainBook, parseXml(Buffer.from(old))))
  expect(Object.fromEntries(written.children.map(({ name, text }) => [name, text.trim()]))).toEqual({
    Series: 'Saga',
    Volume: '2012',
    AlternateSeries: 'Crossing',
    AlternateNumber: '3',
    Notes: 'Tagged by hand & heart',
    Teams: 'The Crew',
    ScanInformation: 'scanner',
    Pages: '',
    Review: 'Good',
    GTIN: '12345678',
  })
  const pages = written.children.find(({ name }) => name === 'Pages')?.children.map(({ attributes }) => attributes)
  const size = { ImageWidth: '1988', ImageHeight: '3056' }
  expect(pages).toEqual([
    { Image: '0', Type: 'FrontCover', ImageSize: '400000', ...size },
    { Image: '1', ImageSize: '400001', ...size },
    { Image: '2', ImageSize: '400002', ...size },
  ])
})

/** The published schema in our words: every element at most once, in this order, of these types. */
const schema: readonly (readonly [string, RegExp])[] = [
  ...'Title Series Number'.split(' ').map((name) => [name, /^[^]*$/] as const),
  ...'Count Volume'.split(' ').map((name) => [name, /^-?\d+$/] as const),
  ...'AlternateSeries AlternateNumber'.split(' ').map((name) => [name, /^[^]*$/] as const),
  ['AlternateCount', /^-?\d+$/],
  ...'Summary Notes'.split(' ').map((name) => [name, /^[^]*$/] as const),
  ...'Year Month Day'.split(' ').map((name) => [name, /^-?\d+$/] as const),
  ...'Writer Penciller Inker Colorist Letterer CoverArtist Editor Translator Publisher Imprint Genre Tags Web'
    .split(' ')
    .map((name) => [name, /^[^]*$/] as const),
  ['PageCount', /^\d+$/],
  ...'LanguageISO Format'.split(' ').map((name) => [name, /^[^]*$/] as const),
  ['BlackAndWhite', /^(?:Unknown|No|Yes)$/],
  ['Manga', /^(?:Unknown|No|Yes|YesAndRightToLeft)$/],
  ...'Characters Teams Locations ScanInformation StoryArc StoryArcNumber SeriesGroup'
    .split(' ')
    .map((name) => [name, /^[^]*$/] as const),
  [
    'AgeRating',
    /^(?:Unknown|Adults Only 18\+|Early Childhood|Everyone|Everyone 10\+|G|Kids to Adults|M|MA15\+|Mature 17\+|PG|R18\+|Rating Pending|Teen|X18\+)$/,
  ],
  ['Pages', /^\s*$/],
  ['CommunityRating', /^(?:[0-4](?:\.\d{1,2})?|5(?:\.0{1,2})?)$/],
  ...'MainCharacterOrTeam Review GTIN'.split(' ').map((name) => [name, /^[^]*$/] as const),
]

const faultsIn = (xml: Buffer): string[] => {
  const root = parseStrictly(xml.toString())
  const indexes = root.children.map(({ name }) => schema.findIndex(([element]) => element === name))
  const inOrder = [...new Set(indexes)].toSorted((one, other) => one - other)
  return [
    ...(root.name === 'ComicInfo' ? [] : ['the root']),
    ...(indexes.join() === inOrder.join() && !indexes.includes(-1) ? [] : ['the order']),
    ...root.children.flatMap(({ name, text }, index) => (schema[indexes[index] ?? -1]?.[1].test(text) ? [] : [name])),
  ]
}

test('C26 whatever is shown, the ComicInfo is well formed and as its schema has it', () => {
  const text = fc.string({ unit: 'binary', maxLength: 20 })
  const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value)
  const shown = fc.record({
    title: maybe(text),
    number: maybe(text),
    summary: maybe(text),
    publisher: maybe(text),
    volume: maybe(fc.nat(100_000)),
    chapter: maybe(fc.double({ min: 0, max: 1e6, noNaN: true })),
    count: maybe(fc.oneof(fc.nat(1000), fc.double({ min: 0, max: 1e6, noNaN: true }))),
    ageRating: maybe(fc.nat(100)),
    rating: maybe(fc.double({ min: 1, max: 100, noNaN: true })),
    genres: fc.array(text, { maxLength: 3 }),
    links: fc.array(text, { maxLength: 3 }),
    authors: fc.array(
      fc.record({
        name: text,
        role: maybe(fc.constantFrom('writer', 'contributor', 'constructor', 'Own')),
        sortName: maybe(text),
      }),
      { maxLength: 4 },
    ),
    isManga: maybe(fc.boolean()),
    isRightToLeft: fc.boolean(),
  })
  fc.assert(
    fc.property(shown, fc.boolean(), (each, hasOld) => {
      expect(
        faultsIn(
          writeComicInfo({ ...plainBook, ...each }, hasOld ? parseXml(Buffer.from(typicalComicInfo())) : undefined),
        ),
      ).toEqual([])
    }),
  )
  expect(faultsIn(writeComicInfo(fullBook))).toEqual([])
})
