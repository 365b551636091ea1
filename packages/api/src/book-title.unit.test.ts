import {
  array,
  assert,
  constant,
  constantFrom,
  integer,
  oneof,
  pre,
  property,
  record,
  string,
  stringMatching,
} from 'fast-check'
import { expect, test } from 'vitest'
import {
  type BookTitleContext,
  bookTitleIn,
  englishNumberWords,
  fileNamesIn,
  type NamedBook,
  numberInTitle,
} from './book-title.ts'

const book = (title: string, more: Partial<NamedBook> = {}): NamedBook => ({
  title,
  seriesName: 'Salt',
  number: 7,
  ...more,
})
const volume = { number: 7, volume: 7 }
const chapter = { number: 12, chapter: 12 }
const none = { number: null }

type Row = readonly [book: NamedBook, own: string, mixed: string]

const table: readonly Row[] = [
  [book('The Storm'), '7 · The Storm', 'Salt 7 · The Storm'],
  [book('The Storm', { number: 7.5 }), '7.5 · The Storm', 'Salt 7.5 · The Storm'],
  [book('The Storm', { number: 0 }), '0 · The Storm', 'Salt 0 · The Storm'],
  [book('The Storm', chapter), '12 · The Storm', 'Salt 12 · The Storm'],
  [book('The Storm', { number: null, volume: 7 }), '7 · The Storm', 'Salt 7 · The Storm'],
  [book('The Storm', { number: null, chapter: 3 }), '3 · The Storm', 'Salt 3 · The Storm'],
  [book('The Storm', none), 'The Storm', 'Salt · The Storm'],
  // No title of its own: the series and the number in other words.
  [book('Salt 7'), '7', 'Salt 7'],
  [book('Salt 7', volume), 'Volume 7', 'Salt 7'],
  [book('Salt 07', volume), 'Volume 7', 'Salt 7'],
  [book('Salt v07 (2019)', volume), 'Volume 7', 'Salt 7'],
  [book('Salt - Volume 7', volume), 'Volume 7', 'Salt 7'],
  [book('Salt, Vol. 7', volume), 'Volume 7', 'Salt 7'],
  [book('SALT VII', volume), 'Volume 7', 'Salt 7'],
  [book('Salt #7'), '7', 'Salt 7'],
  [book('Salt 007 (of 12)'), '7', 'Salt 7'],
  [book('Salt 7/12'), '7', 'Salt 7'],
  [book('Salt (2019) 07'), '7', 'Salt 7'],
  [book('Salt Band 7', volume), 'Volume 7', 'Salt 7'],
  [book('Salt 第7巻', volume), 'Volume 7', 'Salt 7'],
  [book('Salt ７', volume), 'Volume 7', 'Salt 7'],
  [book('Salt 7.5', { number: 7.5 }), '7.5', 'Salt 7.5'],
  [book('Salt', volume), 'Volume 7', 'Salt 7'],
  [book('Volume 7', volume), 'Volume 7', 'Salt 7'],
  [book('7', volume), 'Volume 7', 'Salt 7'],
  [book('', volume), 'Volume 7', 'Salt 7'],
  [book('Salt c012', chapter), 'Chapter 12', 'Salt Chapter 12'],
  [book('Salt v03 c012', { ...chapter, volume: 3 }), 'Chapter 12', 'Salt Chapter 12'],
  [book('Chapter 12', chapter), 'Chapter 12', 'Salt Chapter 12'],
  [book('Salt 5', { number: 5, volume: 2016 }), '5', 'Salt 5'],
  [book('Salt 5', { number: 5, volume: 2016, chapter: 5 }), '5', 'Salt 5'],
  [book('Salt 7', { ...volume, chapter: 7 }), 'Volume 7', 'Salt 7'],
  [book('Salt', none), 'Salt', 'Salt'],
  // A mere file name.
  [book('salt_v07_(2019)_(Digital).cbz', volume), 'Volume 7', 'Salt 7'],
  [book('[Group] Salt 07 [A1B2].cbz', volume), 'Volume 7', 'Salt 7'],
  [book('Salt 07 - The Storm.cbz', volume), '7 · The Storm', 'Salt 7 · The Storm'],
  // The title says more than the series and the number.
  [book('Salt 7: The Storm'), '7 · The Storm', 'Salt 7 · The Storm'],
  [book('Salt v07 - The Storm', volume), '7 · The Storm', 'Salt 7 · The Storm'],
  [book('Salt 07 The Storm'), '7 · The Storm', 'Salt 7 · The Storm'],
  [book('Salt: The Storm'), '7 · The Storm', 'Salt 7 · The Storm'],
  [book('Chapter 12: The Storm', chapter), '12 · The Storm', 'Salt 12 · The Storm'],
  [book('07 The Storm'), '7 · The Storm', 'Salt 7 · The Storm'],
  [book('7. The Storm'), '7 · The Storm', 'Salt 7 · The Storm'],
  [book('The Storm (Salt, Book 7)'), '7 · The Storm', 'Salt 7 · The Storm'],
  [book('The Storm (Salt #7)'), '7 · The Storm', 'Salt 7 · The Storm'],
  [book('Salt 7 (Deluxe Edition)', volume), '7 · Deluxe Edition', 'Salt 7 · Deluxe Edition'],
  [book('The Salt 07', { seriesName: 'The Salt' }), '7', 'The Salt 7'],
  [book('Salt, The 07', { seriesName: 'The Salt' }), '7', 'The Salt 7'],
  [book('Salt 07', { seriesName: 'Salt (2019)' }), '7', 'Salt (2019) 7'],
  [book('Yotsuba&! 7', { seriesName: 'Yotsuba&!', ...volume }), 'Volume 7', 'Yotsuba&! 7'],
  [book('X-Men 7', { seriesName: 'X-Men' }), '7', 'X-Men 7'],
  // The number belongs to the title.
  [book('7 Samurai'), '7 · 7 Samurai', 'Salt 7 · 7 Samurai'],
  [book('The Storm (2019)'), '7 · The Storm (2019)', 'Salt 7 · The Storm (2019)'],
  [book('Spider-Man', { seriesName: 'Spider' }), '7 · Spider-Man', '7 · Spider-Man'],
  [book('Salt Water'), '7 · Salt Water', '7 · Salt Water'],
  [book('Salt 2049', { number: 3 }), '3 · Salt 2049', '3 · Salt 2049'],
  [book('Salt v01-03', { number: 1, volume: 1 }), '1 · Salt v01-03', '1 · Salt v01-03'],
  [book('Salt Extra', none), 'Salt Extra', 'Salt Extra'],
  [book('Same Title', { number: 130 }), '130 · Same Title', 'Salt 130 · Same Title'],
  // A one-shot has its title alone.
  [
    book('Dracula', { seriesName: 'Dracula', number: 1, oneShot: true, authors: ['Bram Stoker'] }),
    'Dracula',
    'Dracula',
  ],
  [book('Dracula 1', { seriesName: 'Dracula', number: 1, oneShot: true }), 'Dracula 1', 'Dracula 1'],
]

test.each(table)('C24 D1 E2 %j: in its series "%s", elsewhere "%s"', (named, own, mixed) => {
  expect(bookTitleIn('series', named).text).toBe(own)
  expect(bookTitleIn('mixed', named).text).toBe(mixed)
})

const contexts: readonly (readonly [BookTitleContext, string, string])[] = [
  ['series', '7 · A/B: C?', 'Volume 7'],
  ['mixed', 'Salt 7 · A/B: C?', 'Salt 7'],
  ['card', 'Salt 7 · A/B: C?', 'Salt Volume 7'],
  ['page', 'Salt 7 · A/B: C?', 'Salt 7'],
  ['seriesFeed', '7: A/B: C?', 'Volume 7'],
  ['feed', 'Salt 7: A/B: C?', 'Salt 7'],
  ['download', 'Salt 7 - A - B - C', 'Salt 7'],
]

test.each(contexts)('D1 the same book in the place "%s"', (context, titled, untitled) => {
  expect(bookTitleIn(context, book('A/B: C?', volume)).text).toBe(titled)
  expect(bookTitleIn(context, book('Salt 07', volume)).text).toBe(untitled)
})

test('E2 a card has the series above and the number with the title below', () => {
  expect(bookTitleIn('card', book('Salt 7: The Storm', volume))).toMatchObject({
    series: 'Salt',
    number: '7',
    title: 'The Storm',
  })
  expect(bookTitleIn('card', book('Salt 7', volume))).toMatchObject({ series: 'Salt', number: 'Volume 7', title: null })
})

test('E2 a one-shot has its authors below its title', () => {
  const shown = bookTitleIn('card', book('Dracula', { oneShot: true, authors: ['Bram Stoker'] }))
  expect(shown).toMatchObject({ series: null, number: null, title: 'Dracula', authors: ['Bram Stoker'] })
  expect(bookTitleIn('card', book('Dracula', { authors: ['Bram Stoker'] })).authors).toEqual([])
})

test('E2 the words for volumes and chapters come from whoever shows them', () => {
  const german = { volume: (number: string) => `Band ${number}`, chapter: (number: string) => `Kapitel ${number}` }
  expect(bookTitleIn('series', book('Salt 7', volume), german).text).toBe('Band 7')
  expect(bookTitleIn('series', book('Salt', chapter), german).text).toBe('Kapitel 12')
})

const anyNumber = oneof(
  constant(null),
  integer({ min: 0, max: 2000 }),
  integer({ min: 0, max: 400 }).map((n) => n / 2),
)
const anyText = string({ unit: 'grapheme', maxLength: 60 })
const anyBook = record({
  title: anyText,
  seriesName: anyText,
  number: anyNumber,
  volume: anyNumber,
  chapter: anyNumber,
})
const allPlaces = contexts.map(([context]) => context)

test('E2 whatever a book is called it has a name everywhere, with its number in it', () => {
  assert(
    property(anyBook, constantFrom(...allPlaces), (named, context) => {
      const { number, text } = bookTitleIn(context, named)
      expect(text.trim()).not.toBe('')
      const expected = named.number ?? named.chapter ?? named.volume
      expect(number === null).toBe(expected === null)
      expect(text).toContain(expected === null ? '' : numberInTitle(expected))
    }),
  )
})

const word = stringMatching(/^[A-Z][a-zé]{3,9}$/)
const seriesName = array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '))
const beforeTitle = [
  (series: string, n: number) => `${series} ${n}`,
  (series: string, n: number) => `${series} ${String(n).padStart(3, '0')}`,
  (series: string, n: number) => `${series} v${String(n).padStart(2, '0')} (2019)`,
  (series: string, n: number) => `${series} - Volume ${n}`,
  (series: string, n: number) => `${series.toUpperCase()}, Vol. ${n}`,
  (series: string, n: number) => `${series.replaceAll(' ', '_')}_${n}.cbz`,
] as const
const inOtherWords = constantFrom(...beforeTitle, (series: string, n: number) => `Volume ${n} (${series})`)

test('E2 a title that says the series and the number in other words is none', () => {
  assert(
    property(seriesName, integer({ min: 0, max: 999 }), inOtherWords, (series, number, say) => {
      const named = { title: say(series, number), seriesName: series, number, volume: number }
      expect(bookTitleIn('series', named).text).toBe(`Volume ${number}`)
      expect(bookTitleIn('feed', named).text).toBe(`${series} ${number}`)
    }),
  )
})

test('E2 the series is said once, before the number, and what the title says beyond it is kept', () => {
  assert(
    property(
      seriesName,
      seriesName,
      integer({ min: 0, max: 999 }),
      constantFrom(...beforeTitle),
      (series, title, number, say) => {
        pre(!title.toLowerCase().includes(series.toLowerCase()) && !series.includes(title))
        const named = { title: `${say(series, number).replace(/\.cbz$/, '')} - ${title}`, seriesName: series, number }
        expect(bookTitleIn('series', { ...named, title }).text).toBe(`${number} · ${title}`)
        expect(bookTitleIn('mixed', named).text).toBe(`${series} ${number} · ${title}`)
      },
    ),
  )
})

test('E2 a name of a file is one that every file system takes', () => {
  assert(
    property(anyBook, (named) => {
      const { text } = bookTitleIn('download', named)
      expect(text).toMatch(/^[^\s.](?:.*[^\s.])?$/u)
      expect(text).not.toMatch(/["*/:<>?\\|\p{Cc}]/u)
    }),
  )
})

test('C24 a name of a file is never too long, and it is not its number that is cut', () => {
  for (const letter of ['S', 'サ']) {
    const { text } = bookTitleIn('download', book(letter.repeat(400), { ...volume, seriesName: letter.repeat(300) }))
    expect(text).toMatch(new RegExp(`^${letter}{40,} 7`))
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(200)
  }
  expect(bookTitleIn('download', book('Con', { oneShot: true })).text).toBe('_Con')
})

test('C24 names of files stand in their order wherever they are sorted, and never repeat the series', () => {
  const numbered = (...numbers: readonly number[]) =>
    numbers.map((number) => book(`Salt ${number}: The Storm`, { number }))
  expect(fileNamesIn(numbered(2, 7.5, 10))).toEqual([
    'Salt 02 - The Storm',
    'Salt 07.5 - The Storm',
    'Salt 10 - The Storm',
  ])
  expect(fileNamesIn([...numbered(1, 2), book('A Look Back', none)])).toEqual([
    '1 - Salt 1 - The Storm',
    '2 - Salt 2 - The Storm',
    '3 - Salt - A Look Back',
  ])
})

test('E2 numbers are printed without what says nothing', () => {
  expect([7, 7.5, 0, -1, 10.1 + 0.2, 1000].map(numberInTitle)).toEqual(['7', '7.5', '0', '-1', '10.3', '1000'])
  expect(englishNumberWords.volume('7')).toBe('Volume 7')
})
