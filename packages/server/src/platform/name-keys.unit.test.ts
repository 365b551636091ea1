import { expect, test } from 'vitest'
import { seriesNameKey, seriesNameKeys, yearInName } from './name-keys.ts'

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
