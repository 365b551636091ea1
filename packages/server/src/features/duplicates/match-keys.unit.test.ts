import { assert, constantFrom, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { externalIdKey, titleKey } from './match-keys.ts'

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

test('C18 a source without a prefix is a plugin by its name', () => {
  expect(externalIdKey('anilist', '74347')).toBe('plugin:anilist:74347')
  expect(externalIdKey('plugin:anilist', '74347')).toBe('plugin:anilist:74347')
  expect(externalIdKey('anilist', 'x'.repeat(900)).length).toBeLessThanOrEqual(200)
})
