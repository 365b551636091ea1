import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseSeriesName } from './series-name.ts'

test.each([
  ['Saga (2012) [Digital]', { title: 'Saga', year: 2012 }],
  ['Batman (2011-2016)', { title: 'Batman', year: 2011 }],
  ['Amazing Spider-Man v2 (1999)', { title: 'Amazing Spider-Man', volume: 2, year: 1999 }],
  ['Justice League Vol. 2', { title: 'Justice League', volume: 2 }],
  ['One Piece v001-100 (Digital)', { title: 'One Piece' }],
  ['[Group] Kingdom [EN]', { title: 'Kingdom', language: 'en', groups: ['Group'] }],
  ['Invincible (Omnibus)', { title: 'Invincible', edition: 'Omnibus' }],
  ['Black_Hammer', { title: 'Black Hammer' }],
  ['The.Walking.Dead', { title: 'The Walking Dead' }],
  ['S.H.I.E.L.D. (2014)', { title: 'S.H.I.E.L.D.', year: 2014 }],
  ['20th Century Boys', { title: '20th Century Boys' }],
  ['100 Bullets', { title: '100 Bullets' }],
  ['Area 51', { title: 'Area 51', volume: null }],
  ['X-Men Annual', { title: 'X-Men Annual' }],
  ['Attack on Titan Part 2', { title: 'Attack on Titan Part 2' }],
  ['Doctor Who - Christmas Special', { title: 'Doctor Who - Christmas Special' }],
  ['Volume 01', { title: 'Volume 01', volume: 1 }],
  ['[Group]', { title: '[Group]' }],
  ['', { title: '?' }],
] as const)('the folder %s is a series', (folder, says) => {
  expect(parseSeriesName(folder)).toMatchObject(says)
})

test('every series has a title', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (folder) => {
      expect(parseSeriesName(folder).title).not.toBe('')
    }),
    { numRuns: 2000 },
  )
})
