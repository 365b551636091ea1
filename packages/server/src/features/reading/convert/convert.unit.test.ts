import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type BookShape,
  koreaderFromLocation,
  locatorFromLocation,
  locationFromKoreader,
  locationFromLocator,
  locationFromPosition,
} from './convert.ts'

const paged: BookShape = { pageCount: 200, spine: [] }
const novel: BookShape = {
  pageCount: 0,
  spine: [
    { href: 'OEBPS/cover.xhtml', type: 'application/xhtml+xml', length: 0 },
    { href: 'OEBPS/one%20two.xhtml', type: 'application/xhtml+xml', length: 100 },
    { href: 'OEBPS/three.xhtml', type: 'application/xhtml+xml', length: 300 },
  ],
}

test('pages and percentages say the same of a book with pages', () => {
  expect(locationFromPosition(paged, { page: 50, percentage: null })).toEqual({ page: 50, percentage: 0.25 })
  expect(locationFromPosition(paged, { page: null, percentage: 0.25 })).toEqual({ page: 50, percentage: 0.25 })
  expect(locationFromPosition(paged, { page: 900, percentage: null })).toEqual({ page: 200, percentage: 1 })
  expect(locationFromPosition(paged, { page: null, percentage: 0 })).toEqual({ page: 1, percentage: 0 })
  expect(locationFromPosition(paged, { page: null, percentage: null })).toEqual({})
})

test('a percentage is a place in the spine, and back', () => {
  expect(locationFromPosition(novel, { page: null, percentage: 0.625 })).toEqual({
    percentage: 0.625,
    item: { index: 2, progression: 0.5 },
  })
  const locator = { href: '/OEBPS/one two.xhtml#p3', type: '', locations: { progression: 0.5 } }
  expect(locationFromLocator(novel, locator)).toEqual({ percentage: 0.125, item: { index: 1, progression: 0.5 } })
  expect(locationFromLocator(novel, { href: 'gone.xhtml', type: '', locations: { totalProgression: 1 } })).toEqual({
    percentage: 1,
    item: { index: 2, progression: 1 },
  })
  expect(locatorFromLocation(novel, {})).toBeUndefined()
})

test('what KOReader saves is a part of the book, or a page', () => {
  const progress = { progress: '/body/DocFragment[3]/body/div/p[12]/text().55', percentage: 0.4 }
  const location = locationFromKoreader(novel, progress)
  expect(location?.percentage).toBe(0.4)
  expect(location?.item?.index).toBe(2)
  expect(location?.item?.progression).toBeCloseTo(0.2)
  expect(locationFromKoreader(novel, { progress: '/body/DocFragment/body/p', percentage: null })).toEqual({
    percentage: 0,
    item: { index: 0, progression: undefined },
  })
  expect(locationFromKoreader(paged, { progress: '17', percentage: null })).toEqual({ page: 17, percentage: 0.085 })
  expect(locationFromKoreader(novel, { progress: '/body/DocFragment[9]', percentage: null })).toBeUndefined()
  expect(locationFromKoreader(novel, { progress: 'nonsense', percentage: null })).toBeUndefined()
  expect(koreaderFromLocation(novel, { item: { index: 2, progression: 0.5 } })).toBe('/body/DocFragment[3].0')
  expect(koreaderFromLocation(paged, { page: 17 })).toBe('17')
})

test('every way there and back comes to the same part, and as far as it can be said to the same place', () => {
  const someBook = fc.array(fc.nat({ max: 1000 }), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(someBook, fc.double({ min: 0, max: 1, noNaN: true }), (lengths, percentage) => {
      const shape: BookShape = {
        pageCount: 0,
        spine: lengths.map((length, index) => ({ href: `${index}.xhtml`, type: '', length })),
      }
      const location = locationFromPosition(shape, { page: null, percentage })
      // A book without anything to read has no place.
      fc.pre(location.item !== undefined)
      if (!location.item) return
      const locator = locatorFromLocation(shape, location)
      if (!locator) throw new Error('There is a place')
      const { totalProgression: _, ...inItem } = locator.locations ?? {}
      const back = locationFromLocator(shape, { ...locator, locations: inItem })
      expect(back.item).toEqual(location.item)
      expect(back.percentage).toBeCloseTo(percentage, 9)
      const progress = koreaderFromLocation(shape, location) ?? ''
      expect(locationFromKoreader(shape, { progress, percentage: null })?.item?.index).toBe(location.item.index)
    }),
  )
})
