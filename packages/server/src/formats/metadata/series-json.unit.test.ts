import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { seriesJson } from '../../../test/books/metadata.ts'
import { BookFault } from '../book-format.ts'
import { bookLimits, textLimits } from '../limits.ts'
import { seriesJsonLayer } from './series-json.ts'

const read = (json: string) => seriesJsonLayer(Buffer.from(json))
const faultOf = (bytes: Buffer): string => {
  try {
    seriesJsonLayer(bytes)
  } catch (error) {
    if (error instanceof BookFault) return error.code
    throw error
  }
  return 'none'
}

test("LIB-4 Mylar's series.json describes the series", () => {
  expect(read(seriesJson())).toEqual({
    source: 'sidecar:series.json',
    book: {},
    series: {
      title: 'Saga of the Stars',
      summary: 'Two soldiers, one child.\n\nA long way.',
      publisher: 'Picture House',
      status: 'ongoing',
      ageRating: 17,
      year: 2012,
      totalVolumeCount: 54,
      externalIds: [{ source: 'comicvine', id: '51234', url: 'https://comicvine.gamespot.com/volume/4050-51234/' }],
    },
  })
})

test('the earlier forms are read too: numbers as text, nothing around the fields', () => {
  const flat = {
    type: 'comicSeries',
    name: 'Saga',
    comicid: '4050-51234',
    year: '2012',
    total_issues: '54',
    description_formatted: '<p>One.</p><p>Two.</p>',
    imprint: 'Small House',
    status: 'Ended',
  }

  expect(read(`\ufeff${JSON.stringify(flat)}`).series).toEqual({
    title: 'Saga',
    year: 2012,
    totalVolumeCount: 54,
    summary: 'One.\n\nTwo.',
    imprint: 'Small House',
    status: 'ended',
    externalIds: [{ source: 'comicvine', id: '51234', url: 'https://comicvine.gamespot.com/volume/4050-51234/' }],
  })
})

test('what is of another kind than it should be is not there', () => {
  const { series } = read(
    seriesJson({
      name: ['a'],
      comicid: '1;drop',
      year: 99_999,
      total_issues: -1,
      status: 'Paused',
      publisher: { name: 'x' },
      description_text: '   ',
      age_rating: true,
    }),
  )

  expect(series).toEqual({})
  expect(read('{"metadata":null,"name":"Saga"}').series).toEqual({ title: 'Saga' })
  expect(read('{"__proto__":{"name":"x"},"year":1e309}').series).toEqual({})
})

test('hostile text comes out short and harmless', () => {
  const { series } = read(seriesJson({ name: `\u202e\u0000${'x'.repeat(10_000)}`, publisher: '\ud800\u001b[31mP' }))

  expect(series.title).toBe('x'.repeat(textLimits.title))
  expect(series.publisher).toBe('P')
})

test('any encoding is read', () => {
  const json = JSON.stringify({ name: 'Zoë' })

  expect(seriesJsonLayer(Buffer.from(json, 'latin1')).series.title).toBe('Zoë')
  expect(seriesJsonLayer(Buffer.from(`\ufeff${json}`, 'utf16le')).series.title).toBe('Zoë')
})

test('what is no object, or too much, is a fault', () => {
  for (const none of ['', '[]', 'null', '"x"', '{', '['.repeat(bookLimits.jsonBytes), '{"a":'.repeat(100_000)]) {
    expect(faultOf(Buffer.from(none))).toBe('damaged')
  }
  const sized = (size: number) => Buffer.from(`{"name":"x"}${' '.repeat(size - 12)}`)
  expect(faultOf(sized(bookLimits.jsonBytes))).toBe('none')
  expect(faultOf(sized(bookLimits.jsonBytes + 1))).toBe('limit')
})

test('whatever the bytes or the fields are, a layer or a fault comes out', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        fc.json().map((json) => Buffer.from(json)),
      ),
      (bytes) => {
        expect(['none', 'damaged']).toContain(faultOf(Buffer.from(bytes)))
      },
    ),
    { numRuns: 1000 },
  )
  fc.assert(
    fc.property(fc.record({ name: fc.jsonValue(), year: fc.jsonValue(), comicid: fc.jsonValue() }), (fields) => {
      expect(faultOf(Buffer.from(seriesJson(fields)))).toBe('none')
    }),
  )
})
