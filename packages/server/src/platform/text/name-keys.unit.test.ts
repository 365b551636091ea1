import { assert, constantFrom, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { seriesNameKey, seriesNameKeys, titleKey, yearInName } from './name-keys.ts'

test('CAT-8 the name of a series is the same however it is written', () => {
  const same = [
    ['The Amazing Spider-Man', 'Amazing Spider-Man, The', 'AMAZING SPIDERMAN', 'Amazing Spider–Man (2018)'],
    ['Pokémon Adventures', 'pokemon adventures', 'Ｐｏｋｅｍｏｎ　Ａｄｖｅｎｔｕｒｅｓ'],
    ['A Silent Voice', 'Silent Voice, A '.replace(', A ', '')],
    ['ワンパンマン', 'わんぱんまん'],
  ]
  for (const names of same) expect(new Set(names.map(seriesNameKey)).size).toBe(1)
  const apart = ['The', 'A', '!!!', '???', 'Spawn', 'Vol. 1.5', 'Vol. 15', '2000 AD']
  expect(new Set(apart.map(seriesNameKey)).size).toBe(apart.length)
  expect(seriesNameKeys(['Batman', 'BATMAN (2016)', 'Detective Comics'])).toEqual(['batman', 'detectivecomics'])
})

test('CAT-8 a year behind a name tells series apart, a number does not', () => {
  expect(['Batman (2016)', 'Batman ( 1940 ) ', 'Batman 2016', '2000 AD', '(2016) Batman'].map(yearInName)).toEqual([
    2016,
    1940,
    null,
    null,
    null,
  ])
})

const same: readonly (readonly string[])[] = [
  ['One-Punch Man', 'One Punch Man', 'ONE PUNCH-MAN', 'Ｏｎｅ－Ｐｕｎｃｈ　Ｍａｎ', 'OnePunchMan', ' one  punch man! '],
  ['ワンパンマン', 'わんぱんまん', 'ﾜﾝﾊﾟﾝﾏﾝ', 'ワンパン・マン'],
  ['The Sandman', 'Sandman, The', 'Sandman', 'SANDMAN,the ', 'A Sandman'],
  ['Les Misérables', 'Miserables', 'Misérables, Les', 'MISÉRABLES', 'Mise\u0301rables'],
  ["L'Incal", 'L’Incal', 'Incal', "Incal, L'"],
  ['Der Ring', 'Das Ring', 'Ring, Der'],
  ['Los Surcos', 'El Surcos', 'Surcos, Los'],
  ['Hunter × Hunter', 'Hunter x Hunter', 'HUNTER×HUNTER'],
  ['Dr. Stone', 'Dr.STONE', 'dr stone'],
]

const different: readonly (readonly [string, string])[] = [
  ['Saga', 'Sagas'],
  ['Theater', 'Ater'],
  ['Ladybird', 'Dybird'],
  ['A', 'The'],
  ['2.5 Dimensions', '25 Dimensions'],
  ['!!!', '???'],
  ['One Piece 1', 'One Piece 2'],
  ['東京喰種', '東京'],
]

test('CAT-7 titles are compared without case, accents, width, kana, punctuation, spaces and articles', () => {
  for (const titles of same) expect([titles, new Set(titles.map(titleKey)).size]).toEqual([titles, 1])
  for (const titles of different) expect([titles, new Set(titles.map(titleKey)).size]).toEqual([titles, 2])
  expect(titleKey('One-Punch Man')).toBe('onepunchman')
  expect(titleKey('Sandman, The')).toBe('sandman')
})

test('CAT-7 any title has a key that an index can hold, and spaces or case make no other', () => {
  assert(
    property(string({ unit: 'binary', maxLength: 600 }), constantFrom(' ', '  ', '\t'), (title, space) => {
      const key = titleKey(title)
      expect(key.length).toBeLessThanOrEqual(200)
      expect(titleKey(space + title + space)).toBe(key)
    }),
  )
  const long = 'a long title '.repeat(60)
  expect(titleKey(`${long}one`)).not.toBe(titleKey(`${long}two`))
})
