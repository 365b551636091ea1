import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fold, nameKey, sortKey } from './sort-key.ts'

/** Both databases compare like this: byte by byte. */
const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(sortKey(a)), Buffer.from(sortKey(b)))
const inOrder = (names: readonly string[]): string[] => names.toSorted(compare)
const anything = fc.string({ unit: 'binary', maxLength: 60 })

test('W10 names are in the order people expect', () => {
  // 007 is 7; what is nothing but punctuation does not count; Æ is sorted as ae.
  const names = [
    '3 Idiots',
    '007',
    '20th Century Boys',
    '20th Century Boys Vol. 2',
    '20th Century Boys Vol. 10',
    '100 Bullets',
    'Ábel',
    'abel 2',
    'Ænima',
    '!Bang',
    'Élodie',
    'elodie 3',
    'The Zoo',
    'Zoë',
    'zoo',
  ]

  expect(inOrder(names.toReversed())).toEqual(names)
  expect(inOrder(['Vol. 10', 'Vol. 9', 'Vol. 2', 'Vol. 1'])).toEqual(['Vol. 1', 'Vol. 2', 'Vol. 9', 'Vol. 10'])
  expect(inOrder(['ch 10.5', 'ch 10', 'ch 9.5', 'ch 10.25', 'ch 11'])).toEqual([
    'ch 9.5',
    'ch 10',
    'ch 10.25',
    'ch 10.5',
    'ch 11',
  ])
})

test('W10 D5 names that differ in case, accents, width, kana, punctuation or letters of their own stand together', () => {
  const alike = [
    ['Élodie', 'ELODIE', 'elodie', 'e\u0301lodie'],
    ['ＡＢＣ１２', 'abc12', 'ABC012'],
    ['ナルト', 'なると', 'ﾅﾙﾄ'],
    ['ガンダム', 'がんだむ', 'ｶﾞﾝﾀﾞﾑ'],
    ['Spider-Man', 'spider man', 'Spider—Man', ' Spider  Man! '],
    ['ﬁne', 'fine'],
    ['Ⅷ', 'viii'],
    ['Straße', 'STRASSE', 'strasse', 'STRAẞE'],
    ['Ærø', 'aero'],
    ['Œuvre', 'oeuvre'],
    ['Đỗ', 'do'],
    ['Łódź', 'lodz'],
    ['Isparta', 'ısparta', 'İsparta'],
    ['Þorláksson Guðný', 'thorlaksson gudny'],
    ['ΟΔΟΣ', 'οδος', 'οδοσ'],
  ]

  for (const [first = '', ...others] of alike) {
    for (const other of others)
      expect([other, sortKey(other).split('\u0001')[0]]).toEqual([other, sortKey(first).split('\u0001')[0]])
  }
})

test('W10 numbers inside names follow their value', () => {
  const number = fc.bigInt({ min: 0n, max: 10n ** 40n })
  const zeros = fc.integer({ min: 0, max: 5 }).map((count) => '0'.repeat(count))
  const word = fc.constantFrom('', 'Vol. ', 'naruto ', '第', 'x')

  fc.assert(
    fc.property(word, number, number, zeros, zeros, word, (before, a, b, zerosA, zerosB, after) => {
      const order = compare(`${before}${zerosA}${a}${after}`, `${before}${zerosB}${b}${after}`)
      fc.pre(a !== b)
      expect(Math.sign(order)).toBe(a < b ? -1 : 1)
    }),
    { numRuns: 2000 },
  )
})

test('W10 decimal fractions follow their value', () => {
  const tenths = fc.integer({ min: 0, max: 99_999 })
  const spelled = (value: number): string => {
    const fraction = value % 100
    const integer = Math.floor(value / 100)
    return fraction === 0 ? String(integer) : `${integer}.${String(fraction).padStart(2, '0').replace(/0$/, '')}`
  }

  fc.assert(
    fc.property(tenths, tenths, (a, b) => {
      const order = compare(`Chapter ${spelled(a)}`, `Chapter ${spelled(b)}`)
      expect(Math.sign(order)).toBe(Math.sign(a - b))
    }),
    { numRuns: 2000 },
  )
})

test('W10 the order of words is the order of a plain comparison of what is left after folding', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abcxyzABCXYZéÉñ漫なナ '), maxLength: 12 })

  fc.assert(
    fc.property(word, word, (a, b) => {
      const [foldedA, foldedB] = [fold(a), fold(b)]
      fc.pre(foldedA !== foldedB)
      const plain = Buffer.compare(Buffer.from(foldedA), Buffer.from(foldedB))
      expect(Math.sign(compare(a, b))).toBe(Math.sign(plain))
    }),
    { numRuns: 2000 },
  )
})

test('W10 no text breaks it, and two texts have one key only when they are the same', () => {
  fc.assert(
    fc.property(anything, anything, (a, b) => {
      expect(sortKey(a) === sortKey(b)).toBe(a === b)
      expect(sortKey(a)).toContain('\u0001')
    }),
    { numRuns: 2000 },
  )
  for (const odd of ['', ' ', '\0', '\u0001', '\ud800', '.', '1.', '.1', '1.2.3.4', '٣٫١', '9'.repeat(500), '\ufdfa']) {
    expect(() => sortKey(odd)).not.toThrow()
  }
})

test('W10 folding twice is folding once', () => {
  fc.assert(
    fc.property(anything, (name) => {
      expect(fold(fold(name))).toBe(fold(name))
    }),
    { numRuns: 5000 },
  )
})

test('W10 what is left after folding has single spaces, and none at its ends', () => {
  fc.assert(
    fc.property(anything, (name) => {
      expect(fold(name)).toBe(fold(name).replaceAll(/\s+/g, ' ').trim())
    }),
    { numRuns: 2000 },
  )
})

test('AUTH-9 a name is the same in any case and width, and another with other accents', () => {
  expect(nameKey('ＺＯË')).toBe(nameKey('zoe\u0308'))
  expect(nameKey('Zoe')).not.toBe(nameKey('Zoë'))
  expect(nameKey('a b')).not.toBe(nameKey('a-b'))
})

test('W10 plain letters fold the short way to what the long way gives', () => {
  // A mark is folded away, and its name goes the long way.
  const plain = fc.string({ unit: 'grapheme-ascii', maxLength: 60 })

  fc.assert(
    fc.property(plain, (name) => {
      expect(fold(name)).toBe(fold(`${name}\u0301`))
    }),
  )
  expect(fold('Vol. 1.5: A.B.C. -- 2.0!')).toBe(fold('Vol. 1.5: A.B.C. -- 2.0!\u0301'))
})
