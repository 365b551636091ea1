import type { ReadingYear } from '@carrel/api'
import { expect, test } from 'vitest'
import { pictureOf, type PictureWords } from './picture.ts'

const figures = {
  booksFinished: 1,
  duration: { measuredMs: 60_000, inferredMs: 0, totalMs: 60_000 },
  pagesRead: 10,
  sessions: 1,
}
const cover = { coverVersion: '1', placeholder: null, tone: null }
const seriesCalled = (name: string | null, has: { readonly cover: typeof cover | null } = { cover }) => ({
  seriesId: name === null ? null : `id of ${name}`,
  seriesName: name,
  books: 1,
  ...figures,
  ...has,
})
const year = (series: ReadingYear['series']) => ({ year: 2025, months: [{ bucket: '2025-03-01', ...figures }], series })

const words: PictureWords = {
  title: 'My 2025 in books',
  time: '7 hr',
  aboutTime: ['at least'],
  facts: [
    { figure: '3', name: 'Books finished' },
    { figure: '3', name: 'Most in a row' },
  ],
  mostRead: 'Read most',
  months: Array.from({ length: 12 }, (_, index) => `M${index}`),
  amounts: Array.from({ length: 12 }, (_, index) => ({ sure: index === 2 ? 60 : 0, estimated: 0, isUnknown: false })),
}

test('A3 the picture tells what it shows, and nothing of a series that is hidden or gone', () => {
  const series = [
    seriesCalled(null, { cover: null }),
    seriesCalled('Told'),
    seriesCalled('Deleted', { cover: null }),
    seriesCalled('Also told'),
  ]
  const { items, lines } = pictureOf(year(series), words, { withNames: true })
  expect(lines).toEqual([
    'My 2025 in books',
    'at least',
    '7 hr',
    '3 Books finished',
    '3 Most in a row',
    'Read most',
    'Told',
    'Also told',
    'Carrel',
  ])
  expect(items.flatMap((item) => (item.kind === 'cover' ? [item.series.name] : []))).toEqual(['Told', 'Also told'])
  expect(JSON.stringify(items)).not.toContain('Deleted')
})

test('without names it has neither a title nor a cover', () => {
  const { items, lines } = pictureOf(year([seriesCalled('Told')]), words, { withNames: false })
  expect(lines).toEqual(['My 2025 in books', 'at least', '7 hr', '3 Books finished', '3 Most in a row', 'Carrel'])
  expect(items.some(({ kind }) => kind === 'cover')).toBe(false)
  expect(JSON.stringify(items)).not.toContain('Told')
})

test('nothing in it lies beyond its edges, however much there is', () => {
  const many = Array.from({ length: 6 }, (_, index) => seriesCalled(`Series ${index}`))
  for (const withNames of [true, false]) {
    const { width, height, items } = pictureOf(year(many), words, { withNames })
    const beyond = items.filter(({ x, y, ...item }) => {
      const tall = 'height' in item ? item.height : 0
      return x < 0 || y < 0 || x + item.width > width || y + tall > height
    })
    expect(beyond).toEqual([])
  }
})
