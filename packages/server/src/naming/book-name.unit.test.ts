import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isHeldBack, type NamedExample, readNames } from '../../test/names/read-names.ts'
import { bookTitle, parseBookName } from './book-name.ts'

/** The score is that of the names the rules never saw. It may rise, never fall. */
const heldBackScore = 176

const misses = (names: readonly NamedExample[]): readonly string[] =>
  names.filter(({ name, says }) => JSON.stringify(parseBookName(name)) !== JSON.stringify(says)).map(({ name }) => name)

test.each(readNames('demanded'))('$name says what it was asked to say', ({ name, says }) => {
  expect(parseBookName(name)).toEqual(says)
})

test('every known name is read as people read it', () => {
  const examples = readNames('known')

  expect(examples.length).toBeGreaterThan(350)
  for (const { name, says } of examples) expect({ name, ...parseBookName(name) }).toEqual({ name, ...says })
})

test('D5 emoji and letters that are joined stay joined in what names say', () => {
  expect(parseBookName('Familie 👨‍👩‍👧‍👦 v01.cbz')).toMatchObject({ seriesTitle: 'Familie 👨‍👩‍👧‍👦', volume: 1 })
  expect(parseBookName('Herz ❤️‍🔥 3.cbz')).toMatchObject({ seriesTitle: 'Herz ❤️‍🔥', number: '3' })
  const scotland = '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}'
  expect(bookTitle(`Flag ${scotland}.epub`)).toBe(`Flag ${scotland}`)
  expect(bookTitle('می\u200cخواهم.epub')).toBe('می\u200cخواهم')
  // Invisible characters are removed.
  expect(bookTitle('One\u200b\u202ePiece.epub')).toBe('One Piece')
})

test('names the rules never saw are read no worse than they were', () => {
  const heldBack = readNames('held-back')
  const missed = misses(heldBack)
  console.info(
    [`held back: ${heldBack.length - missed.length} of ${heldBack.length} right; missed:`, ...missed].join('\n  '),
  )

  expect(heldBack.length).toBeGreaterThan(150)
  expect(heldBack.length - missed.length).toBeGreaterThanOrEqual(heldBackScore)
})

test('nobody has chosen which names are held back', () => {
  expect(readNames('held-back').filter(({ name }) => !isHeldBack(name))).toEqual([])
  expect(readNames('known').filter(({ name }) => isHeldBack(name))).toEqual([])
  const names = [...readNames('demanded'), ...readNames('known'), ...readNames('held-back')].map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

test('a number in the title of a known series is not the number of the book', () => {
  expect(parseBookName('Area 51.cbz')).toMatchObject({ seriesTitle: 'Area', number: '51' })
  expect(parseBookName('Area 51.cbz', { seriesName: 'Area 51' })).toMatchObject({ title: 'Area 51', number: null })
  expect(parseBookName('Area 51 7.cbz', { folder: 'Area 51 (2001)' })).toMatchObject({
    seriesTitle: 'Area 51',
    number: '7',
  })
  expect(parseBookName('52.cbz', { folder: '52' })).toMatchObject({ number: null })
  expect(parseBookName('Jungle Book 2.cbz', { seriesName: 'Jungle Book' })).toMatchObject({
    seriesTitle: 'Jungle Book',
    volume: null,
    number: '2',
  })
  expect(parseBookName('Batman 12 - Area 51.cbz', { seriesName: 'Batman' })).toMatchObject({
    number: '12',
    title: 'Area 51',
  })
  expect(parseBookName('Spider_Man 2099 03.cbz', { seriesName: 'Spider-Man 2099' })).toMatchObject({ number: '03' })
  expect(parseBookName('Bat 01.cbz', { seriesName: 'Batman' })).toMatchObject({ seriesTitle: 'Bat', number: '01' })
})

test('a book of calibre has its author behind its title, whatever both look like', () => {
  const folder = 'Jane Eyre (123)'

  expect(parseBookName('Jane Eyre - Charlotte Bronte.epub', { folder })).toMatchObject({
    title: 'Jane Eyre',
    authors: ['Charlotte Bronte'],
  })
  expect(parseBookName('Jane Eyre - Charlotte Bronte.cbz', { folder })).toMatchObject({ authors: [] })
})

test.each([
  ['銀魂 12話.cbz', { seriesTitle: '銀魂', chapter: 12 }],
  ['Fairy Tail 3. Band.cbz', { seriesTitle: 'Fairy Tail', volume: 3 }],
  ['Naruto Chapters 12 - 15.cbz', { seriesTitle: 'Naruto', chapter: 12, chapterEnd: 15 }],
  ['(C99) [Circle (Name)] Tea Party.zip', { title: 'Tea Party', chapter: null, groups: ['C99', 'Circle (Name)'] }],
  ['Naruto (C99).cbz', { seriesTitle: 'Naruto', chapter: 99 }],
  ['Naruto 12 (Special).cbz', { seriesTitle: 'Naruto', number: '12', isSpecial: true, groups: [] }],
])('%s is read', (name, says) => {
  expect(parseBookName(name)).toMatchObject(says)
})

test('what was made a second time is no second volume', () => {
  expect(parseBookName('Batman 001 (v2).cbz')).toMatchObject({ number: '001', volume: null })
  expect(parseBookName('Batman (v2) 001.cbz')).toMatchObject({ number: '001', volume: 2 })
})

test('a book without better title is called by its file name, without tags', () => {
  expect(bookTitle('Batman 001 (2016) (digital) (Son of Ultron-Empire).cbr')).toBe('Batman 001')
  expect(bookTitle('Batman_001_(of_06)_(2016).cbz')).toBe('Batman 001')
  expect(bookTitle('[Group] One Piece - Vol. 3 [Ch. 12].cbz')).toBe('One Piece - Vol. 3 Ch. 12')
  expect(bookTitle('Frank Herbert - Dune (1965).epub')).toBe('Dune')
  expect(bookTitle('X-Men Annual #1.cbz')).toBe('X-Men Annual #1')
  expect(bookTitle('[Group].cbz')).toBe('[Group]')
  expect(bookTitle('.cbz')).toBe('.cbz')
  expect(bookTitle(' ')).toBe('?')
})

const words =
  `- . _ ( ) [ ] # v c Vol. Ch. 第 巻 話 上 권 ½ ⁄ 1 012 2016 of Special Annual FCBD digital TPB S2 Part T04 十 .epub .cbz
  Author & ~ É one IV 😀 ،`.split(/\s+/)
const piece = fc.constantFrom(...words, ' ', ' - ', ' of ', 'Author Name', '\n', '\0', '\uE000', '\uE001', '\ud800')
const anyName = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.array(piece, { maxLength: 24 }).map((parts) => parts.join('')),
)

test('no name breaks it, and what it reads makes sense', () => {
  fc.assert(
    fc.property(anyName, anyName, (name, folder) => {
      const read = parseBookName(name, { folder })
      expect(parseBookName(name, { folder })).toEqual(read)
      expect(read.volumeEnd === null || read.volumeEnd > (read.volume ?? Infinity)).toBe(true)
      expect(read.chapterEnd === null || read.chapterEnd > (read.chapter ?? Infinity)).toBe(true)
      expect(
        [read.title, read.seriesTitle].filter((text) => text !== null && /^\s*$|[\uE000\uE001]/.test(text)),
      ).toEqual([])
      expect(bookTitle(name, parseBookName(name, { folder }))).not.toBe('')
    }),
    { numRuns: 3000 },
  )
})

test('what a name is repeated from does not matter: a name of 64 KiB ends as soon as one of 1 KiB', () => {
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 4 }), (parts) => {
      const unit = parts.join('')
      const long = unit.repeat(Math.ceil(65_536 / unit.length))
      expect(parseBookName(long)).toEqual(parseBookName(long.slice(0, 1024)))
    }),
    { numRuns: 200 },
  )
})
