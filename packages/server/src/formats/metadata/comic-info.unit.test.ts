import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { comicInfoXml, hostileXml, typicalComicInfo } from '../../../test/books/metadata.ts'
import { BookFault } from '../book-format.ts'
import { textLimits } from '../limits.ts'
import { comicInfoLayer } from './comic-info.ts'

const read = (...xml: Parameters<typeof comicInfoXml>) => comicInfoLayer(Buffer.from(comicInfoXml(...xml)))

test('D5 the people of a ComicInfo stand between commas; what else stands in a name belongs to it', () => {
  const xml = '<ComicInfo><Writer>Ñandú &amp; Söhne, Simon and Schuster,Ann Ray, Jr.</Writer></ComicInfo>'

  expect(comicInfoLayer(Buffer.from(xml)).book.authors?.map(({ name }) => name)).toEqual([
    'Ñandú & Söhne',
    'Simon and Schuster',
    'Ann Ray, Jr.',
  ])
})

test('LIB-4 a ComicInfo.xml describes its book and its series', () => {
  const { source, book, series } = comicInfoLayer(Buffer.from(typicalComicInfo()))

  expect(source).toBe('file:comicinfo')
  expect(book).toEqual({
    title: 'The Beginning of Everything',
    number: '12',
    count: 54,
    summary: 'A long summary of what goes on in this issue, of people & places. '.repeat(12).trim(),
    year: 2013,
    month: 4,
    day: 10,
    authors: [
      { name: 'Ada Vaughan', role: 'writer', sortName: null },
      { name: 'Robert Downey, Jr.', role: 'writer', sortName: null },
      { name: 'Fiona Staple', role: 'penciller', sortName: null },
      { name: 'Fiona Staple', role: 'cover_artist', sortName: null },
    ],
    publisher: 'Picture House',
    imprint: 'Small House',
    language: 'en',
    ageRating: 17,
    genres: ['Science Fiction', 'Fantasy'],
    tags: ['space', 'war'],
    characters: ['Alana', 'Marko', 'Hazel'],
    storyArc: 'The Escape',
    storyArcs: [{ name: 'The Escape', number: null }],
    links: ['https://comicvine.gamespot.com/saga-12/4000-394444/'],
    externalIds: [{ source: 'comicvine', id: '394444', url: 'https://comicvine.gamespot.com/saga-12/4000-394444/' }],
    communityRating: 87,
    coverPage: 1,
  })
  expect(series).toEqual({
    title: 'Saga of the Stars',
    year: 2012,
    totalVolumeCount: 54,
    publisher: 'Picture House',
    imprint: 'Small House',
    language: 'en',
    ageRating: 17,
    genres: ['Science Fiction', 'Fantasy'],
    // The cover artist or editor of one book did not make the series.
    authors: [
      { name: 'Ada Vaughan', role: 'writer', sortName: null },
      { name: 'Robert Downey, Jr.', role: 'writer', sortName: null },
      { name: 'Fiona Staple', role: 'penciller', sortName: null },
    ],
    links: ['https://comicvine.gamespot.com/saga/4050-51234/'],
    externalIds: [{ source: 'comicvine', id: '51234', url: 'https://comicvine.gamespot.com/saga/4050-51234/' }],
  })
})

test('C20 a ComicInfo names story arcs beside their numbers, and groups, each once', () => {
  const { book } = read({
    StoryArc: 'Eclipse, Homecoming,, ECLIPSE ,Zenith',
    StoryArcNumber: '10,,7,3, 1A ',
    SeriesGroup: 'Sky, Music; sky',
  })

  expect(book.storyArcs).toEqual([
    { name: 'Eclipse', number: '10' },
    { name: 'Homecoming', number: null },
    { name: 'Zenith', number: '1A' },
  ])
  expect(book.seriesGroups).toEqual(['Sky', 'Music'])
  const many = Array.from({ length: 300 }, (_, index) => `Arc ${index}`).join(',')
  expect(read({ StoryArc: many, StoryArcNumber: 1 }).book.storyArcs).toHaveLength(textLimits.listLength)
})

test('LIB-4 a manga says in which direction it is read, its volume, its chapter and its other names', () => {
  const { book, series } = read({
    Series: 'Naruto',
    LocalizedSeries: 'ナルト',
    AlternateSeries: 'Naruto the Ninja',
    SeriesSort: 'Naruto 1',
    TitleSort: 'Enter',
    Number: '12.5',
    Volume: 3,
    Count: 700,
    Manga: 'YesAndRightToLeft',
    BlackAndWhite: 'Yes',
    LanguageISO: 'pt_BR',
    Translator: 'Jo Doe',
    Web: 'https://anilist.co/manga/30011/Naruto,https://a.example/x,y',
    GTIN: '978-0-553-28368-6',
  })

  expect(book).toEqual({
    number: '12.5',
    volume: 3,
    chapter: 12.5,
    count: 700,
    titleSort: 'Enter',
    manga: true,
    blackAndWhite: true,
    readingDirection: 'rtl',
    language: 'pt-BR',
    authors: [{ name: 'Jo Doe', role: 'translator', sortName: null }],
    isbns: ['9780553283686'],
    links: ['https://a.example/x,y'],
  })
  expect(series).toEqual({
    title: 'Naruto',
    titleSort: 'Naruto 1',
    language: 'pt-BR',
    readingDirection: 'rtl',
    totalChapterCount: 700,
    alternateTitles: [
      { label: 'localized', title: 'ナルト' },
      { label: 'alternate', title: 'Naruto the Ninja' },
    ],
    links: ['https://anilist.co/manga/30011/Naruto'],
    externalIds: [{ source: 'anilist', id: '30011', url: 'https://anilist.co/manga/30011/Naruto' }],
  })
})

test('LIB-4 a number stays as it is written', () => {
  for (const Number of ['007', '1.0', '1A', '½', '-1', '1.MU'])
    expect(read({ Number }).book).toEqual({ number: Number })
})

test('a volume that is a year is the year the run began', () => {
  expect(read({ Volume: 1899 })).toMatchObject({ book: { volume: 1899 }, series: {} })
  expect(read({ Volume: 1900, Year: 1905 })).toMatchObject({ book: { year: 1905 }, series: { year: 1900 } })
  expect(read({ Volume: 1900 }).book).toEqual({})
  expect(read({ Volume: -1, Count: -1, Year: -1, Month: -1, Day: -1 })).toMatchObject({ book: {}, series: {} })
})

test('with a number of its own an alternate series is a story across several, not a name', () => {
  expect(read({ AlternateSeries: 'Crisis', AlternateNumber: '3' }).series).toEqual({})
})

test.each([
  ['Everyone', 0],
  ['Everyone 10+', 10],
  ['Teen', 13],
  ['MA15+', 15],
  ['Mature 17+', 17],
  ['M', 17],
  ['R18+', 18],
  ['X18+', 18],
  ['adults only 18+', 18],
  ['PG', 8],
  ['G', 0],
  ['16+', 16],
  ['Unknown', undefined],
  ['Rating Pending', undefined],
  ['99', undefined],
])('the age rating %s is the age %s', (AgeRating, age) => {
  const { book, series } = read({ AgeRating })

  expect([book.ageRating, series.ageRating]).toEqual([age, age])
})

test.each([
  ['Special', true],
  ['Annual', true],
  ['One-Shot', true],
  ['one shot', true],
  ["Director's Cut", true],
  ['TPB', undefined],
  ['Graphic Novel', undefined],
  ['Series', undefined],
])('the format %s: beside the numbered ones: %s', (Format, isSpecial) => {
  expect(read({ Format }).book).toEqual({ formatDetail: Format, ...(isSpecial && { isSpecial }) })
})

test('the cover is the page that says so, counted from one', () => {
  expect(read({}, [{ image: 0 }, { image: 1, type: 'FrontCover' }]).book.coverPage).toBe(2)
  expect(
    read({}, [
      { image: 7, type: 'FrontCover' },
      { image: 0, type: 'FrontCover' },
    ]).book.coverPage,
  ).toBe(8)
  expect(read({}, [{}, { type: 'FrontCover' }]).book.coverPage).toBe(2)
  expect(read({}, [{ image: -1, type: 'FrontCover' }]).book).toEqual({})
  expect(read({}, [{ image: 20_000, type: 'FrontCover' }]).book).toEqual({})
  expect(read({}, [{ image: 0, type: 'Story' }]).book).toEqual({})
})

test('a book of as many pages as there may be is read', () => {
  const pages = Array.from({ length: 20_000 }, (_, image) => ({ image, type: 'Story' }))

  expect(read({ Title: 'T' }, pages).book).toEqual({ title: 'T' })
})

test('a rating of no stars is none, and the least is one', () => {
  expect(read({ CommunityRating: '0' }).book).toEqual({})
  expect(read({ CommunityRating: '0.01' }).book).toEqual({ communityRating: 1 })
  expect(read({ CommunityRating: '5' }).book).toEqual({ communityRating: 100 })
  expect(read({ CommunityRating: '5.1' }).book).toEqual({})
})

test('numbers of Comic Vine are found in notes', () => {
  expect(read({ Notes: 'Scraped metadata from ComicVine [CVDB394444].' }).book.externalIds).toEqual([
    { source: 'comicvine', id: '394444' },
  ])
  expect(read({ Notes: 'using info from Comic Vine on 2021-05-01. [Issue ID 12]' }).book.externalIds).toEqual([
    { source: 'comicvine', id: '12' },
  ])
  expect(read({ Notes: 'using info from Metron. [Issue ID 12]' }).book).toEqual({})
})

test('No and false are said, Unknown is not', () => {
  expect(read({ Manga: 'No', BlackAndWhite: 'false' }).book).toEqual({ manga: false, blackAndWhite: false })
  expect(read({ Manga: 'Unknown', BlackAndWhite: 'Unknown' }).book).toEqual({})
  expect(read({ Manga: 'Yes' }).book).toEqual({ manga: true })
})

test('an empty ComicInfo.xml says nothing, and another file is none', () => {
  expect(comicInfoLayer(Buffer.from('<ComicInfo/>'), 'sidecar:comicinfo')).toEqual({
    source: 'sidecar:comicinfo',
    book: {},
    series: {},
  })
  expect(() => comicInfoLayer(Buffer.from('<html/>'))).toThrow(BookFault)
})

test.each(hostileXml())('%s says nothing of any book', (_, xml) => {
  expect(() => comicInfoLayer(Buffer.from(xml))).toThrow(BookFault)
})

test('hostile text comes out short and harmless', () => {
  const { book, series } = read({
    Title: 'x'.repeat(1_000_000),
    Series: '\u202eevil\u0000\u001b[31m\ud800',
    Summary: '<script>alert(1)</script>'.repeat(10_000),
    Tags: Array.from({ length: 100_000 }, (_, index) => `t${index}`).join(','),
    Writer: Array.from({ length: 10_000 }, (_, index) => `w${index}`).join(','),
    Penciller: Array.from({ length: 10_000 }, (_, index) => `p${index}`).join(','),
    Number: '1'.repeat(1000),
    Year: '99999',
    CommunityRating: '1e309',
    LanguageISO: '../x',
    Web: 'javascript:alert(1) https://u:p@a.example/ https://a.example/',
  })

  expect(book.title).toHaveLength(textLimits.title)
  expect(series.title).toBe('evil\ufffd')
  expect(book.tags).toHaveLength(textLimits.listLength)
  expect(book.authors).toHaveLength(textLimits.listLength)
  expect(book.number).toHaveLength(32)
  expect(book.links).toEqual(['https://a.example/'])
  expect(Object.keys(book).sort()).toEqual(['authors', 'links', 'number', 'tags', 'title'])
})

test('whatever stands in the fields, a layer comes out, and never more than it may hold', () => {
  const names = fc.constantFrom(
    'Title',
    'Series',
    'Number',
    'Volume',
    'Count',
    'Year',
    'Month',
    'Day',
    'Web',
    'AgeRating',
    'Genre',
    'Notes',
    'GTIN',
    'Summary',
  )
  const values = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.double().map(String),
    fc.integer().map(String),
  )

  fc.assert(
    fc.property(fc.dictionary(names, values, { noNullPrototype: true }), (fields) => {
      const { book, series } = read(fields)
      for (const value of [...Object.values(book), ...Object.values(series)]) {
        expect(value).not.toBeUndefined()
        expect(value).not.toEqual([])
        expect(typeof value === 'number' && !Number.isFinite(value)).toBe(false)
      }
      expect(book.volume ?? 0).toBeLessThan(1900)
    }),
    { numRuns: 1000 },
  )
})
