import { expect, test } from 'vitest'
import { type Arrival, type Candidate, matchArrivals } from './identity.ts'

const arrival = (path: string, content: string, more: Partial<Arrival> = {}): Arrival => ({
  path,
  libraryId: 'here',
  content,
  pages: `pages of ${content}`,
  replaces: undefined,
  ...more,
})

const candidate = (bookId: string, path: string, content: string, more: Partial<Candidate> = {}): Candidate => ({
  bookId,
  libraryId: 'here',
  path,
  isGone: true,
  isLost: false,
  current: content,
  contents: new Set([content]),
  pageSets: new Set([`pages of ${content}`]),
  ...more,
})

const matched = (arrivals: Arrival[], candidates: Candidate[]) =>
  arrivals.map((each) => matchArrivals(arrivals, candidates).get(each))

test('LIB-5, C11 a book goes with its content when its old path is gone', () => {
  expect(matched([arrival('new/b.cbz', 'x')], [candidate('1', 'old/a.cbz', 'x')])).toEqual([
    { bookId: '1', isLost: false, how: 'moved' },
  ])
})

test('C11 two files that swap names swap paths, not books', () => {
  const arrivals = [arrival('a.cbz', 'B', { replaces: 'a' }), arrival('b.cbz', 'A', { replaces: 'b' })]
  const candidates = [candidate('a', 'a.cbz', 'A', { isGone: false }), candidate('b', 'b.cbz', 'B', { isGone: false })]
  expect(matched(arrivals, candidates)).toEqual([
    { bookId: 'b', isLost: false, how: 'moved' },
    { bookId: 'a', isLost: false, how: 'moved' },
  ])
})

test('C11 the same pages in another archive are the same book when the old path is gone', () => {
  const again = arrival('x.cbz', 'other content', { pages: 'pages of x' })
  expect(matched([again], [candidate('1', 'old.cbz', 'x')])).toEqual([{ bookId: '1', isLost: false, how: 're-zipped' }])
  expect(matched([again], [candidate('1', 'old.cbz', 'x', { isGone: false })])).toEqual([undefined])
})

test('C11 a book of the same library comes before one of another, however they are listed', () => {
  const candidates = [candidate('0', 'x.cbz', 'x', { libraryId: 'there' }), candidate('1', 'y.cbz', 'x')]
  expect(matched([arrival('x.cbz', 'x')], candidates)).toEqual([{ bookId: '1', isLost: false, how: 'moved' }])
  expect(matched([arrival('n.cbz', 'x'), arrival('m.cbz', 'x')], candidates)).toEqual([
    { bookId: '1', isLost: false, how: 'moved' },
    { bookId: '0', isLost: false, how: 'moved' },
  ])
})

test('C11 content comes before pages, for all arrivals', () => {
  const arrivals = [arrival('p.cbz', 'new', { pages: 'pages of x' }), arrival('q.cbz', 'x')]
  expect(matched(arrivals, [candidate('1', 'old.cbz', 'x')])).toEqual([
    undefined,
    { bookId: '1', isLost: false, how: 'moved' },
  ])
})

test('C11 of several books with this content the one that was here comes back', () => {
  expect(matched([arrival('a.cbz', 'x')], [candidate('2', 'b.cbz', 'x'), candidate('3', 'a.cbz', 'x')])).toEqual([
    { bookId: '3', isLost: false, how: 'moved' },
  ])
})

test('C11 what was never read is nobody', () => {
  expect(matched([arrival('a.cbz', '', { content: null, pages: null })], [candidate('1', 'a.cbz', 'x')])).toEqual([
    undefined,
  ])
})
